"""The ops, one declaration each; see declare.py.  Importing this package declares all of them."""

from . import (
    activations,
    arithmetic,
    bitwise,
    casting,
    comparison,
    complex_numbers,
    cumulative,
    elementwise,
    exponential,
    extremes,
    gathering,
    indexing,
    logic,
    matrix,
    norms,
    operators,
    reductions,
    rounding,
    scatter,
    selection,
    shaping,
    softmax,
    special,
    squeezing,
    statistics,
    sums,
    trigonometry,
)

FAMILIES = (
    activations, arithmetic, bitwise, casting, comparison, complex_numbers, cumulative, elementwise, exponential,
    extremes, gathering, indexing, logic, matrix, norms, operators, reductions, rounding, scatter, selection, shaping,
    softmax, special, squeezing, statistics, sums, trigonometry,
)  # fmt: skip
