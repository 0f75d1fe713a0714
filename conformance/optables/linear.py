"""Rows of linear algebra: decompositions and solvers of well-conditioned matrices, diagonals, bands, contractions."""

from __future__ import annotations

from typing import Any

from conformance.optables.row import (
    ANY,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    SIGNED,
    WIDE,
    WIDE_NUMBERS,
    Digits,
    Fresh,
    Row,
    Setting,
    Span,
    op_row,
)

BATCHES: tuple[tuple[int, ...], ...] = ((), (), (2,), (1,), (2, 1), (0,))


def batch_of(draw: Digits) -> tuple[int, ...]:
    """The axes in front of a matrix's own two."""
    return BATCHES[draw(len(BATCHES))]


def square(fill: str, **attributes: Any) -> Any:
    """One square matrix, filled so that the op is well-conditioned; attributes are drawn from lists of choices."""

    def setting(draw: Digits, dtype: str) -> Setting:
        n = 1 + draw(3)
        named = {name: choices[draw(len(choices))] for name, choices in attributes.items()}
        return Setting((Fresh((*batch_of(draw), n, n), fill),), named)

    return setting


def tall(fill: str, **attributes: Any) -> Any:
    """One matrix of any proportions."""

    def setting(draw: Digits, dtype: str) -> Setting:
        rows, columns = 1 + draw(3), 1 + draw(3)
        named = {name: choices[draw(len(choices))] for name, choices in attributes.items()}
        return Setting((Fresh((*batch_of(draw), rows, columns), fill),), named)

    return setting


def solver(fill: str, **attributes: Any) -> Any:
    """A square matrix and a right-hand side."""

    def setting(draw: Digits, dtype: str) -> Setting:
        n, batch = 1 + draw(3), batch_of(draw)
        named = {name: choices[draw(len(choices))] for name, choices in attributes.items()}
        return Setting((Fresh((*batch, n, n), fill), Fresh((*batch, n, 1 + draw(2)))), named)

    return setting


def triangular(draw: Digits, dtype: str) -> Setting:
    n, batch, lower = 1 + draw(3), batch_of(draw), draw(3) < 2
    other = batch if draw(4) else ()
    matrix = Fresh((*batch, n, n), ("lower" if lower else "upper") if draw(3) else "well")
    named: dict[str, Any] = {} if lower and draw(2) else {"lower": lower}
    if draw(3) == 2:
        named["adjoint"] = True
    return Setting((matrix, Fresh((*other, n, 1 + draw(2)))), named)


def cholesky_solve(draw: Digits, dtype: str) -> Setting:
    n, batch = 1 + draw(3), batch_of(draw)
    return Setting((Fresh((*batch, n, n), "lower"), Fresh((*batch, n, 1 + draw(2)))))


def lstsq(draw: Digits, dtype: str) -> Setting:
    rows, columns, batch = 1 + draw(3), 1 + draw(3), batch_of(draw)
    named: dict[str, Any] = ({}, {"l2_regularizer": 0.5}, {"fast": False})[draw(3)]
    return Setting((Fresh((*batch, rows, columns), "well"), Fresh((*batch, rows, 1 + draw(2)))), named)


def tridiagonal(solve: bool) -> Any:
    """Three diagonals, compact or apart, and a right-hand side."""

    def setting(draw: Digits, dtype: str) -> Setting:
        n, batch = 2 + draw(2), BATCHES[draw(4)]
        right = Fresh((*batch, n, 1 + draw(2)))
        below, main, above = (Fresh((*batch, n), span=s) for s in (_SMALL, _LARGE, _SMALL))
        if draw(3) == 2 or not solve:
            parts = [above, main, below]
            return Setting((parts, right), {"diagonals_format": "sequence"})
        compact = Fresh((*batch, 3, n), "bands")
        named: dict[str, Any] = ({}, {"transpose_rhs": False}, {"partial_pivoting": False})[draw(3)]
        return Setting((compact, right), named)

    return setting


def banded(draw: Digits, dtype: str) -> Setting:
    n, batch, bands = 3 + draw(2), BATCHES[draw(4)], 2 + draw(2)
    named = {"lower": draw(2) == 1, "adjoint": draw(2) == 1}
    return Setting((Fresh((*batch, bands, n), span=_LARGE), Fresh((*batch, n, 1 + draw(2)))), named)


def diagonal(draw: Digits, dtype: str) -> Setting:
    """linalg.diag: one or several diagonals, put where they belong."""
    batch, how = BATCHES[draw(4)], draw(4)
    if how < 2:
        named: dict[str, Any] = ({}, {"k": draw(3) - 1})[how]
        return Setting((Fresh((*batch, 1 + draw(3))),), named)
    named = {"k": (-1, 1) if how == 2 else (0, 1), "align": _ALIGN[draw(4)]}
    return Setting((Fresh((*batch, 3 if how == 2 else 2, 3)),), named)


def diagonal_part(draw: Digits, dtype: str) -> Setting:
    shape = (*BATCHES[draw(4)], 2 + draw(2), 2 + draw(2))
    how = draw(4)
    named: dict[str, Any] = ({}, {"k": 1}, {"k": -1}, {"k": (-1, 1), "align": _ALIGN[draw(4)]})[how]
    return Setting((Fresh(shape),), named)


def set_diagonal(draw: Digits, dtype: str) -> Setting:
    batch, rows, columns = BATCHES[draw(4)], 2 + draw(2), 2 + draw(2)
    how, least = draw(3), min(rows, columns)
    length = (least, min(rows, columns - 1), max(min(rows, columns - 1), least))[how]
    if how == 2:
        named: dict[str, Any] = {"k": (0, 1), "align": _ALIGN[draw(4)]}
        return Setting((Fresh((*batch, rows, columns)), Fresh((*batch, 2, length))), named)
    return Setting((Fresh((*batch, rows, columns)), Fresh((*batch, length))), {"k": how} if how else {})


def band_part(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh((*batch_of(draw), 1 + draw(3), 1 + draw(3))), draw(4) - 1, draw(4) - 1))


def cross(draw: Digits, dtype: str) -> Setting:
    shape = (*batch_of(draw), 3)
    return Setting((Fresh(shape), Fresh(shape)))


def tensordot(draw: Digits, dtype: str) -> Setting:
    how = draw(4)
    left, right, axes = (
        ((2, 3), (3, 2), 1),
        ((2, 3), (2, 2), [[0], [1]]),
        ((2,), (3,), 0),
        ((2, 3, 2), (3, 2, 2), [[1, 2], [0, 1]]),
    )[how]
    return Setting((Fresh(left), Fresh(right)), {"axes": axes})


_EQUATIONS: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("ij,jk->ik", ((2, 3), (3, 2))),
    ("ij,jk", ((2, 3), (3, 2))),
    ("ij->ji", ((2, 3),)),
    ("ii->i", ((3, 3),)),
    ("ii", ((2, 2),)),
    ("ij->", ((2, 3),)),
    ("i,i->", ((3,), (3,))),
    ("i,j->ij", ((2,), (3,))),
    ("bij,bjk->bik", ((2, 2, 3), (2, 3, 1))),
    ("...ij,...jk->...ik", ((2, 2, 3), (3, 2))),
    ("...ij,...jk->...ik", ((1, 2, 3), (2, 1, 3, 2))),
    ("...i,...i->...", ((1, 3), (2, 3))),
    ("...i,i->...", ((2, 3), (3,))),
    ("ij,j->i", ((2, 3), (3,))),
    ("ijk,ikl->ijl", ((1, 2, 3), (1, 3, 2))),
    ("i...->...", ((2, 3),)),
    ("ii,jj->ij", ((2, 2), (3, 3))),
    ("ij,kj,kl->il", ((2, 3), (2, 3), (2, 2))),
    ("ij,ij->i", ((2, 3), (2, 3))),
    (",->", ((), ())),
    ("iij->j", ((2, 2, 3),)),
    ("ij,ik->jk", ((0, 2), (0, 2))),
    ("...ij->...j", ((2, 2, 3),)),
    ("i...j->...", ((2, 1, 3),)),
    ("ijk->ki", ((2, 3, 2),)),
    ("bij,kjb->bik", ((2, 4, 11), (5, 11, 2))),
    ("ij,jb->bi", ((6, 33), (33, 4))),
    ("i->ii", ((3,),)),
    ("...i->...ii", ((2, 2),)),
    ("ij,j->iji", ((2, 3), (3,))),
    ("ij,jk->k", ((2, 3), (3, 2))),
    ("bi->bii", ((2, 3),)),
    ("...i,...->...ii", ((2, 3), (2,))),
    ("...i->...ii", ((2,),)),
    ("ijk,k->k", ((2, 1, 3), (3,))),
    ("ii,jk->k", ((2, 2), (2, 3))),
    ("...i,...i->...", ((3,), (2, 3))),
    ("...ij,...jk->...ik", ((2, 3), (2, 2, 3, 2))),
    ("i...,j...->ij...", ((2, 1), (2, 2, 3))),
    ("...ij,jk->...k", ((2, 2, 3), (3, 2))),
)


def einsum(draw: Digits, dtype: str) -> Setting:
    equation, shapes = _EQUATIONS[draw(len(_EQUATIONS))]
    return Setting((equation, *(Fresh(shape) for shape in shapes)))


def reduced(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (3,), (2, 2, 2), (2, 1))[draw(4)]
    named: dict[str, Any] = {"axis": draw(2 * len(shape)) - len(shape)} if draw(2) else {}
    if draw(3) == 2:
        named["keepdims"] = True
    return Setting((Fresh(shape),), named)


def normalized(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (3,), (2, 2, 2))[draw(3)]
    named: dict[str, Any] = {"axis": draw(len(shape))} if draw(2) else {}
    order = draw(5)
    if order > 1:
        named["ord"] = (1, 2, 3)[order - 2]
    return Setting((Fresh(shape, span=Span(-3.0, 3.0, 0.25)),), named)


def l2_normalized(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (3,), (2, 2, 2))[draw(3)]
    named: dict[str, Any] = ({}, {"axis": draw(len(shape))}, {"axis": [0, len(shape) - 1]})[draw(3)]
    return Setting((Fresh(shape),), {**named, **({"epsilon": 1.0} if draw(4) == 3 else {})})


def global_norm(draw: Digits, dtype: str) -> Setting:
    return Setting(([Fresh(((2,), (2, 3), ())[draw(3)]) for _ in range(1 + draw(3))],))


def product(draw: Digits, dtype: str) -> Setting:
    """linalg.matmul with batches that broadcast, transposes and adjoints."""
    rows, inner, columns = 1 + draw(3), 1 + draw(3), 1 + draw(3)
    first, second = BATCHES[draw(5)], BATCHES[draw(5)]
    a, b = ("", "transpose_a", "adjoint_a")[draw(3)], ("", "transpose_b", "adjoint_b")[draw(3)]
    left = (inner, rows) if a else (rows, inner)
    right = (columns, inner) if b else (inner, columns)
    named = {name: True for name in (a, b) if name}
    return Setting((Fresh((*first, *left)), Fresh((*second, *right))), named)


def diag(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(((2,), (3,), (2, 2))[draw(3)]),))


def diag_part_of_tensor(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(((2, 2), (3, 3), (2, 1, 2, 1))[draw(3)]),))


_SMALL, _LARGE = Span(-0.5, 0.5), Span(2.0, 4.0)
_ALIGN = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
_FLAG = (False, True)
_ANY_ORDER: dict[str, Any] = {
    "when_named": "eigenvalues come in an order, and vectors with phases, that are the library's choice",
    "unasked": ("jacobian",),
}
_ANY_SIGN: dict[str, Any] = {
    "when_named": "the signs of singular vectors, and what spans a null space, are the library's choice",
}

ROWS: tuple[Row, ...] = (
    op_row("linalg.det", square("well"), WIDE_NUMBERS),
    op_row("linalg.inv", square("well", adjoint=_FLAG), WIDE_NUMBERS | {"float16"}),
    op_row("linalg.slogdet", square("well"), WIDE_NUMBERS),
    op_row("linalg.logdet", square("symmetric"), WIDE_NUMBERS),
    op_row("linalg.cholesky", square("symmetric"), WIDE_NUMBERS),
    op_row("linalg.sqrtm", square("symmetric"), WIDE_NUMBERS, unasked=("jacobian",)),
    op_row("linalg.expm", square("well"), WIDE),
    op_row("linalg.lu", square("well"), WIDE),
    op_row("linalg.pinv", tall("distinct"), WIDE, **_ANY_SIGN),
    op_row("linalg.matrix_rank", tall("distinct"), WIDE, "cut"),
    op_row("linalg.qr", tall("distinct", full_matrices=(False, False, True)), WIDE_NUMBERS, often=2),
    op_row(
        "linalg.svd", tall("distinct", full_matrices=(False, True), compute_uv=(True, False)), WIDE_NUMBERS, **_ANY_SIGN
    ),
    op_row("linalg.eigh", square("symmetric"), WIDE_NUMBERS),
    op_row("linalg.eigvalsh", square("symmetric"), WIDE_NUMBERS),
    op_row("linalg.eig", square("distinct"), WIDE_NUMBERS, **_ANY_ORDER),
    op_row("linalg.eigvals", square("distinct"), WIDE_NUMBERS, **_ANY_ORDER),
    op_row("linalg.solve", solver("well", adjoint=_FLAG), WIDE_NUMBERS),
    op_row("linalg.triangular_solve", triangular, WIDE_NUMBERS),
    op_row("linalg.cholesky_solve", cholesky_solve, WIDE_NUMBERS),
    op_row("linalg.lstsq", lstsq, WIDE),
    op_row("linalg.tridiagonal_solve", tridiagonal(True), WIDE_NUMBERS),
    op_row("linalg.tridiagonal_matmul", tridiagonal(False), WIDE_NUMBERS, "bilinear"),
    op_row("linalg.banded_triangular_solve", banded, WIDE_NUMBERS),
    op_row("linalg.diag", diagonal, ANY, "linear"),
    op_row("linalg.diag_part", diagonal_part, ANY, "linear"),
    op_row("linalg.set_diag", set_diagonal, NUMERIC, "linear"),
    op_row("linalg.band_part", band_part, NUMERIC, "linear"),
    op_row("linalg.tensor_diag", diag, WIDE_NUMBERS | INTEGER | {"float16"}, "linear"),
    op_row("linalg.tensor_diag_part", diag_part_of_tensor, WIDE_NUMBERS | INTEGER | {"float16"}, "linear"),
    op_row("linalg.trace", tall("any"), NUMERIC, "linear"),
    op_row("linalg.adjoint", tall("any"), NUMERIC, "linear"),
    op_row("linalg.matrix_transpose", tall("any", conjugate=_FLAG), NUMERIC, "linear"),
    op_row("linalg.cross", cross, SIGNED, "bilinear"),
    op_row("tensordot", tensordot, NUMERIC, "bilinear"),
    op_row("einsum", einsum, NUMERIC - {"bfloat16"}, "bilinear", often=5),
    op_row("matmul", product, NUMERIC, "bilinear"),
    op_row("math.reduce_euclidean_norm", reduced, NUMERIC, kinks=(0.0, 3.0, 4.0)),
    op_row("linalg.normalize", normalized, FLOATING),
    op_row("linalg.l2_normalize", l2_normalized, FLOATING, kinks=(0.0, 1.0)),
    op_row("linalg.global_norm", global_norm, REAL, kinks=(0.0, 3.0)),
)
