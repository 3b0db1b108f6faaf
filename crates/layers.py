"""Checks that arrows between the parts of Cuprum run downward only. Fails and prints the arrows that do not.

- A crate depends on crates below it, its tests too: `CRATES` has their order.
- The modules of a crate of `compute` (a family is a folder) import each other in no circle.
- Nothing in `column` but its own module knows Arrow.

Unit tests may import any module of their crate. Usage: layers.py [folder with the crates]
"""

import re
import sys
import tomllib
from pathlib import Path

# Folders, from the ground up. What needs nothing of each other stands in a line.
CRATES = [
    ["runtime"],
    ["column"],
    ["testing"],
    ["compute/elements"],
    ["compute/times", "compute/keys"],
    ["compute/text"],
    ["compute/elementwise"],
    ["compute/aggregate"],
    ["compute/relational"],
    ["compute/lists"],
    ["compute/windows"],
    ["compute"],
    ["io"],
    ["frame"],
    ["python"],
]


def crate_arrows(crates: Path) -> list[str]:
    """Dependencies on crates that are not below, and crates that have no place in the order."""
    manifests = {path.parent: tomllib.loads(path.read_text()) for path in crates.rglob("Cargo.toml")}
    layer = {crates / folder: number for number, row in enumerate(CRATES) for folder in row}
    wrong = [
        f"{folder} has no place in the order of crates" for folder in sorted(manifests.keys() - layer.keys())
    ]
    below = {manifests[folder]["package"]["name"]: number for folder, number in layer.items()}
    for folder, manifest in manifests.items():
        for kind in ("dependencies", "dev-dependencies"):
            for name in manifest.get(kind, {}):
                # Floors under the shared parts of tests take these for their own.
                if name == "cuprum-testing" and kind == "dev-dependencies":
                    continue
                if below.get(name, -1) >= layer.get(folder, len(CRATES)):
                    wrong.append(f"crate {folder} depends on {name}")
    return wrong


def code(path: Path) -> str:
    """The text of a source file without comments, strings and unit tests."""
    text = re.sub(r"(?m)//.*$", "", path.read_text())
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text)
    return re.split(r"(?m)^#\[cfg\((?:all\()?test\b[^\n]*\n(?:pub(?:\([a-z]+\))? )?mod \w+ \{", text)[0]


def imports(text: str) -> set[str]:
    """The modules of its crate that a source names."""
    names = set()
    for match in re.finditer(r"\bcrate::(?:(\w+)|\{)", text):
        if match[1]:
            names.add(match[1])
            continue
        depth, item = 1, ""
        for character in text[match.end() :]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                break
            if depth == 1:
                item += character
        names.update(re.findall(r"(?:^|,)\s*(\w+)", item))
    return names


def modules(source: Path) -> dict[str, list[Path]]:
    """The files of every module at the top of a crate, without those of tests."""
    found: dict[str, list[Path]] = {}
    for path in sorted(source.rglob("*.rs")):
        relative = path.relative_to(source)
        if relative.name != "lib.rs" and not any("test" in part for part in relative.parts):
            found.setdefault(relative.parts[0].removesuffix(".rs"), []).append(path)
    return found


def circles(source: Path) -> list[str]:
    """Modules of a crate that import each other in a circle."""
    found = modules(source)
    arrows = {
        name: set().union(*(imports(code(path)) for path in paths)) & found.keys() - {name}
        for name, paths in found.items()
    }
    # What imports nothing that is left is in no circle.
    while free := {name for name, below in arrows.items() if not below & arrows.keys()}:
        arrows = {name: below for name, below in arrows.items() if name not in free}
    left = {name: below & arrows.keys() for name, below in arrows.items()}
    return [
        f"{source}: {name} is in a circle, or above one: it imports {', '.join(sorted(below))}"
        for name, below in left.items()
    ]


def arrow_arrows(source: Path) -> list[str]:
    """Modules of `column` that import `arrow`."""
    return [
        f"{path}: {name} imports arrow"
        for name, paths in modules(source).items()
        for path in paths
        if name != "arrow" and "arrow" in imports(code(path))
    ]


def main() -> int:
    """Prints what is wrong; 1 where something is."""
    crates = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    wrong = [
        *crate_arrows(crates),
        *(fault for source in sorted((crates / "compute").glob("*/src")) for fault in circles(source)),
        *arrow_arrows(crates / "column/src"),
    ]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
