"""The documented shapes of public APIs are read without a recipe, except those whose items have no address."""

import pytest

from benchmarks.json_shapes import differences, shapes

SHAPES = shapes()
WITHOUT_ADDRESS = {name for name, shape in SHAPES.items() if shape["first"]["url"] == ["none"]}


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - WITHOUT_ADDRESS))
def test_a_shape_with_addresses_is_read(name: str) -> None:
    assert differences(SHAPES[name]) == []


@pytest.mark.parametrize("name", sorted(WITHOUT_ADDRESS))
def test_a_shape_without_addresses_says_so(name: str) -> None:
    assert "without addresses; a recipe with url_template can make them" in differences(SHAPES[name])[0]
