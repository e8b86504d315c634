"""The way in for other phones: the address as a QR code, and by what they know that it is this companion."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, render_template, request
from markupsafe import Markup

from web.house import house
from web.reach import address_for_others
from web.view_model import PageView

blueprint = Blueprint("invite", __name__)


@blueprint.get("/invite")
def invite() -> str:
    """The page with the QR code."""
    import segno  # a tenth of a page's time, and this page is rarely asked for

    parts = urlsplit(f"//{request.host}")
    address = address_for_others(request.scheme, parts.hostname or "", str(parts.port or ""))
    code = Markup(segno.make(address, micro=False).svg_inline(scale=6, border=4, light="white", omitsize=True))
    return render_template(
        "invite.html", view=PageView(house().desk.snapshot(), house().words), address=address, code=code,
        fingerprint=house().fingerprint)
