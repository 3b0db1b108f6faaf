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

# Pages with pictures, and one of the reference with its table of names, long ones of accessors, and settings.
WITH_PICTURES = ["guide/plotting.html", "performance.html"]
PAGES = [
    *WITH_PICTURES,
    "reference/index.html",
    "reference/made/dataframe-missing-data.html",
    "reference/made/series-str.html",
    "reference/made/settings.html",
]
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
    if page in WITH_PICTURES:
        assert browser.execute_script("return document.images.length") > 0
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(("words", "page"), [("fillna", "missing"), ("spill", "memory")])
def test_search_finds_pages(browser, address, words, page):
    browser.get(f"{address}/search.html?q={words}")
    browser.find_element("css selector", f"#search-results li a[href*='{page}']")


# What somebody may call it, and the page that says it; whole phrases, and names of other libraries.
SYNONYMS = {
    "group by": "guide/group-by",
    "groupby": "guide/group-by",
    "left join": "guide/joins",
    "fill nulls": "guide/missing-values",
    "null": "guide/missing-values",
    "value counts": "guide/group-by",
    "UDF": "guide/expressions",
    "to arrow": "guide/machine-learning",
    "window function": "guide/windows",
    "melt": "guide/reshaping",
    "unpivot": "guide/reshaping",
    "environment variables": "reference/made/settings",
}


@pytest.mark.parametrize(("words", "page"), SYNONYMS.items())
def test_search_knows_other_words_and_names_the_right_page_first(browser, address, words, page):
    browser.get(f"{address}/search.html?q={words}")
    first = browser.find_element("css selector", "#search-results li a").get_attribute("href")
    assert f"/{page}.html" in first


@pytest.mark.parametrize(
    "name", ["Series.str.upper", "Series.dt.year", "Series.cat.codes", "Series.list.len"]
)
def test_accessors_have_the_names_that_users_write(browser, address, name):
    page = f"reference/made/{'-'.join(name.lower().split('.')[:2])}.html"
    browser.get(f"{address}/{page}#cuprum.{name}")
    heading = browser.find_element("id", f"cuprum.{name}").text
    assert heading.removeprefix("property ").startswith(f"cuprum.{name}")
    assert "cuprum.core." not in browser.find_element("css selector", "article").text
    browser.get(f"{address}/search.html?q={name.lower()}")
    browser.find_element("css selector", f"#search-results li a[href*='#cuprum.{name}']")


def test_pages_of_the_reference_begin_with_a_table_of_their_names(browser, address):
    browser.get(f"{address}/reference/made/dataframe-missing-data.html")
    rows = browser.find_elements("css selector", "table.names tr")
    entries = browser.find_elements("css selector", "dl.py dt.sig")
    assert len(rows) == len(entries) > 5
    links = [row.find_element("css selector", "a").get_attribute("href") for row in rows]
    assert [link.partition("#")[2] for link in links] == [entry.get_attribute("id") for entry in entries]
    assert all(row.find_elements("css selector", "td")[1].text for row in rows)
    browser.get(f"{address}/reference/index.html")
    assert all(
        row.find_elements("css selector", "td")[1].text
        for row in browser.find_elements("css selector", "table.names tr")
    )


def test_entries_and_guides_lead_to_entries(browser, address):
    browser.get(f"{address}/reference/made/dataframe-missing-data.html")
    links = browser.find_elements("css selector", ".seealso a[href$='#cuprum.DataFrame.dropna']")
    assert links
    browser.get(f"{address}/guide/missing-values.html")
    found = browser.find_elements("css selector", "article p a[href$='#cuprum.DataFrame.fillna']")
    assert len(found) == 1  # the first mention alone


def test_the_first_page_leads_to_every_part(browser, address):
    browser.get(f"{address}/index.html")
    titles = [card.text for card in browser.find_elements("css selector", ".sd-card-title")]
    assert {"Getting started", "User guide", "Reference", "Performance", "Rust", "Internals"} <= set(titles)
    browser.find_element("css selector", ".sd-card a[href*='guide']").send_keys("\n")
    assert "User guide" in browser.title


def test_rust_has_its_reference():
    assert (SITE / "rust" / "cuprum" / "index.html").exists()
