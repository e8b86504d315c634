from tests.web.web_fixtures import app, chromium, client, desk, panel, phone, served

__all__ = ["app", "chromium", "client", "desk", "panel", "phone", "served"]
