"""Functions converted: found, rewritten, compiled, and remembered; and the errors that leave them."""

from __future__ import annotations

import ast
import functools
import linecache
import sys
import types
import weakref
from typing import Any

from ..errors import OpError
from ..foundation.building import graph_being_built
from ..foundation.staging import again, in_user_code
from ..foundation.warnings_log import warn
from ..tensors.tensor import is_tensor
from .experimental import MARK
from .lowering import Unsupported
from .rewriting import rewritten
from .source import Ambiguous, tree_of

_PACKAGE = __name__.partition(".")[0]
_HERE = __name__.rpartition(".")[0] + "."
_FOREIGN = frozenset(
    (*sys.stdlib_module_names, "numpy", "scipy", "ml_dtypes", "tensorflow", "pytest", "_pytest", _PACKAGE)
)
_CODES: dict[types.CodeType, types.CodeType | None] = {}  # a function's code -> its code rewritten
_AS_IS = (
    "AutoGraph could not transform {0} and will run it as-is.\nCause: {1}\nTo silence this warning, decorate the "
    "function with @tf.autograph.experimental.do_not_convert"
)
_AMBIGUOUS = (
    "could not parse the source code of {0}: found multiple definitions with identical signatures at the location. "
    "This error may be avoided by defining each lambda on a single line and with unique argument names. The matching "
    "definitions were:\n{1}\n"
)
_REWRITTEN: set[types.CodeType] = set()
_LAMBDAS: dict[types.CodeType, str] = {}  # the code of a rewritten lambda -> its first line
_FUTURE = 0x1FF0000  # the flags of ``from __future__``
_CONVERTED: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def converted(function: Any, entry: bool = False) -> Any:
    """A function whose control flow may depend on tensors; with ``entry`` its errors tell where in the user's code."""
    made = _converted(function)
    return made if made is function or not entry else functools.partial(_entered, made)


def _converted(function: Any) -> Any:
    if isinstance(function, functools.partial):
        inner = _converted(function.func)
        return function if inner is function.func else functools.partial(inner, *function.args, **function.keywords)
    plain = getattr(function, "__func__", None)
    if plain is not None and isinstance(plain, types.FunctionType):
        inner = _converted(plain)
        return function if inner is plain else types.MethodType(inner, function.__self__)
    if not isinstance(function, types.FunctionType) or not _convertible(function):
        return function
    known = _CONVERTED.get(function)
    if known is None:
        code = _rewritten_code(function)
        known = function if code is None else _with_code(function, code)
        _CONVERTED[function] = known
    return known


def _convertible(function: types.FunctionType) -> bool:
    code = function.__code__
    if code in _REWRITTEN or hasattr(function, MARK) or code.co_flags & 0x2A0:  # generators and coroutines
        return False
    return (function.__module__ or "").partition(".")[0] not in _FOREIGN


def _rewritten_code(function: types.FunctionType) -> types.CodeType | None:
    code = function.__code__
    if code not in _CODES:
        try:
            _CODES[code] = _compiled(code)
        except Ambiguous as error:
            _CODES[code] = None
            matches = "\n".join(f"Match {k}:\n{ast.unparse(n)}\n" for k, n in enumerate(error.nodes))
            warn(_AS_IS.format(function, _AMBIGUOUS.format(function, matches)))
        except Unsupported as error:
            _CODES[code] = None
            warn(_AS_IS.format(function, error))
    return _CODES[code]


def _compiled(code: types.CodeType) -> types.CodeType | None:
    """The code of the rewritten function, None when its source cannot be found or rewritten."""
    tree = tree_of(code)
    if tree is None:
        return None
    inner = rewritten(tree)
    outer: Any = ast.parse("def ag_outer(): pass").body[0]
    names = [n for n in code.co_freevars if n not in ("__class__",)]
    cells = "".join(
        f"{n} = None\n" for n in [*names, "ag__", *(["__class__"] if "__class__" in code.co_freevars else [])]
    )
    if inner.name not in names:  # what it calls by its own name is found in its module, as before
        cells = f"global {inner.name}\n{cells}"
    outer.body = [*ast.parse(cells).body, inner]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    try:
        whole = compile(module, code.co_filename, "exec", code.co_flags & _FUTURE, True)
    except SyntaxError:
        return None
    found = _find(whole, inner.name)
    _REWRITTEN.update(_all_codes(found))
    if isinstance(tree, ast.Lambda):
        text = ast.get_source_segment("".join(linecache.getlines(code.co_filename)), tree) or "lambda"
        _LAMBDAS[found] = text.split("\n")[0]
    return found


def _find(whole: types.CodeType, name: str) -> types.CodeType:
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    return next(c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def _all_codes(code: types.CodeType) -> list[types.CodeType]:
    parts = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return [code, *(c for p in parts for c in _all_codes(p))]


def _with_code(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    """The function with other code: the same closure, globals and defaults."""
    from . import operators

    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells["ag__"] = types.CellType(operators)
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    return made


# ---------------------------------------------------------------------------------------------- calls


def call(function: Any) -> Any:
    """What rewritten code calls in a function's place."""
    special = _BUILTINS.get(function) if isinstance(function, (type, types.BuiltinFunctionType)) else None
    if special is not None:
        return special
    return _converted(function)


def not_(value: Any) -> Any:
    """``not value``."""
    if is_tensor(value) and graph_being_built() is not None:
        from ..ops.declare import NAMES

        return NAMES["logical_not"](value)
    return not value


def _range(*args: Any) -> Any:
    if any(is_tensor(a) for a in args) and graph_being_built() is not None:
        from ..ops.declare import NAMES

        return NAMES["range"](*args)
    return range(*args)


def _len(value: Any) -> Any:
    if is_tensor(value) and graph_being_built() is not None:
        from ..ops.declare import NAMES

        if value.shape.rank == 0:
            raise ValueError("len requires a non-scalar tensor, got one of shape []")
        known = value.shape.as_list()[0] if value.shape.rank else None
        return NAMES["shape"](value)[0] if known is None else known
    return len(value)


def _cast(kind: type, dtype: str) -> Any:
    def convert(*args: Any) -> Any:
        if args and is_tensor(args[0]) and graph_being_built() is not None:
            from ..ops.declare import NAMES

            return NAMES["cast"](args[0], dtype)
        return kind(*args)

    return convert


def _enumerate(items: Any, start: Any = 0) -> Any:
    """``enumerate``; of a dataset a dataset."""
    return items.enumerate(start) if _is_dataset(items) else enumerate(items, start)


def _zip(*items: Any, **options: Any) -> Any:
    """``zip``; of datasets a dataset."""
    if items and all(map(_is_dataset, items)):
        return type(items[0]).zip(tuple(items))
    return zip(*items, **options)


def _is_dataset(items: Any) -> bool:
    return getattr(type(items), "_opaque_", False) and hasattr(items, "enumerate")


_BUILTINS: dict[Any, Any] = {
    range: _range, len: _len, int: _cast(int, "int32"), float: _cast(float, "float32"), enumerate: _enumerate,
    zip: _zip,
}  # fmt: skip


# ---------------------------------------------------------------------------------------------- errors


def _entered(function: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        return function(*args, **kwargs)
    except Exception as error:
        told = _told(error)
        if told is error:
            raise
        raise told from None


def _told(error: Exception) -> Exception:
    """The error with the places in the user's code; a kernel's error is not one of the code."""
    if isinstance(error, OpError) and "[Op:" in error.message:
        return error
    lines = _places(error)
    if not lines:
        return error
    return again(error, in_user_code(error, lines))


def _places(error: Exception) -> list[str]:
    """The lines of the traceback that are the user's, none when no rewritten function is among them.

    A star marks those in rewritten functions, two stars what such a function called as it is.
    """
    lines, rewritten_ones, called = [], 0, False
    traceback = error.__traceback__
    while traceback is not None:
        code, line = traceback.tb_frame.f_code, traceback.tb_lineno
        if code in _REWRITTEN:
            called = True
            if not _generated(code):
                name = "None" if code.co_name == "ag_lambda" else code.co_name
                lines.append(_place(code, line, f"{name}  *", _LAMBDAS.get(code)))
                rewritten_ones += 1
        else:
            if not _foreign(traceback.tb_frame):
                lines.append(_place(code, line, f"{code.co_name}  **" if called else code.co_name))
            called = called and traceback.tb_frame.f_globals.get("__name__", "").startswith(_HERE)
        traceback = traceback.tb_next
    return lines if rewritten_ones else []


def _place(code: types.CodeType, line: int, where: str, source: str | None = None) -> str:
    source = source or linecache.getline(code.co_filename, line).strip()
    return f'    File "{code.co_filename}", line {line}, in {where}\n        {source}\n'


def _foreign(frame: types.FrameType) -> bool:
    """True for a frame of a module that is not the user's."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in _FOREIGN


def _generated(code: types.CodeType) -> bool:
    """True for a function made of a part of a statement."""
    return (code.co_name.startswith("ag_") and code.co_name != "ag_lambda") or code.co_name == "<lambda>"
