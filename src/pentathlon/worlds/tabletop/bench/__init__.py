"""The bench: table, vessels, grains, tools and light."""
