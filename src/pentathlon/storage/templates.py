"""Opens the page templates that lie in a package."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def open_templates(package: str) -> Environment:
    """Opens a package's folder ``templates``: text is escaped, unknown names are refused, blocks leave no line."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
