"""What type checkers know: the types of results, and mistakes that they find; and that what they know is true."""

import importlib
import inspect
import io
import os
import pathlib
import re
import runpy
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

import cuprum
import cuprum.typing
from cuprum.io import file_options

HERE = pathlib.Path(__file__).parent / "typed"
PROGRAM, MISTAKES = HERE / "program.py", HERE / "mistakes.py"


@pytest.fixture(scope="session")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str, str]]]:
    """What mypy says of both files: lines, codes and messages of errors."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("mypy")
    package = str(pathlib.Path(cuprum.__file__).parent.parent)
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--hide-error-context", "--no-pretty"]
    # Types of pandas' objects are those of its stubs, where there are some.
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            *options,
            "--disable-error-code=import-untyped",
            str(PROGRAM),
            str(MISTAKES),
        ],
        cwd=folder,
        env={**os.environ, "MYPYPATH": package},
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stdout + result.stderr
    errors: dict[str, list[tuple[int, str, str]]] = {"program.py": [], "mistakes.py": []}
    for line in result.stdout.splitlines():
        if match := re.match(r"(.*?):(\d+): error: (.*?)(?:  \[([\w-]+)\])?$", line):
            errors[pathlib.Path(match[1]).name].append((int(match[2]), match[4], match[3]))
    return errors


def test_results_have_types(found: dict[str, list[tuple[int, str, str]]]) -> None:
    assert PROGRAM.read_text().count("assert_type(") > 250
    assert found["program.py"] == []


def test_mistakes_are_found(found: dict[str, list[tuple[int, str, str]]]) -> None:
    lines = enumerate(MISTAKES.read_text().splitlines(), start=1)
    expected = {number: line.partition("  # ")[2] for number, line in lines if "  # " in line}
    assert len(expected) > 40
    assert {number: code for number, code, _ in found["mistakes.py"]} == expected


_KINDS: dict[Any, tuple[type, ...]] = {
    bool: (bool, np.bool_),
    int: (int, np.integer),
    float: (float, int, np.number),
    None: (type(None),),
}


def _check(value: Any, kind: Any) -> Any:
    """Do at run time what ``assert_type`` says."""
    if isinstance(kind, str):
        kind = eval(kind, vars(typing) | {"np": np})
    if kind is not Any:
        kinds = get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
        allowed = [known for one in kinds for known in _KINDS.get(one, (get_origin(one) or one,))]
        assert isinstance(value, tuple(allowed)), f"a {type(value).__name__} is declared as {kind}"
    return value


@pytest.mark.filterwarnings("ignore")
def test_types_of_results_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typing, "assert_type", _check)
    runpy.run_path(str(PROGRAM))


# Overloads beside what they are of.


def _overloaded() -> Iterator[tuple[Any, list[Any]]]:
    """Functions with their overloads."""
    folder = pathlib.Path(cuprum.__file__).parent
    for path in sorted([*folder.glob("core/**/*.py"), *folder.glob("io/**/*.py")]):
        if "@overload" not in path.read_text():
            continue
        name = ".".join(("cuprum", *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
        module = importlib.import_module(name)
        for holder in [module, *(kind for kind in vars(module).values() if isinstance(kind, type))]:
            for function in vars(holder).values():
                function = inspect.unwrap(function) if callable(function) else function
                is_own = inspect.isfunction(function) and function.__module__ == name
                if is_own and (overloads := typing.get_overloads(function)):
                    yield function, overloads


def _parameters(function: Any) -> set[str]:
    """The names of parameters, also of those that a dict of options stands for."""
    names = set()
    for name, parameter in inspect.signature(function).parameters.items():
        packed = re.fullmatch(r"Unpack\[(\w+)\]", str(parameter.annotation))
        known = vars(cuprum.typing) | vars(file_options)
        names |= set(known[packed[1]].__annotations__) if packed else {name}
    return names


def test_overloads_have_the_parameters_of_the_function() -> None:
    seen = 0
    for function, overloads in _overloaded():
        seen += 1
        own, declared = _parameters(function), set().union(*map(_parameters, overloads))
        assert own - {"kwargs"} <= declared or "kwargs" in declared, function.__qualname__
        assert declared <= own or "kwargs" in own, function.__qualname__
    assert seen > 60


# Choices beside what is accepted.

A = cuprum.DataFrame({"a": [1, 2, 2], "b": [1.0, 2.0, 4.0]})
B = cuprum.DataFrame({"a": [1, 2], "c": [3, 4]})
C = cuprum.Series(["1", "2"], name="c")
T = cuprum.Series([1, 2, 3], index=cuprum.date_range("2000", periods=3))

# Calls with each choice.
CALLS: dict[str, Callable[[Any], Any]] = {
    "AsofDirection": lambda x: cuprum.merge_asof(A, B, on="a", direction=x),
    "AvroCompression": lambda x: A.to_avro(compression=x),
    "Axis": lambda x: A.sum(axis=x),
    "BadLines": lambda x: cuprum.read_csv(b"a\n1\n", on_bad_lines=x),
    "ByRow": lambda x: A["a"].apply(abs, by_row=x),
    "Closed": lambda x: A["a"].between(1, 2, inclusive=x),
    "Convention": lambda x: T.resample("2D", convention=x).sum(),
    "CorrelationName": lambda x: A.corr(method=x),
    "CsvEngine": lambda x: cuprum.read_csv(b"a\n1\n", engine=x),
    "DateFormat": lambda x: A.to_json(date_format=x),
    "DictOrient": lambda x: A.to_dict(orient=x),
    "Downcast": lambda x: cuprum.to_numeric(C, downcast=x),
    "DropnaHow": lambda x: A.dropna(how=x),
    "DtypeBackend": lambda x: A.convert_dtypes(dtype_backend=x),
    "DuplicateEdges": lambda x: cuprum.cut(A["a"], [0, 1, 2], duplicates=x),
    "Engine": lambda x: A.query("a > 1", engine=x),
    "ErrorsCoerced": lambda x: cuprum.to_numeric(C, errors=x),
    "ErrorsIgnored": lambda x: A.drop(columns="a", errors=x),
    "FeatherCompression": lambda x: A.to_feather(compression=x),
    "FillMethod": lambda x: A.reindex([0, 1], method=x),
    "FloatPrecision": lambda x: cuprum.read_csv(b"a\n1\n", float_precision=x),
    "FromDictOrient": lambda x: cuprum.DataFrame.from_dict(A.to_dict("tight" if x == "tight" else "list"), x),
    "GroupEngine": lambda x: A.groupby("a").apply(len, engine=x),
    "HashMethod": lambda x: A.hash_values(method=x),
    "Interpolation": lambda x: A.quantile(0.5, interpolation=x),
    "JoinHow": lambda x: A.merge(B, how=x, **({} if x == "cross" else {"on": "a"})),
    "JsonOrient": lambda x: cuprum.read_json(io.StringIO(A.to_json(orient=x)), orient=x),
    "Justify": lambda x: A.to_string(justify=x),
    "JsonEngine": lambda x: A.to_json(engine=x),
    "JsonOrientWritten": lambda x: A.to_json(orient=x),
    "Keep": lambda x: A.drop_duplicates(keep=x),
    "KeepOfTop": lambda x: A.nlargest(2, "a", keep=x),
    "LimitArea": lambda x: A.interpolate(limit_area=x),
    "LimitDirection": lambda x: A.interpolate(limit_direction=x),
    "NaAction": lambda x: A["a"].map({1: 2}, na_action=x),
    "NaOption": lambda x: A.rank(na_option=x),
    "NaPosition": lambda x: A.sort_values("a", na_position=x),
    "OrcCompression": lambda x: A.to_orc(compression=x),
    "OrcEngine": lambda x: A.to_orc(engine=x),
    "OrderedHow": lambda x: cuprum.merge_ordered(A, B, on="a", how=x),
    "PadSide": lambda x: C.str.pad(3, side=x),
    "ParquetCompression": lambda x: A.to_parquet(compression=x),
    "ParquetEngine": lambda x: A.to_parquet(engine=x),
    "Parser": lambda x: A.query("a > 1", parser=x),
    "PeriodSide": lambda x: T.asfreq("D", how=x),
    "RankMethod": lambda x: A.rank(method=x),
    "ResultType": lambda x: A.apply(lambda row: [1, 2], axis=1, result_type=x),
    "RoundingHow": lambda x: A.round(how=x),
    "RowAxis": lambda x: A["a"].sum(axis=x),
    "Side": lambda x: T.resample("2D", closed=x, label=x).sum(),
    "SortKind": lambda x: A.sort_values("a", kind=x),
    "Statistics": lambda x: A.to_parquet(statistics=x),
    "TextCompression": lambda x: A.to_csv(io.BytesIO(), compression=x),
    "TimeUnit": lambda x: T.index.as_unit(x),  # type: ignore[attr-defined]
    "UnicodeForm": lambda x: C.str.normalize(x),
    "Validate": lambda x: B.merge(B, on="a", validate=x),
    "WindowRankMethod": lambda x: A.rolling(2).rank(method=x),
    "WriteMode": lambda x: A.to_csv(io.BytesIO() if "b" in x else io.StringIO(), mode=x),
}


def test_all_choices_are_called() -> None:
    assert CALLS.keys() == {name for name, kind in vars(cuprum.typing).items() if get_origin(kind) is Literal}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_choices_are_accepted_and_others_refused(name: str) -> None:
    for choice in get_args(vars(cuprum.typing)[name]):
        try:
            CALLS[name](choice)
        except ImportError as error:  # of a package that is not there
            assert str(choice) in str(error)
    if name != "DateFormat":  # pandas reads any other as "epoch"
        with pytest.raises((ValueError, TypeError, KeyError, NotImplementedError)):
            CALLS[name]("no such choice")
