"""The documentation in a browser: `make test-docs`, with Debian's chromium and chromium-driver."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

SITE = Path(__file__).parents[1] / "target" / "docs"
BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"

# A page of the guide with a picture, and one of the reference.
PAGES = ["guide/plotting.html", "reference/made/dataframe-missing-data.html"]
NARROW = 400


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.binary_location = BROWSER
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(20)
    yield driver
    driver.quit()


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_whole_pictures_and_are_readable_on_a_narrow_screen(browser, address, page):
    metrics = {"width": NARROW, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(f"{address}/{page}")
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= NARROW, f"{page} is {width} wide"
    broken = browser.execute_script(
        "return [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)"
    )
    assert not broken
    if page == PAGES[0]:
        assert browser.execute_script("return document.images.length") > 0
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(("words", "page"), [("fillna", "missing"), ("spill", "memory")])
def test_search_finds_pages(browser, address, words, page):
    browser.get(f"{address}/search.html?q={words}")
    browser.find_element("css selector", f"#search-results li a[href*='{page}']")


def test_the_first_page_leads_to_every_part(browser, address):
    browser.get(f"{address}/index.html")
    titles = [card.text for card in browser.find_elements("css selector", ".sd-card-title")]
    assert {"Getting started", "User guide", "Reference", "Performance", "Rust", "Internals"} <= set(titles)
    browser.find_element("css selector", ".sd-card a[href*='guide']").send_keys("\n")
    assert "User guide" in browser.title


def test_rust_has_its_reference():
    assert (SITE / "rust" / "cuprum" / "index.html").exists()
