"""tf.nest: structures, their leaves, and what TensorFlow says of those that do not match."""

import types
from collections import OrderedDict, defaultdict, namedtuple

import pytest

import reference_impl as tf

nest = tf.nest
Pair = namedtuple("Pair", "a b")
OtherPair = namedtuple("OtherPair", "a b")


class ListOfItsOwn(list):
    """A list that must stay of its type."""


class Attrs:
    """Looks like what the attrs package makes."""

    __attrs_attrs__ = (types.SimpleNamespace(name="b"), types.SimpleNamespace(name="a"))

    def __init__(self, b, a):
        self.b, self.a = b, a


class Custom:
    """A type that flattens itself."""

    def __init__(self, name, parts):
        self.name, self.parts = name, parts

    def __tf_flatten__(self):
        return (self.name,), tuple(self.parts)

    @classmethod
    def __tf_unflatten__(cls, metadata, parts):
        return cls(metadata[0], list(parts))


@pytest.mark.parametrize(
    "structure, leaves",
    [
        ([1, [2, (3,)]], [1, 2, 3]), ({"b": 1, "a": [2]}, [2, 1]), (Pair(1, [2]), [1, 2]), (None, [None]),
        ("ab", ["ab"]),
        ({3: 1, 1: 2}, [2, 1]), (range(3), [0, 1, 2]), (OrderedDict([("b", 1), ("a", 2)]), [2, 1]), ([], []), ({}, []),
        ({"a": 1}.keys(), ["a"]), (b"x", [b"x"]), (frozenset([1]), [frozenset([1])]), ([None, (None,)], [None, None]),
        (Attrs(1, [2]), [1, 2]), (Custom("n", [1, [2]]), [1, 2]),
    ],
)  # fmt: skip
def test_flatten(structure, leaves):
    assert nest.flatten(structure) == leaves


def test_tensors_and_arrays_are_leaves():
    x = tf.constant([1.0, 2.0])
    assert not nest.is_nested(x) and nest.flatten(x)[0] is x


def test_composites_are_leaves_unless_they_are_to_be_expanded():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2]))
    assert nest.flatten([slices]) == [slices]
    assert nest.flatten([slices], expand_composites=True) == [slices.values, slices.indices, slices.dense_shape]
    doubled = nest.map_structure(lambda t: t + t, [slices], expand_composites=True)[0]
    assert type(doubled) is tf.IndexedSlices and float(doubled.values[0]) == 2.0


@pytest.mark.parametrize(
    "structure, made",
    [
        ([1, (2,)], [2, (4,)]), ({"b": 1, "a": 2}, {"b": 2, "a": 4}), (Pair(1, 2), Pair(2, 4)), (range(2), [0, 2]),
        (OrderedDict([("b", 1), ("a", 2)]), OrderedDict([("b", 2), ("a", 4)])), ({1: 1}.values(), [2]),
    ],
)  # fmt: skip
def test_map_structure_makes_a_structure_of_the_same_type(structure, made):
    got = nest.map_structure(lambda v: 2 * v, structure)
    assert got == made and (type(got) is type(made))


def test_types_derived_from_lists_and_dicts_are_kept():
    assert type(nest.map_structure(lambda v: v, ListOfItsOwn([1]))) is ListOfItsOwn
    got = nest.map_structure(lambda v: 2 * v, defaultdict(int, {"b": 1, "a": 2}))
    assert got == {"b": 2, "a": 4} and got.default_factory is int
    custom = nest.map_structure(lambda v: 2 * v, Custom("n", [1, 2]))
    assert (custom.name, custom.parts) == ("n", [2, 4])
    attrs = nest.map_structure(lambda v: 2 * v, Attrs(1, 2))
    assert (attrs.b, attrs.a) == (2, 4)


def test_a_mapping_that_cannot_be_made_of_pairs_is_a_type_error():
    with pytest.raises(TypeError, match="Error creating an object of type <class 'mappingproxy'> like"):
        nest.map_structure(lambda v: v, types.MappingProxyType({"a": 1}))


def test_keys_that_do_not_compare_are_a_type_error():
    with pytest.raises(TypeError, match="'<' not supported between instances of 'str' and 'int'"):
        nest.flatten({1: 2, "a": 3})


def test_packing():
    assert nest.pack_sequence_as([1, {"b": 2, "a": 3}], (4, 5, 6)) == [4, {"b": 6, "a": 5}]
    assert nest.pack_sequence_as(1, [4]) == 4


@pytest.mark.parametrize(
    "structure, flat, error, text",
    [
        (
            [1, [2, 3]], [4, 5], ValueError,
            "Could not pack sequence. Structure had 3 atoms, but flat_sequence had 2 items.  Structure: [1, [2, 3]], "
            "flat_sequence: [4, 5].",
        ),
        (
            1, [1, 2], ValueError,
            "The target structure is of type `<class 'int'>`\n  1\nHowever the input is a sequence (<class 'list'>) of "
            "length 2.\n  [1, 2]\nnest cannot guarantee that it is safe to map one to the other.",
        ),
        (
            [1], 4, TypeError,
            "Attempted to pack value:\n  4\ninto a structure, but found incompatible type `<class 'int'>` instead.",
        ),
    ],
)  # fmt: skip
def test_packing_refuses(structure, flat, error, text):
    with pytest.raises(error) as raised:
        nest.pack_sequence_as(structure, flat)
    assert str(raised.value) == text


@pytest.mark.parametrize(
    "first, second, error, text",
    [
        (
            [1, 2], [1], ValueError,
            "The two structures don't have the same number of elements. First structure: type=list str=[1, 2]. Second "
            "structure: type=list str=[1]\nEntire first structure:\n[., .]\nEntire second structure:\n[.]",
        ),
        (
            [1], (1,), TypeError,
            "The two namedtuples don't have the same sequence type. First structure type=list str=[1] has type list, "
            "while second structure type=tuple str=(1,) has type tuple\nEntire first structure:\n[.]\nEntire second "
            "structure:\n(.,)",
        ),
        (
            [1, 2], [1, [2]], ValueError,
            'Substructure "type=list str=[2]" is a sequence, while substructure "type=int str=2" is not\nEntire first '
            "structure:\n[., .]\nEntire second structure:\n[., [.]]",
        ),
        (
            {"a": 1}, {"b": 1}, ValueError,
            "The two dictionaries don't have the same set of keys. First structure has keys type=list str=['a'], while "
            "second structure has keys type=list str=['b']\nEntire first structure:\n{'a': .}\nEntire second "
            "structure:\n{'b': .}",
        ),
    ],
)  # fmt: skip
def test_structures_that_differ(first, second, error, text):
    with pytest.raises(error) as raised:
        nest.assert_same_structure(first, second)
    start = "The two structures don't have the same nested structure.\n\nFirst structure: "
    assert str(raised.value).startswith(start) and str(raised.value).partition("More specifically: ")[2] == text


def test_types_may_be_left_out_of_account_and_then_keys_are_too():
    for first, second in (([1], (1,)), ({"a": 1}, {"b": 1}), (Pair(1, 2), OtherPair(1, 2))):
        nest.assert_same_structure(first, second, check_types=False)
    assert nest.map_structure(lambda x, y: x + y, [1], (2,), check_types=False) == [3]


def test_namedtuples_of_one_name_and_mappings_of_any_type_match():
    nest.assert_same_structure(Pair(1, 2), namedtuple("Pair", "a b")(3, 4))
    nest.assert_same_structure({"a": 1}, OrderedDict(a=1))
    with pytest.raises(TypeError):
        nest.assert_same_structure(Pair(1, 2), OtherPair(1, 2))


def test_arguments_of_map_structure():
    with pytest.raises(TypeError, match="func must be callable, got: 1"):
        nest.map_structure(1, [1])
    with pytest.raises(ValueError, match="Must provide at least one structure"):
        nest.map_structure(lambda: 1)
    with pytest.raises(ValueError, match="Only valid keyword arguments are"):
        nest.map_structure(lambda v: v, [1], foo=1)
