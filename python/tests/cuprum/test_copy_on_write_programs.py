"""Random programs of copies, slices, writes and exposures against lists of Python.

In both modes of copy-on-write, with and without spilling.
"""

import gc

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import cuprum
from cuprum import DataFrame, Series
from cuprum.core.buffer import get_global_manager

pytestmark = pytest.mark.host

NUMBERS = st.one_of(st.none(), st.integers(-5, 5))
TEXTS = st.one_of(st.none(), st.sampled_from(["", "a", "ä", "long enough to matter"]))
FIXED = ("a", "b")
TEXT = "t"


class Cell:
    """The elements of a column; those who see each other's writes have one between them."""

    def __init__(self, values, kind):
        self.values, self.kind = list(values), kind


def plain(series):
    """The elements with None for what is missing."""
    return [
        None if missing else value
        for value, missing in zip(series.to_list(), series.isna().to_list(), strict=True)
    ]


class Programs(RuleBasedStateMachine):
    """Frames (and series, which are frames of one column) beside their models: cells under labels."""

    mode = None
    spilling = False

    def __init__(self):
        super().__init__()
        cuprum.set_option("copy_on_write", self.mode, "spill", self.spilling)
        if self.spilling:
            # About two columns: nearly every access moves something.
            cuprum.set_option("spill_device_limit", 100)
        self.objects = []

    def teardown(self):
        cuprum.set_option("copy_on_write", False, "spill", False, "spill_device_limit", None)

    def choose(self, data):
        return data.draw(st.sampled_from(self.objects), label="object")

    def add(self, made, cells):
        self.objects.append((made, cells))

    def label(self, data, item, among=("a", "b", "t")):
        return data.draw(st.sampled_from([label for label in item[1] if label in among]), label="label")

    @initialize(data=st.data())
    def begin(self, data):
        self.make(data)

    @rule(data=st.data())
    def make(self, data):
        rows = data.draw(st.integers(1, 6), label="rows")
        numbers = data.draw(st.lists(NUMBERS, min_size=rows, max_size=rows))
        texts = data.draw(st.lists(TEXTS, min_size=rows, max_size=rows))
        cells = {"a": Cell(numbers, "int64"), "b": Cell(range(rows), "float64"), "t": Cell(texts, "str")}
        if data.draw(st.booleans(), label="frame"):
            self.add(DataFrame({k: Series(c.values, dtype=c.kind) for k, c in cells.items()}), cells)
        else:
            label = data.draw(st.sampled_from(["a", "t"]))
            self.add(Series(cells[label].values, dtype=cells[label].kind, name=label), {label: cells[label]})

    @rule(data=st.data())
    def copy(self, data):
        made, cells = self.choose(data)
        deep = data.draw(st.booleans(), label="deep")
        alone = deep or self.mode
        self.add(
            made.copy(deep=deep),
            {k: Cell(c.values, c.kind) if alone or c.kind == "str" else c for k, c in cells.items()},
        )

    @rule(
        data=st.data(), start=st.integers(0, 2), how=st.sampled_from(["iloc", "head", "loc", "column", "all"])
    )
    def part(self, data, start, how):
        made, cells = self.choose(data)
        kept = slice(start, None)
        if how == "iloc":
            part = made.iloc[start:]
        elif how == "loc":
            part = made.loc[start:]
        elif how == "head":
            kept, part = slice(0, start + 1), made.head(start + 1)
        elif how == "column" and isinstance(made, DataFrame):
            label = self.label(data, (made, cells))
            kept, part, cells = slice(None), made[label], {label: cells[label]}
        else:
            kept, part = slice(None), made[:]
        values = {k: Cell(c.values[kept], c.kind) for k, c in cells.items()}
        if len(part):
            part = part.reset_index(drop=True)
            self.add(part, values)

    @rule(data=st.data(), count=st.integers(1, 3))
    def write(self, data, count):
        item = made, cells = self.choose(data)
        label = self.label(data, item)
        cell = cells[label]
        rows = [data.draw(st.integers(0, len(cell.values) - 1)) for _ in range(count)]
        new = [data.draw(TEXTS if cell.kind == "str" else NUMBERS) for _ in rows]
        if len(set(new)) == 1:
            new_value = new[0]
        else:
            new_value = (
                Series(new, dtype=cell.kind).values
                if None not in new
                else Series(new, dtype=cell.kind, index=rows)
            )
            if isinstance(new_value, Series) and len(set(rows)) < count:
                return
        if isinstance(made, Series):
            made.loc[rows] = new_value
        else:
            made.loc[rows, label] = new_value
        for row, value in zip(rows, new, strict=True):
            cell.values[row] = value

    @rule(data=st.data())
    def write_half(self, data):
        """A value that integers have no room for: they refuse it, and nobody sees anything of it."""
        item = made, cells = self.choose(data)
        if not any(label in FIXED for label in cells):
            return
        label = self.label(data, item, FIXED)
        cell = cells[label]
        row = data.draw(st.integers(0, len(cell.values) - 1))

        def write():
            if isinstance(made, Series):
                made.iloc[row] = 0.5
            else:
                made.loc[row, label] = 0.5

        if cell.kind == "int64":
            with pytest.raises(TypeError, match="invalid value"):
                write()
            return
        write()
        cell.values[row] = 0.5

    @rule(data=st.data())
    def fill(self, data):
        made, cells = self.choose(data)
        fills = {k: 3 for k in cells if k in FIXED}
        if isinstance(made, DataFrame):
            made.fillna(fills, inplace=True)
        elif fills:
            made.fillna(3, inplace=True)
        for label in fills:
            cells[label].values[:] = [3 if v is None else v for v in cells[label].values]

    @rule(data=st.data())
    def hide(self, data):
        item = made, cells = self.choose(data)
        if isinstance(made, DataFrame) or "t" in cells:
            return
        label = self.label(data, item)
        made.mask(made > 2, inplace=True)
        cells[label].values[:] = [None if v is not None and v > 2 else v for v in cells[label].values]

    @rule(data=st.data())
    def replace_column(self, data):
        item = made, cells = self.choose(data)
        if isinstance(made, Series):
            return
        label = self.label(data, item)
        kind, length = cells[label].kind, len(made)
        values = data.draw(st.lists(TEXTS if kind == "str" else NUMBERS, min_size=length, max_size=length))
        made[label] = Series(values, dtype=kind)
        cells[label] = Cell(values, kind)

    @rule(data=st.data())
    def sort(self, data):
        item = made, cells = self.choose(data)
        label = self.label(data, item)
        if any(v is None for v in cells[label].values):
            return
        order = sorted(range(len(made)), key=lambda i: cells[label].values[i], reverse=True)
        if isinstance(made, DataFrame):
            made.sort_values(label, ascending=False, inplace=True, ignore_index=True)
        else:
            made.sort_values(ascending=False, inplace=True, ignore_index=True)
        for k, c in list(cells.items()):
            cells[k] = Cell([c.values[i] for i in order], c.kind)

    @rule(data=st.data())
    def expose(self, data):
        item = made, _cells = self.choose(data)
        label = self.label(data, item)
        column = made if isinstance(made, Series) else made[label]
        data.draw(
            st.sampled_from([column.to_arrow, column.to_numpy, column.data.mark_exposed]), label="how"
        )()

    @precondition(lambda self: self.mode)
    @rule(data=st.data())
    def write_from_outside(self, data):
        """Who has the address of exposed memory writes to one object alone."""
        made, cells = self.choose(data)
        if isinstance(made, DataFrame) or "a" not in cells or cells["a"].kind != "int64":
            return
        array = np.asarray(made.data).view("int64")
        row = data.draw(st.integers(0, len(array) - 1))
        array[row] = 4
        if cells["a"].values[row] is not None:
            cells["a"].values[row] = 4

    @precondition(lambda self: self.spilling)
    @rule(size=st.integers(1, 1000))
    def spill(self, size):
        get_global_manager().spill_device_memory(size)

    @precondition(lambda self: len(self.objects) > 6)
    @rule(data=st.data())
    def forget(self, data):
        del self.objects[data.draw(st.integers(0, len(self.objects) - 1))]
        gc.collect(0)

    @invariant()
    def agrees(self):
        for made, cells in self.objects:
            for label, cell in cells.items():
                column = made if isinstance(made, Series) else made[label]
                assert str(column.dtype) == cell.kind
                assert plain(column) == cell.values
                assert column.isna().sum() == sum(v is None for v in cell.values)


class WithCopyOnWrite(Programs):
    mode = True


class WithoutCopyOnWrite(Programs):
    mode = False


class WithCopyOnWriteAndSpilling(WithCopyOnWrite):
    spilling = True


class WithoutCopyOnWriteAndWithSpilling(WithoutCopyOnWrite):
    spilling = True


for case in (
    WithCopyOnWrite,
    WithoutCopyOnWrite,
    WithCopyOnWriteAndSpilling,
    WithoutCopyOnWriteAndWithSpilling,
):
    case.TestCase.settings = settings(stateful_step_count=40)

TestWithCopyOnWrite = WithCopyOnWrite.TestCase
TestWithoutCopyOnWrite = WithoutCopyOnWrite.TestCase
TestWithCopyOnWriteAndSpilling = WithCopyOnWriteAndSpilling.TestCase
TestWithoutCopyOnWriteAndWithSpilling = WithoutCopyOnWriteAndWithSpilling.TestCase
