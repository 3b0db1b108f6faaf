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
# Those of the figure of threads, one of each kind.
SCALED = [
    "sum of float64",
    "(a*b+c)/(b+1)",
    "filter half of 3 columns",
    "join 10 M with 1 M",
    "sort int64",
    "group by 1 M keys",
]
# Threads that the table has times of.
THREADS = (2, 16)
# Inches. A figure fills the screen of a phone, whose lines then have the size of text.
WIDTH = 5


def table_beside_others() -> str:
    """The part of performance.md beside other libraries, with what is said of its runs."""
    text = (DOCS / "performance.md").read_text().split("## Beside pandas, Polars and DuckDB", 1)[1]
    return text.split("\n## ", 1)[0]


def times(threads: int) -> dict[str, dict[str, float]]:
    """The milliseconds of every operation of the table beside other libraries, by library, and its floor."""
    rows = re.findall(r"^\|(.+)\|$", table_beside_others(), re.M)
    head = [cell.strip() for cell in rows[0].split("|")]
    floor = head.index(f"{threads} threads: floor")
    columns = {"floor": floor} | {name: floor + 1 + head[floor + 1 :].index(name) for name in PEERS}
    found = {}
    for row in rows[2:]:
        cells = [cell.strip() for cell in row.split("|")]
        if cells[0] == "" or len(cells) != len(head):
            break
        found[cells[0]] = {
            name: float(cells[at]) for name, at in columns.items() if re.fullmatch(r"[\d.]+", cells[at])
        }
    return found


def bandwidths() -> dict[int, float]:
    """GB/s of memcpy in the runs with each number of threads."""
    most, least = re.search(r"memcpy ([\d.]+) and ([\d.]+) GB/s", table_beside_others()).groups()
    return {16: float(most), 2: float(least)}


def draw_beside_others(axes: object, threads: int = 16) -> None:
    """Bars of the times of some operations by library, logarithmic."""
    measured = times(threads)
    height = 0.8 / len(PEERS)
    for number, peer in enumerate(PEERS):
        places = [row + (number - 1.5) * height for row in range(len(SHOWN))]
        values = [measured[name].get(peer, 0.0) for name in SHOWN]
        axes.barh(places, values, height, color=COLORS[peer], label=peer)
    axes.set_yticks(range(len(SHOWN)), SHOWN)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel(f"ms, 10 M rows, {threads} threads\n(less is better, logarithmic)")
    axes.legend(
        frameon=False, ncols=4, loc="upper right", bbox_to_anchor=(1, 1.1), columnspacing=0.8, handlelength=1
    )


def draw_scaling(axes: object) -> None:
    """Times of some operations with few and many threads, beside what more cores and more bandwidth can give."""
    measured = {threads: times(threads) for threads in THREADS}
    shades = ["#5b2a0c", "#b35a1f", "#e0a070", "#1f4e79", "#3f7fbf", "#6f9a3f"]
    for name, shade in zip(SCALED, shades, strict=True):
        values = [measured[threads][name]["Cuprum"] for threads in THREADS]
        axes.plot(THREADS, values, "o-", color=shade, label=f"{name}: {values[0] / values[1]:.1f} times")
    memory = bandwidths()
    start = 600.0
    for gain, style, label in (
        (THREADS[1] / THREADS[0], ":", "cores"),
        (memory[16] / memory[2], "--", "bandwidth of memcpy"),
    ):
        axes.plot(THREADS, [start, start / gain], style, color="#777", label=f"{label}: {gain:.1f} times")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(THREADS, [str(threads) for threads in THREADS])
    axes.set_yticks([1, 10, 100], ["1", "10", "100"])
    axes.minorticks_off()
    axes.set_xlabel("threads (measured with 2 and with 16)")
    axes.set_ylabel("ms, 10 M rows (logarithmic)")
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.45, -0.16), ncols=1)


def draw_roofline(axes: object, threads: int = 16) -> None:
    """The share of memory's bandwidth that operations reach: the floor in the time, and that of the faster peer."""
    measured = times(threads)
    names = sorted(
        measured, key=lambda name: measured[name]["floor"] / measured[name]["Cuprum"], reverse=True
    )
    ours = [100 * measured[name]["floor"] / measured[name]["Cuprum"] for name in names]
    theirs = [
        100
        * measured[name]["floor"]
        / min(measured[name][peer] for peer in ("Polars", "DuckDB") if peer in measured[name])
        for name in names
    ]
    axes.barh(range(len(names)), ours, 0.7, color=COLORS["Cuprum"], label="Cuprum")
    axes.plot(
        theirs,
        range(len(names)),
        "D",
        color=COLORS["Polars"],
        markersize=4,
        label="faster of Polars and DuckDB",
    )
    axes.axvline(100, color="#333", linewidth=1, label="floor: as fast as memcpy")
    axes.set_yticks(
        range(len(names)), [f"{name}  {measured[name]['floor']:.1f} ms" for name in names], fontsize=8
    )
    axes.invert_yaxis()
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(
        f"% of {bandwidths()[threads]:.0f} GB/s, {threads} threads;\nbeside the names: the floor", loc="right"
    )
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1))


# The files, what draws them, and their heights in inches.
FIGURES = {
    "beside-others": (draw_beside_others, 4.6),
    "scaling": (draw_scaling, 5.2),
    "roofline": (draw_roofline, 7.4),
}


def draw(folder: Path) -> None:
    """Draw all figures into a folder."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "cuprum", "font.size": 9, "font.family": "DejaVu Sans"})
    folder.mkdir(exist_ok=True)
    for name, (fill, height) in FIGURES.items():
        figure, axes = plt.subplots(figsize=(WIDTH, height))
        fill(axes)
        axes.spines[["top", "right"]].set_visible(False)
        figure.tight_layout()
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    draw(DOCS / "static")
