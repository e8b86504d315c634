"""Tests of the pages in a real browser, with the desk, the tables and the browser of tests/web."""

from tests.web.web_fixtures import app, chromium, desk, panel, phone, served

__all__ = ["app", "chromium", "desk", "panel", "phone", "served"]
