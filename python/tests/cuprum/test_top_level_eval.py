"""`eval` of a text beside pandas."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like
from small_frames import times_and_durations

import cuprum

A = pd.DataFrame({"x": [1, 2, 3], "y": [4.0, 5.0, 6.0]})
B = pd.DataFrame({"x": [10, 20, 30], "y": [0.5, 1.5, 2.5]})
S = pd.Series([3, 1, 2], name="s")
FLAGS = pd.Series([True, False, True])


@pytest.mark.parametrize(
    "text",
    [
        "a + b",
        "a + b * 2 - -a",
        "a.x // 2 + b.y % 2",
        "a > 1 & b < 30",
        "a.x > 1 | s == 3",
        "(a.x > 1) and (s < 3)",
        "not flags",
        "~flags | flags",
        "1 < s <= 3",
        "s in [1, 2]",
        "s not in [1, 2]",
        "s == [1, 3]",
        "a.x.sum() + 1",
        "a['x'] ** 2",
        "a.x[1:]",
        "1 + 2",
        "s + unknown_here",
        "-s",
    ],
)
def test_expressions(text):
    names = {"unknown_here": 5}
    theirs = pd.eval(text, local_dict=names | {"a": A, "b": B, "s": S, "flags": FLAGS}, engine="python")
    mine = {
        "a": cuprum.DataFrame(A),
        "b": cuprum.DataFrame(B),
        "s": cuprum.Series(S),
        "flags": cuprum.Series(FLAGS),
    }
    actual = cuprum.eval(text, local_dict=names | mine)
    if np.isscalar(theirs):
        assert actual == theirs
    else:
        assert_like(actual, theirs)


def test_names_of_the_caller():
    mine = cuprum.Series(S)  # noqa: F841

    def inner():
        return cuprum.eval("mine + 1", level=1)

    assert_like(inner(), S + 1)
    assert_like(cuprum.eval("sin(mine)"), np.sin(S))
    assert_like(cuprum.eval("q + mine", resolvers=[{"q": 1}]), S + 1)


def test_assignment():
    frame = cuprum.DataFrame(A)
    assert_like(cuprum.eval("z = frame.x + frame.y", target=frame), A.assign(z=A.x + A.y))
    assert list(frame) == ["x", "y"]
    assert cuprum.eval("z = frame.x\nw = z + 1", target=frame, inplace=True) is None
    assert_like(frame, A.assign(z=A.x, w=A.x + 1))


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("", {}, ValueError),
        ("@S", {}, SyntaxError),
        ("z = 1", {}, ValueError),
        ("1", {"engine": "bogus"}, KeyError),
        ("1", {"parser": "bogus"}, KeyError),
        ("lambda: 1", {}, NotImplementedError),
        ("absent + 1", {}, NameError),
        ("1 and 2", {"parser": "python"}, NotImplementedError),
    ],
)
def test_eval_that_are_refused(text, options, error):
    for lib in (pd, cuprum):
        with pytest.raises(error):
            lib.eval(text, **options)


def test_refused_here():
    for text, options, error in (
        ("1", {"inplace": True}, ValueError),
        ("1", {"inplace": 1}, ValueError),
        ("[q for q in S]", {}, NotImplementedError),
        ("f(*S)", {"local_dict": {"f": len, "S": [1]}}, NotImplementedError),
    ):
        with pytest.raises(error):
            cuprum.eval(text, **options)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: lib.eval("t == '2000-01-01'", local_dict={"t": times_and_durations(lib)["t"]}),
            id="text of times",
        ),
        pytest.param(
            lambda lib: lib.eval("s != 'a'", local_dict={"s": lib.Series(["a", "b"])}), id="text of texts"
        ),
        pytest.param(
            lambda lib: lib.eval("0 < t < 3", local_dict={"t": times_and_durations(lib)["i"]}), id="chained"
        ),
    ],
)
def test_eval_of_texts_and_chains(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.eval("1 and 2"),
            NotImplementedError,
            "cannot evaluate scalar only bool ops",
            id="scalars and",
        ),
        pytest.param(
            lambda lib: lib.eval("t and 1", local_dict={"t": times_and_durations(lib)["i"]}),
            NotImplementedError,
            "cannot evaluate scalar only bool ops",
            id="a column and a scalar",
        ),
        pytest.param(
            lambda lib: lib.eval(
                "0 < t < 3", parser="python", local_dict={"t": times_and_durations(lib)["i"]}
            ),
            NotImplementedError,
            "'And' nodes are not implemented",
            id="chained, of Python",
        ),
    ],
)
def test_eval_refuses_scalars_in_logic(call, error, text):
    agree(call, refused=(error, text))
