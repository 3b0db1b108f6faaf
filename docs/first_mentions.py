"""Links from pages to the reference: the first mention of a function on a page leads to its entry.

A mention is inline code: `merge`, `DataFrame.merge`, `str.upper`, `cuprum.concat(…)`. Pages stay readable elsewhere, and
no link has to be kept right by hand.
"""

import re

from docutils import nodes
from reference_pages import Entry, written_entries
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

# Pages whose words are linked.
PAGES = re.compile(r"guide/|gallery/|ten-minutes$|coming-from-")
# Classes in which names without a class are looked up first, by page.
SUBJECTS = {
    "guide/categories": ["cuprum.Series.cat"],
    "guide/group-by": ["cuprum.api.typing.DataFrameGroupBy", "cuprum.api.typing.SeriesGroupBy"],
    "guide/nested-data": ["cuprum.Series.list"],
    "guide/text": ["cuprum.Series.str"],
    "guide/times": ["cuprum.Series.dt"],
    "guide/windows": ["cuprum.api.typing.Rolling", "cuprum.api.typing.ExponentialMovingWindow"],
}
CLASSES = ["cuprum.DataFrame", "cuprum.Series", "cuprum", "cuprum.api.typing", "cuprum.cuda", "cuprum.rmm"]
INDEXERS = ("loc", "iloc", "at", "iat")
# Methods whose names are those of arguments, which pages mean.
ARGUMENTS = ("keys",)
MENTION = re.compile(r"(?:cp\.|cuprum\.|\.)?((?:\w+\.)*[A-Za-z_]\w*)(?:\(.*\))?")


def entry_of(text: str, page: str, entries: dict[str, Entry] = written_entries) -> Entry | None:
    """The entry that inline code of a page means."""
    match = MENTION.fullmatch(text)
    if not match:
        return None
    name, of_package = match[1], text.startswith(("cp.", "cuprum."))
    places = ["cuprum"] if of_package else [*SUBJECTS.get(page, []), *CLASSES]
    if "." in name and not of_package:
        places += ["cuprum.Series", "cuprum.api.typing"]
    found = (entries.get(f"{place}.{name}") for place in places)
    made = next((made for made in found if made), None)
    # A word such as `index` or `size` may be many things: an attribute is named with its class.
    unclear = (
        made and "." not in name and ((made.kind == "property" and name not in INDEXERS) or name in ARGUMENTS)
    )
    return None if unclear else made


class LinkFirstMentions(SphinxTransform):
    """Makes references of the inline code that names an entry."""

    default_priority = 700

    def apply(self, **_: object) -> None:
        """Link the mentions of one page."""
        page = self.env.docname
        if not PAGES.match(page):
            return
        seen = set()
        for literal in list(self.document.findall(nodes.literal)):
            made = entry_of(literal.astext(), page)
            inside = literal.parent
            while inside is not None and not isinstance(
                inside, (nodes.reference, nodes.title, addnodes.pending_xref)
            ):
                inside = inside.parent
            if made is None or inside is not None or made.path in seen:
                continue
            seen.add(made.path)
            link = addnodes.pending_xref(
                "", refdomain="py", reftype="obj", reftarget=made.path, refexplicit=True, refwarn=True
            )
            literal.replace_self(link)
            link += literal


class IndexKeywords(SphinxTransform):
    """Puts the keywords at the head of a page into the index, where the search finds whole phrases."""

    default_priority = 800

    def apply(self, **_: object) -> None:
        """Put those of one page there."""
        metas = self.document.findall(nodes.meta)
        keywords = next((meta["content"] for meta in metas if meta.get("name") == "keywords"), "")
        section = next(self.document.findall(nodes.section), None)
        if not keywords or section is None:
            return
        entries = [("single", word.strip(), section["ids"][0], "main", None) for word in keywords.split(",")]
        section.insert(1, addnodes.index(entries=entries))
