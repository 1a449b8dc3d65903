"""``pentathlon train``: an encoder on frames, the image-text network on views, a policy of act, or an expert."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.events.pool_options import PoolOptions
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.policies.recipes import BcRecipe, DtRecipe, IqlRecipe, OfflineRecipe, VinnRecipe
from pentathlon.learning.pretraining.settings import ContrastiveSettings, MaeSettings
from pentathlon.learning.reinforcement.settings import DmcontrolExpertSettings, PenExpertSettings

if TYPE_CHECKING:
    from pentathlon.learning.pretraining.loop import Objective


@dataclass(frozen=True)
class PolicySettings(PoolOptions):
    """What every policy is trained on and with."""

    data: str
    """Dataset of act, such as act/pour-lite, or a folder that holds one."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for the policy; policies/<data>-<learner>-<features> when not given."""
    features: str = "moco-tiny"
    """Encoder of the pictures: a registered id, id@weights, or none for joints alone."""
    seeds: tuple[int, ...] = (0, 1, 2)
    """Training seeds, one policy each."""

    @property
    def learner(self) -> str:
        """The method's name on the command line."""
        return type(self).__name__.lower()

    @property
    def folder(self) -> Path:
        """Where the policy goes."""
        names = (Path(self.data).name, self.learner, self.features)
        return self.out or Path("policies") / "-".join(re.sub(r"[^A-Za-z0-9.]+", "-", name)[-40:] for name in names)


@dataclass(frozen=True)
class Bc(PolicySettings):
    """Behaviour cloning of action chunks; the defaults are the paper's."""

    recipe: BcRecipe = field(default_factory=BcRecipe)


@dataclass(frozen=True)
class Vinn(PolicySettings):
    """Nearest neighbours of the embedding."""

    recipe: VinnRecipe = field(default_factory=VinnRecipe)


@dataclass(frozen=True)
class Iql(PolicySettings):
    """Implicit Q-learning."""

    recipe: IqlRecipe = field(default_factory=IqlRecipe)


@dataclass(frozen=True)
class Dt(PolicySettings):
    """Decision transformer."""

    recipe: DtRecipe = field(default_factory=DtRecipe)


@dataclass(frozen=True)
class Train:
    """Train an encoder on frames (the same command again continues), an image-text network, a policy or an expert."""

    method: (
        Annotated[MaeSettings, tyro.conf.subcommand("mae")]
        | Annotated[ContrastiveSettings, tyro.conf.subcommand("contrastive")]
        | Annotated[ImageTextSettings, tyro.conf.subcommand("image-text")]
        | Annotated[Bc, tyro.conf.subcommand("bc")]
        | Annotated[Vinn, tyro.conf.subcommand("vinn")]
        | Annotated[Iql, tyro.conf.subcommand("iql")]
        | Annotated[Dt, tyro.conf.subcommand("dt")]
        | Annotated[DmcontrolExpertSettings, tyro.conf.subcommand("dmcontrol-expert")]
        | Annotated[PenExpertSettings, tyro.conf.subcommand("pen-expert")]
    )

    def run(self) -> int:
        """Trains and prints how to enter the result."""
        if isinstance(self.method, Bc | Vinn | Iql | Dt):
            return _train_policy(self.method, self.method.recipe)
        if isinstance(self.method, DmcontrolExpertSettings | PenExpertSettings):
            return _train_expert(self.method)
        if isinstance(self.method, ImageTextSettings):
            return _train_image_text(self.method)
        from pentathlon.learning.pretraining.loop import train

        encoder = train(_objective(self.method), self.method)
        print(f"Wrote {encoder}. Enter it as: trained@{encoder}")
        return 0


def _objective(settings: MaeSettings | ContrastiveSettings) -> Objective:
    from pentathlon.learning.pretraining.loop import default_device

    if isinstance(settings, MaeSettings):
        from pentathlon.learning.pretraining.mae import MaskedObjective

        return MaskedObjective(settings, default_device())
    from pentathlon.learning.pretraining.contrastive import ContrastiveObjective

    return ContrastiveObjective(settings, default_device())


def _train_image_text(settings: ImageTextSettings) -> int:
    from pentathlon.learning.detectors.report import measure_trained
    from pentathlon.learning.detectors.training import train

    weights = train(settings, say=lambda line: print(line, flush=True))
    measure_trained(weights, settings, say=lambda line: print(line, flush=True))
    print(f"Wrote {weights}.")
    return 0


def _train_expert(settings: DmcontrolExpertSettings | PenExpertSettings) -> int:
    if isinstance(settings, DmcontrolExpertSettings):
        from pentathlon.learning.reinforcement import train_dmcontrol

        train_dmcontrol.train_expert(settings)
    else:
        from pentathlon.learning.reinforcement import train_pen

        train_pen.train_expert(settings)
    print(f"Wrote {settings.out}.")
    return 0


def _train_policy(settings: PolicySettings, recipe: OfflineRecipe) -> int:
    from pentathlon.cli.events.runs import EventRuns
    from pentathlon.events.act.training import train_policy

    train_policy(
        settings.learner,
        recipe,
        settings.data,
        settings.features,
        settings.folder,
        seeds=settings.seeds,
        pool=settings.pool(EventRuns()),
        say=lambda line: print(line, flush=True),
    )
    print(f"Wrote {settings.folder}. Enter it as: policy@{settings.folder}")
    return 0
