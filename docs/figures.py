"""Draws the figures of the documentation from the tables of performance.md: `python docs/figures.py`."""

import re
from pathlib import Path

DOCS = Path(__file__).parent
PEERS = ["Cuprum", "Polars", "DuckDB", "pandas"]
COLORS = {"Cuprum": "#b35a1f", "Polars": "#3f7fbf", "DuckDB": "#c9a227", "pandas": "#9aa0a6"}
# The operations of the README's figure.
SHOWN = [
    "filter half with text",
    "sort int64",
    "sort text",
    "group by 1 M keys",
    "group by text",
    "join 10 M with 1 M",
    "contains, 2 M texts",
    "describe float64",
]


def times(threads: int) -> dict[str, dict[str, float]]:
    """The milliseconds of every operation of the table beside other libraries, by library."""
    text = (DOCS / "performance.md").read_text()
    table = text.split("## Beside pandas, Polars and DuckDB", 1)[1]
    rows = re.findall(r"^\|(.+)\|$", table.split("\n\n\n")[0], re.M)
    head = [cell.strip() for cell in rows[0].split("|")]
    first = head.index(f"{threads} threads: floor") + 1
    columns = {name: first + head[first:].index(name) for name in PEERS}
    found = {}
    for row in rows[2:]:
        cells = [cell.strip() for cell in row.split("|")]
        if cells[0] == "" or len(cells) != len(head):
            break
        found[cells[0]] = {
            name: float(cells[at]) for name, at in columns.items() if re.fullmatch(r"[\d.]+", cells[at])
        }
    return found


def draw(path: Path, threads: int = 16) -> None:
    """Bars of the times of some operations by library, logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "cuprum", "font.size": 9, "font.family": "DejaVu Sans"})
    measured = times(threads)
    figure, axes = plt.subplots(figsize=(8, 3.6))
    height = 0.8 / len(PEERS)
    for number, peer in enumerate(PEERS):
        places = [row + (number - 1.5) * height for row in range(len(SHOWN))]
        values = [measured[name].get(peer, 0.0) for name in SHOWN]
        axes.barh(places, values, height, color=COLORS[peer], label=peer)
    axes.set_yticks(range(len(SHOWN)), SHOWN)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel(f"milliseconds, 10 M rows, {threads} threads (less is better, logarithmic)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.4, 1.13))
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    draw(DOCS / "static" / "beside-others.svg")
