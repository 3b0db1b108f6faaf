"""The configuration of the documentation site: `make docs`."""

import os
import re
import sys
import tomllib
from pathlib import Path

from sphinx import addnodes
from sphinx.transforms import SphinxTransform

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS))

import figures  # noqa: E402
import first_mentions  # noqa: E402
import reference_pages  # noqa: E402
import see_also  # noqa: E402

project = "Cuprum"
author = "The Cuprum developers"
copyright = author
release = version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
]
suppress_warnings = [
    # Notes begin with the second level, tables of versions with none.
    "myst.header",
    # Programs of other tools than Pygments knows.
    "misc.highlighting_failure",
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
# Errors that a page shows are their last line, not the paths of this machine.
IPYTHON = ROOT / "target" / "ipython" / "profile_default"
IPYTHON.mkdir(parents=True, exist_ok=True)
(IPYTHON / "ipython_config.py").write_text('c.InteractiveShell.xmode = "Minimal"\n')  # get_config's `c`
os.environ["IPYTHONDIR"] = str(IPYTHON.parent)

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
add_module_names = True
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "Cuprum"
html_static_path = ["static"]
html_css_files = ["narrow.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "logo": {"text": "Cuprum"},
}

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

reference_pages.write(DOCS / "reference")
figures.draw(DOCS / "static")

# A link to a folder of the repository, which no page shows: its name stays as text.
FOLDER = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)#]+/\)")
# Documents of the repository's root that are pages here.
PAGES = {
    "CHANGELOG.md": "about/release-notes.md",
    "CONTRIBUTING.md": "develop/contributing.md",
    "SECURITY.md": "about/security.md",
    "README.md": "index.md",
}
ROOT_PAGE = re.compile(r"\]\((?:\.\./)+(" + "|".join(map(re.escape, PAGES)) + r")")


def adapt_links(app: object, name: str, source: list[str]) -> None:
    """Links of pages that are also read in the repository."""
    up = "../" * name.count("/")
    text = FOLDER.sub(r"\1", source[0])
    source[0] = ROOT_PAGE.sub(lambda match: f"]({up}{PAGES[match[1]]}", text)


def adapt_included(app: object, path: Path, parent: str, source: list[str]) -> None:
    """Links of the documents in the repository's root, which pages one folder down include."""
    text = FOLDER.sub(r"\1", source[0]).replace("](docs/", "](../")
    for document, page in PAGES.items():
        text = text.replace(f"]({document}", f"](../{page}")
    source[0] = text


def add_see_also(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Names of pandas' docstrings that lead to entries of ours."""
    see_also.add(name, lines, reference_pages.written_entries)


class FullNames(SphinxTransform):
    """Headings of entries with the name by which a user reaches them: Sphinx leaves out the module of methods."""

    default_priority = 700

    def apply(self, **_: object) -> None:
        """Complete the headings of one page."""
        for signature in self.document.findall(addnodes.desc_signature):
            module, shown = signature.get("module"), signature.next_node(addnodes.desc_addname)
            if module and shown is not None and not shown.astext().startswith(f"{module}."):
                shown.replace_self(addnodes.desc_addname("", f"{module}.{shown.astext()}"))


def setup(app: object) -> None:
    """Connects what adapts links and adds them."""
    # Before numpydoc, which reads the sections.
    app.connect("autodoc-process-docstring", add_see_also, priority=400)
    app.add_transform(first_mentions.LinkFirstMentions)
    app.add_transform(first_mentions.IndexKeywords)
    app.add_transform(FullNames)
    app.connect("source-read", adapt_links)
    app.connect("include-read", adapt_included)
