"""Phones of a test: the host's, those that sit, those that only watch."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from tests.web.web_fixtures import HOME


def host(client: FlaskClient) -> FlaskClient:
    """This phone, as the host: the first that opens a page is."""
    assert "This phone is the host" in client.get("/host").get_data(as_text=True)
    return client


def sit(client: FlaskClient, seat: int) -> FlaskClient:
    """This phone, at a seat that is free."""
    answer = client.post("/sit", data={"seat": str(seat)}, headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    return client


def phone_at(app: Flask, address: str) -> FlaskClient:
    """Another phone, from this address."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client
