"""The words that training sentences are made of; some names are kept from training to test words never said."""

from __future__ import annotations

UNCOMMON = (
    "ElectricGuitar", "EspressoMachine", "GingerbreadHouse", "GraphicsCard", "MateGourd", "PlasticCrate", "RiceCooker",
    "Surfboard", "ToyAirplane", "Tricycle", "Whiteboard", "WickerBasket",
)  # fmt: skip
"""PASTURE's uncommon types: no sentence names them, and no pixel of theirs is learnt from."""

SAID: dict[str, tuple[str, ...]] = {
    "AlarmClock": ("alarm",), "ArmChair": ("armchair",), "Backpack": ("knapsack",), "BasketBall": ("basket ball",),
    "BathroomSink": ("bathroom basin",), "Bathtub": ("bath",), "Bookcase": ("book case",), "Bottle": ("water bottle",),
    "Box": ("cardboard box",), "CD": ("compact disc",), "CeilingLamp": ("lamp on the ceiling",),
    "CellPhone": ("mobile phone", "cellphone", "phone"), "Chair": ("dining chair",), "Cloth": ("rag",),
    "CoffeeMachine": ("coffee maker",), "CounterTop": ("countertop", "counter"), "Cup": ("tea cup",),
    "Curtains": ("window curtains",), "Desk": ("writing desk",), "DeskLamp": ("reading lamp",),
    "Desktop": ("desktop", "computer tower"), "DiningTable": ("dinner table",), "DishSponge": ("sponge",),
    "Dresser": ("drawer chest", "commode"), "Drill": ("drill",), "DrinkingGlass": ("drinking glass",),
    "Faucet": ("water faucet",), "Flashlight": ("pocket lamp",), "FloorLamp": ("standing lamp",),
    "Football": ("football",), "Fridge": ("fridge freezer",), "GameController": ("gamepad",),
    "GarbageBag": ("garbage bag",), "GarbageCan": ("trash can", "dustbin", "bin"), "HandTowel": ("small towel",),
    "Hat": ("cap",), "Headphones": ("headset",), "HousePlant": ("indoor plant", "houseplant"), "Jar": ("glass jar",),
    "Kettle": ("tea kettle",), "KeyChain": ("keys", "keychain"), "Keyboard": ("computer keyboard",),
    "KitchenSink": ("sink unit",), "Laptop": ("laptop computer",), "LaundryHamper": ("hamper",),
    "Microwave": ("microwave oven",), "MilkCarton": ("carton of milk",), "Monitor": ("computer screen",),
    "Mouse": ("mouse",), "Mug": ("coffee mug",), "Newspaper": ("paper",), "Nightstand": ("night table",),
    "OfficeChair": ("swivel chair",), "Painting": ("framed painting", "picture"), "Pan": ("frying pan",),
    "PaperTowelRoll": ("kitchen roll", "paper towel"), "PhotoFrame": ("framed photo",), "Pillow": ("bed pillow",),
    "Poster": ("wall poster",), "Pot": ("cooking pot",), "RangeHood": ("range hood",),
    "RemoteControl": ("tv controller",), "RoomDivider": ("room divider",), "RubiksCube": ("rubiks cube",),
    "Rug": ("floor rug",), "Shelf": ("shelf on the wall",), "Shoe": ("pair of shoes", "shoe"),
    "ShowerCabin": ("shower cabin",), "SideTable": ("end table",), "SoapBar": ("bar of soap",),
    "SoccerBall": ("soccerball",), "SodaCan": ("can of soda", "drink can"), "Sofa": ("settee",),
    "SprayBottle": ("spray",), "Statue": ("figurine",), "Stove": ("kitchen stove",), "TableLamp": ("bedside lamp",),
    "TeddyBear": ("stuffed bear", "teddy"), "Television": ("television set", "flat screen"),
    "TissueBox": ("box of tissues",), "Toilet": ("toilet bowl",), "ToiletPaper": ("toilet roll",),
    "ToothBrush": ("toothbrush",), "Towel": ("bath towel",), "TVStand": ("television stand",),
    "Umbrella": ("parasol",), "VacuumCleaner": ("vacuum",), "WallClock": ("wall clock",),
    "Wardrobe": ("clothes cupboard",), "WashingMachine": ("washer",), "Watch": ("wrist watch",),
}  # fmt: skip
"""Further names of types, beside the noun of the catalogue."""

KEPT: dict[str, tuple[str, ...]] = {
    "ArmChair": ("easy chair",), "Backpack": ("rucksack",), "BathroomSink": ("bathroom sink",), "Bathtub": ("tub",),
    "Bookcase": ("bookshelf",), "Box": ("carton",), "CeilingLamp": ("ceiling light",), "CellPhone": ("smartphone",),
    "CoffeeMachine": ("coffee brewer",), "Cup": ("teacup",), "Curtains": ("drapes",), "Dresser": ("dresser",),
    "DrinkingGlass": ("tumbler",), "Faucet": ("tap",), "Flashlight": ("torch",), "Fridge": ("refrigerator",),
    "GarbageCan": ("waste bin", "rubbish bin"), "HousePlant": ("potted plant",), "Laptop": ("notebook computer",),
    "LaundryHamper": ("laundry basket",), "Nightstand": ("bedside table",), "OfficeChair": ("desk chair",),
    "Painting": ("artwork",), "PhotoFrame": ("picture frame",), "Pillow": ("cushion",), "RemoteControl": ("remote",),
    "Rug": ("carpet",), "Shoe": ("sneakers",), "Sofa": ("couch",), "Statue": ("sculpture",), "Stove": ("cooker",),
    "TeddyBear": ("plush toy",), "Television": ("tv",), "Wardrobe": ("closet",), "WallClock": ("timepiece",),
}  # fmt: skip
"""Names never said in training."""

GROUPS: dict[str, tuple[str, ...]] = {
    "ball": ("BasketBall", "Football", "SoccerBall"),
    "board": ("CuttingBoard", "IroningBoard", "Skateboard"),
    "chair": ("ArmChair", "Chair", "OfficeChair"),
    "clock": ("AlarmClock", "WallClock"),
    "computer": ("Desktop", "Laptop"),
    "container": ("Basket", "Box", "GarbageCan", "LaundryHamper", "StorageBox"),
    "cutlery": ("ButterKnife", "Fork", "Knife", "Spoon"),
    "electronic device": (
        "CellPhone", "GameController", "Keyboard", "Laptop", "Monitor", "RemoteControl", "Speaker", "Television",
    ),
    "food": ("Bread", "Cake", "Cheese", "Donut", "Egg", "Pizza"),
    "fruit": ("Apple", "Banana", "Lemon", "Orange", "Pear"),
    "kitchen appliance": (
        "CoffeeMachine", "Dishwasher", "Fridge", "Kettle", "Microwave", "RangeHood", "Stove", "Toaster",
    ),
    "lamp": ("CeilingLamp", "DeskLamp", "FloorLamp", "LavaLamp", "TableLamp", "WallLamp"),
    "plant": ("Cactus", "FlowerPot", "HousePlant"),
    "seat": ("ArmChair", "Bench", "Chair", "OfficeChair", "Ottoman", "Sofa", "Stool"),
    "shelf": ("Bookcase", "Shelf", "ShelvingUnit"),
    "sink": ("BathroomSink", "KitchenSink", "Sink"),
    "sports thing": (
        "BaseballBat", "BasketBall", "Dumbbell", "Football", "Frisbee", "Skateboard", "SoccerBall", "TennisRacket",
        "YogaMat",
    ),
    "table": ("CoffeeTable", "ConsoleTable", "Desk", "DiningTable", "SideTable"),
    "tool": ("Drill", "Hammer", "Screwdriver", "Wrench"),
    "toy": ("RubberDuck", "RubiksCube", "TeddyBear", "ToyBlocks", "ToyCar", "ToyRobot"),
    "vegetable": ("Broccoli", "Carrot", "Lettuce", "Potato", "Tomato"),
    "vehicle on wheels": ("Cart", "Skateboard", "ToyCar"),
    "vessel to drink from": ("Cup", "DrinkingGlass", "Mug", "WineGlass"),
}  # fmt: skip
"""Words for several types at once: any of them fits."""

MATERIALS: dict[str, tuple[str, ...]] = {
    "cardboard": ("cardboard",), "ceramic": ("ceramic", "porcelain"), "fabric": ("fabric", "cloth"),
    "glass": ("glass",), "leather": ("leather",), "metal": ("metal", "metallic"), "paper": ("paper",),
    "plastic": ("plastic",), "rubber": ("rubber",), "stone": ("stone",), "wicker": ("wicker", "woven"),
    "wood": ("wooden", "wood"),
}  # fmt: skip
SIZES: dict[str, tuple[str, ...]] = {"small": ("small", "little"), "large": ("large", "big")}
STATES: dict[str, tuple[str, ...]] = {
    "open": ("open {}", "{} that is open", "opened {}"),
    "partly open": ("half open {}", "partly open {}"),
    "closed": ("closed {}", "shut {}", "{} that is closed"),
    "on": ("{} that is switched on", "{} that is on", "lit {}"),
    "off": ("{} that is switched off", "{} that is off"),
    "sliced": ("sliced {}", "{} cut into slices"),
    "dirty": ("dirty {}", "{} that is dirty"),
    "filled": ("filled {}", "full {}"),
    "broken": ("broken {}",),
}
ROOMS: dict[str, str] = {
    "Bathroom": "bathroom", "Bedroom": "bedroom", "DiningRoom": "dining room", "Hallway": "hallway",
    "Kitchen": "kitchen", "LivingRoom": "living room", "Office": "office",
}  # fmt: skip
RELATIONS: dict[str, tuple[str, ...]] = {
    "on": ("on", "on top of", "standing on", "lying on"),
    "in": ("in", "inside"),
    "under": ("under", "below", "underneath"),
    "near": ("near", "next to", "close to", "by"),
}
ARTICLES = ("the", "a", "the", "a", "")
FRAMES = (
    "{}", "{}", "{}", "a {}", "the {}", "find the {}", "go to the {}", "a picture of a {}", "a photo of a {}",
    "look for a {}", "where is the {}?", "there is a {}",
)  # fmt: skip
