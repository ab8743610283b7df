"""Shell. What makes a body a page: style, and a script that nothing else may join."""

import base64
import hashlib
from importlib import resources

from quiesce.lab.report.markup import Html, html


def resource(name: str) -> str:
    """A file beside this one."""
    return resources.files("quiesce.lab.reviewpages").joinpath(name).read_text(encoding="utf-8")


def document(title: str, body: Html, script: str = "") -> str:
    """A page that loads nothing; of scripts only this one may run."""
    style = resources.files("quiesce.lab.report").joinpath("style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = "default-src 'none'; style-src 'unsafe-inline'" + (f"; script-src 'sha256-{digest}'" if script else "")
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{html(policy)}">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{html(title)}</title>",
            f"<style>\n{style}{resource('page.css')}</style></head>",
            f"<body>{body}" + (f"<script>{script}</script>" if script else "") + "</body></html>\n",
        )
    )
