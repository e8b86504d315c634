"""The way in for other phones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from web.house import house_of
from web.reach import address_for_others, reachable


def test_the_page_shows_the_address_as_a_code_and_says_that_it_is_not_encrypted(client: FlaskClient) -> None:
    page = client.get("/invite", headers={"Host": "192.168.1.7:8080"}).get_data(as_text=True)
    assert "http://192.168.1.7:8080/" in page
    assert "<path" in page
    assert "not encrypted" in page
    assert " style=" not in page
    assert '<a href="/invite">' in client.get("/").get_data(as_text=True)


def test_the_fingerprint_of_the_certificate_stands_beside_the_code(client: FlaskClient) -> None:
    replace(house_of(client.application), fingerprint="AB:CD").add_to(client.application)
    page = client.get("/invite", base_url="https://table.local").get_data(as_text=True)
    assert "<code>AB:CD</code>" in page
    assert "https://table.local/" in page
    assert "not encrypted" not in page


@pytest.mark.parametrize(("host", "port", "address"), [
    ("192.168.1.7", "8080", "http://192.168.1.7:8080/"), ("fd00::7", "8080", "http://[fd00::7]:8080/"),
    ("table.local", "", "http://table.local/"),
])
def test_other_phones_get_the_address_that_this_one_uses(host: str, port: str, address: str) -> None:
    assert address_for_others("http", host, port) == address


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_an_address_that_only_this_machine_has_is_not_given_to_others(host: str) -> None:
    assert address_for_others("http", host, "8080") == f"http://{reachable('')}:8080/"
