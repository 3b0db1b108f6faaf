"""Checks that arrows between the parts of Cuprum run downward only. Fails and prints the arrows that do not.

- A crate depends on crates below it, its tests too: `CRATES` has their order.
- The modules of a crate of `compute` (a family is a folder) import each other in no circle.
- Nothing in `column` but its own module knows Arrow.
- The files of a crate import each other in no circle; `CIRCLES` has the crates where they still do.

An import is a name in a `use` or a path. It counts for the file that defines the name, not for those that publish it
again; methods are not seen. Unit tests may import any file of their crate. Usage: layers.py [folder with the crates]
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

# The most files that import each other in circles, by crate; none where it is not named. Numbers only go down.
CIRCLES = {
    "compute/elements": 4,
    "compute/times": 3,
    "compute/keys": 4,
    "compute/elementwise": 5,
    "compute/aggregate": 2,
    "compute/relational": 2,
    "compute/windows": 2,
    "io": 3,
    "frame": 66,
    "python": 21,
}

# The place of a file in its crate: its module's path.
Module = tuple[str, ...]

NOT_CODE = re.compile(r"""(?s)//[^\n]*|/\*.*?\*/|\br(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\.|[^\\'])'""")
UNIT_TESTS = re.compile(r"(?m)^#\[cfg\((?:all\()?test\b[^\n]*\n(?:pub(?:\([a-z]+\))? )?mod \w+ \{")
USE = re.compile(r"(?m)^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
PATH = re.compile(r"(?<![\w:.])(\$?crate|[a-z_]\w*)((?:::\w+)+)")
DEFINITION = re.compile(
    r"(?<!['\w])(?:fn|struct|enum|union|trait|type|static|const(?!\s+(?:unsafe\s+)?fn))\s+(\w+)"
)
MACRO = re.compile(r"macro_rules!\s+(\w+)")


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


def leaves(tree: str) -> list[tuple[Module, str]]:
    """The paths of `a::{b, c::d as e}`, each with the name that it gets."""
    start, brace, rest = tree.partition("{")
    if not brace:
        path, _, name = tree.partition(" as ")
        parts = tuple(part.strip() for part in path.split("::"))
        if parts[-1] == "self":
            parts = parts[:-1]
        return [(parts, name.strip() or parts[-1])]
    prefix = tuple(part.strip() for part in start.split("::") if part.strip())
    found, depth, item = [], 0, ""
    for character in rest[: rest.rindex("}")] + ",":
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character != "," or depth:
            item += character
            continue
        if item.strip():
            # `self` is the name of what stands before the brace.
            inner = item.strip() if item.split()[0] != "self" else item.replace("self", prefix[-1], 1)
            before = prefix if inner == item.strip() else prefix[:-1]
            found += [(before + path, name) for path, name in leaves(inner)]
        item = ""
    return found


class Crate:
    """The files of a crate, without those of tests, and the names that they use of each other."""

    def __init__(self, source: Path) -> None:
        self.files: dict[Module, Path] = {}
        # By file: the code without imports; what it imports, as (is it published, path, name); names that it defines.
        self.code: dict[Module, str] = {}
        self.uses: dict[Module, list[tuple[bool, Module, str]]] = {}
        self.defined: dict[Module, set[str]] = {}
        self.macros: dict[str, Module] = {}
        for path in sorted(source.rglob("*.rs")):
            parts = path.relative_to(source).with_suffix("").parts
            if any("test" in part for part in parts):
                continue
            module = () if parts == ("lib",) else parts[:-1] if parts[-1] == "mod" else parts
            text = NOT_CODE.sub(lambda match: "" if match[0].startswith("/") else '""', path.read_text())
            text = UNIT_TESTS.split(text)[0]
            self.files[module] = path
            self.code[module] = USE.sub("", text)
            self.uses[module] = [
                (bool(use[1]), *leaf) for use in USE.finditer(text) for leaf in leaves(use[2])
            ]
            self.defined[module] = set(DEFINITION.findall(self.code[module]))
            self.macros.update(dict.fromkeys(MACRO.findall(text), module))

    def definer(self, module: Module, path: Module, seen: frozenset = frozenset()) -> Module | None:
        """The file that defines what `path` names in a file; none where that is of another crate, or a module."""
        if (module, path) in seen:
            return None
        seen |= {(module, path)}
        place, rest = module, path
        if path[0] in ("crate", "$crate"):
            place, rest = (), path[1:]
        elif path[0] in ("self", "super"):
            while rest and rest[0] in ("self", "super"):
                place, rest = place[: len(place) - (rest[0] == "super")], rest[1:]
        elif (*module, path[0]) not in self.files:
            return self.imported(module, path, seen)
        while rest and (*place, rest[0]) in self.files:
            place, rest = (*place, rest[0]), rest[1:]
        if not rest:
            return None
        if rest[0] == "*" or rest[0] in self.defined[place]:
            return place
        found = self.imported(place, rest, seen)
        if found is not None or any(name == rest[0] for _, _, name in self.uses[place]):
            return found
        # What is defined nowhere, a macro has made in its place.
        return self.macros.get(rest[0], place)

    def imported(self, module: Module, path: Module, seen: frozenset) -> Module | None:
        """[`definer`](self.definer) of a path that begins with a name that the file imports."""
        for _, used, name in self.uses[module]:
            if name == path[0]:
                return self.definer(module, used + path[1:], seen)
            if name == "*":
                found = self.definer(module, (*used[:-1], path[0]), seen)
                if found is not None and path[0] in self.defined[found]:
                    return found
        return None

    def arrows(self) -> dict[Module, set[Module]]:
        """The files that each file imports from."""
        arrows = {}
        for module, code in self.code.items():
            # What is published and not used is no import.
            words = set(re.findall(r"\w+", code))
            paths = [path for public, path, name in self.uses[module] if not public or name in words]
            paths += [(match[1], *match[2].split("::")[1:]) for match in PATH.finditer(code)]
            found = {self.definer(module, path) for path in paths}
            if "on_device!(" in code:
                # It calls functions of these two.
                found |= {(*module, "cpu"), (*module, "cuda")} & self.files.keys()
            arrows[module] = found - {None, module}
        return arrows


def circles(arrows: dict) -> list[list]:
    """The largest sets of nodes that all lead to each other, largest first: Tarjan's algorithm."""
    number, low, stack, found = {}, {}, [], []

    def visit(node: object) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(arrows[node]):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in arrows:
        if node not in number:
            visit(node)
    return sorted(found, key=len, reverse=True)


def module_circles(source: Path, arrows: dict[Module, set[Module]]) -> list[str]:
    """Modules at the top of a crate that import each other in a circle."""
    tops: dict[str, set[str]] = {}
    for module, below in arrows.items():
        if module:
            tops.setdefault(module[0], set()).update(
                name[0] for name in below if name and name[0] != module[0]
            )
    return [f"{source}: modules in a circle: {', '.join(circle)}" for circle in circles(tops)]


def file_circles(folder: str, arrows: dict[Module, set[Module]]) -> list[str]:
    """Circles of files of a crate that are larger than they may be, and numbers that could be less."""
    found = circles(arrows)
    allowed, largest = CIRCLES.get(folder, 0), len(found[0]) if found else 0
    if largest < allowed:
        return [
            f"{folder}: {largest} files are in a circle at most: write that in CIRCLES, which says {allowed}"
        ]
    name = "/".join
    return [
        f"{folder}: a circle of {len(circle)} files, {allowed} are allowed:\n"
        + "\n".join(
            f"  {name(a) or 'lib'} imports {', '.join(map(name, sorted(arrows[a] & set(circle))))}"
            for a in circle
        )
        for circle in found
        if len(circle) > allowed
    ]


def arrow_arrows(source: Path, arrows: dict[Module, set[Module]]) -> list[str]:
    """Modules of `column` that import `arrow`."""
    return [
        f"{source}: {'/'.join(module)} imports {'/'.join(below)}"
        for module, all_below in arrows.items()
        for below in all_below
        if module and module[0] != "arrow" and below[:1] == ("arrow",)
    ]


def main() -> int:
    """Prints what is wrong; 1 where something is."""
    crates = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    wrong = crate_arrows(crates)
    for folder in (folder for row in CRATES for folder in row):
        source = crates / folder / "src"
        arrows = Crate(source).arrows()
        wrong += file_circles(folder, arrows)
        if folder.startswith("compute/"):
            wrong += module_circles(source, arrows)
        if folder == "column":
            wrong += arrow_arrows(source, arrows)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
