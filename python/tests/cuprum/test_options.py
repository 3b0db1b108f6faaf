"""Options that have one value yet refuse the others by name."""

import pytest

import cuprum


@pytest.mark.parametrize(
    ("name", "value"),
    [("mode.pandas_compatible", False), ("default_integer_bitwidth", 32), ("default_float_bitwidth", 32)],
)
def test_what_is_not_there_is_refused(name, value):
    before = cuprum.get_option(name)
    with pytest.raises(NotImplementedError, match=name):
        cuprum.set_option(name, value)
    assert cuprum.get_option(name) == before
    with pytest.raises(ValueError, match=name):
        cuprum.set_option(name, "bogus")
    with cuprum.option_context(name, before):
        assert cuprum.get_option(name) == before
    assert name in cuprum.describe_option(name, _print_desc=False)


def test_sixty_four_bits_are_there():
    for name in ("default_integer_bitwidth", "default_float_bitwidth"):
        with cuprum.option_context(name, 64):
            assert cuprum.Series([1]).dtype == "int64" and cuprum.Series([1.5]).dtype == "float64"
