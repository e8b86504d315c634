"""Elements of an SVG as escaped text."""

from __future__ import annotations

from markupsafe import Markup, escape

Attribute = str | float | int | None


def tag(name: str, *children: Markup | str, **attributes: Attribute) -> Markup:
    """One element. `class_` gives `class`, `stroke_width` gives `stroke-width`; None leaves an attribute out."""
    text = "".join(f' {_key(key)}="{escape(_value(value))}"' for key, value in attributes.items() if value is not None)
    inside = Markup("").join(children)
    return Markup(f"<{name}{text}>{inside}</{name}>") if children else Markup(f"<{name}{text}/>")


def number(value: float) -> str:
    """A number with at most two decimals and no needless zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _key(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float | int) -> str:
    return number(value) if isinstance(value, float) else str(value)
