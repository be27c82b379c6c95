"""The documented shapes of public APIs are read without a recipe, except those whose items have no address."""

from benchmarks.json_shapes import differences, shapes


def test_shapes_with_addresses_are_read() -> None:
    wrong = {name: said for name, shape in shapes().items() if (said := differences(shape))}
    assert wrong.keys() == {name for name, shape in shapes().items() if shape["first"]["url"] == ["none"]}
    assert all("without addresses; a recipe with url_template" in said[0] for said in wrong.values())
