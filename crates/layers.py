"""Checks that arrows between the parts of Cuprum run downward only. Fails and prints the arrows that do not.

- A crate depends on crates below it: the order is that of the table in CONTRIBUTING.md.
- The modules of `compute` (a family is a folder) import each other in no circle; the table at the head of
  crates/compute/src/lib.rs lists them, and a module imports those of lower layers only.
- Nothing in `column` but its own module knows Arrow.

Tests are no part of this: they may use whatever they need. Usage: layers.py [folder with the crates]
"""

import re
import sys
import tomllib
from pathlib import Path

CRATES = ["runtime", "column", "compute", "io", "frame", "python"]


def crate_arrows(crates: Path) -> list[str]:
    """Dependencies on crates that are not below."""
    wrong = []
    for folder in CRATES:
        manifest = tomllib.loads((crates / folder / "Cargo.toml").read_text())
        for name, dependency in manifest.get("dependencies", {}).items():
            below = name.removeprefix("cuprum-") if name.startswith("cuprum-") else None
            if name == "cuprum" or (isinstance(dependency, dict) and dependency.get("package") == "cuprum"):
                below = "frame"
            if below and (below not in CRATES or CRATES.index(below) >= CRATES.index(folder)):
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


def layers(lib: Path) -> dict[str, int]:
    """Module to layer, from the table under `# Layers`."""
    rows = re.findall(r"(?m)^//! \| (\d+) \| (.*) \|$", lib.read_text())
    return {name: int(layer) for layer, row in rows for name in re.findall(r"`(\w+)`", row)}


def module_arrows(source: Path) -> list[str]:
    """Imports of modules that are not on a lower layer, and modules on none."""
    order, found, wrong = layers(source / "lib.rs"), modules(source), []
    for name, paths in found.items():
        if name not in order:
            wrong.append(f"{name} is on no layer of {source / 'lib.rs'}")
            continue
        for path in paths:
            for other in sorted(imports(code(path)) & found.keys() - {name}):
                if order.get(other, -1) >= order[name]:
                    there = f"{other} (layer {order.get(other)})"
                    wrong += [f"{path}: {name} (layer {order[name]}) imports {there}"]
    wrong += [
        f"{source / 'lib.rs'} has {name} on a layer, which is no module"
        for name in order.keys() - found.keys()
    ]
    return wrong


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
        *module_arrows(crates / "compute/src"),
        *arrow_arrows(crates / "column/src"),
    ]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
