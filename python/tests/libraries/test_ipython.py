"""What the Tab key offers in IPython behind frames, series, their indexers, groups and windows."""

import warnings

import pytest

pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell

import cuprum

FRAME = cuprum.DataFrame({"alpha": [1, 2], "beta gamma": [3, 4], "k": [1, 1]}, index=["row", "other"])

KEYS = {
    'df["': ["alpha", "beta gamma", "k"],
    'df["al': ["alpha"],
    'df.loc[:, "': ["alpha", "beta gamma", "k"],
    'df.loc[:, "be': ["beta gamma"],
    'df.at["': ["other", "row"],
    'df.at["row", "a': ["alpha"],
    's["': ["other", "row"],
    's.loc["r': ["row"],
    'df.loc["row"]["al': ["alpha"],
    'g["': ["alpha", "beta gamma", "k"],
    'g[["alpha", "': [],
    'w["b': ["beta gamma"],
    'r["b': ["beta gamma"],
}
ATTRIBUTES = {
    "df.alph": ["alpha"],
    'df["alpha"].nuniq': ["nunique"],
    "df.alpha.nuniq": ["nunique"],
    "g.alph": ["alpha"],
    "s.ro": ["rolling", "round", "row"],
}


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    bins = cuprum.DataFrame({"beta gamma": [1]}, index=cuprum.date_range("2020", periods=1)).resample("D")
    names = {"df": FRAME, "s": FRAME["alpha"], "g": FRAME.groupby("k"), "w": FRAME.rolling(2), "r": bins}
    shell.user_ns.update(names)
    shell.Completer.use_jedi = False
    yield shell
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("typed", KEYS)
def test_labels(shell, typed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, found = shell.complete(typed, typed)
    assert sorted(text.rpartition('"')[2] for text in found) == KEYS[typed]


@pytest.mark.parametrize("typed", ATTRIBUTES)
def test_attributes(shell, typed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [one.text.lstrip(".") for one in shell.Completer.completions(typed, len(typed))]
    assert sorted(found) == ATTRIBUTES[typed]
