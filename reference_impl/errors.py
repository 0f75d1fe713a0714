"""The exceptions a kernel or the tape raises, with TensorFlow's class names and texts (``tf.errors``).

OpError
 +- CancelledError, UnknownError, InvalidArgumentError, DeadlineExceededError, NotFoundError, AlreadyExistsError,
    PermissionDeniedError, UnauthenticatedError, ResourceExhaustedError, FailedPreconditionError, AbortedError,
    OutOfRangeError, UnimplementedError, InternalError, UnavailableError, DataLossError

``str(error)`` is the message; ``error.op`` and ``error.node_def`` are None in eager mode, as in TensorFlow.
"""

from __future__ import annotations

from typing import Any

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class OpError(Exception):
    """Base of all errors that carry a status code.  ``OpError(node_def, op, message, error_code)``."""

    inferred: str | None = None  # what is said in its place while a function is traced, where shapes alone are known

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *payloads: Any):
        super().__init__()
        self.args = ()  # the text is in ``message`` alone
        self._node_def, self._op, self._message, self._error_code = node_def, op, message, error_code
        self._payloads = payloads[0] if payloads else {}

    @property
    def message(self) -> str:
        """The text of the error."""
        return self._message

    @property
    def op(self) -> Any:
        """The graph operation that failed, None in eager mode."""
        return self._op

    @property
    def node_def(self) -> Any:
        """The graph node that failed, None in eager mode."""
        return self._node_def

    @property
    def error_code(self) -> int:
        """The status code, one of the constants of this module."""
        return self._error_code

    @property
    def experimental_payloads(self) -> dict:
        """Extra data sent along with the status; always empty here."""
        return dict(self._payloads)

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> tuple:
        return type(self), (
            self._node_def,
            self._op,
            self._message,
            *(() if type(self) is not OpError else (self._error_code,)),
        )


def _status(name: str, code: int, says: str) -> type[OpError]:
    def init(self: OpError, node_def: Any, op: Any, message: str, *payloads: Any) -> None:
        OpError.__init__(self, node_def, op, message, code, *payloads)

    return type(name, (OpError,), {"__init__": init, "__doc__": says, "__module__": __name__})


OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16

CancelledError = _status("CancelledError", CANCELLED, "The operation was cancelled.")
UnknownError = _status("UnknownError", UNKNOWN, "An error whose kind is not known.")
InvalidArgumentError = _status("InvalidArgumentError", INVALID_ARGUMENT, "A kernel was given a bad argument.")
DeadlineExceededError = _status("DeadlineExceededError", DEADLINE_EXCEEDED, "Time ran out.")
NotFoundError = _status("NotFoundError", NOT_FOUND, "Something asked for does not exist.")
AlreadyExistsError = _status("AlreadyExistsError", ALREADY_EXISTS, "Something to be made exists already.")
PermissionDeniedError = _status("PermissionDeniedError", PERMISSION_DENIED, "The caller may not do this.")
ResourceExhaustedError = _status("ResourceExhaustedError", RESOURCE_EXHAUSTED, "Memory or another resource ran out.")
FailedPreconditionError = _status("FailedPreconditionError", FAILED_PRECONDITION, "The state does not allow this.")
AbortedError = _status("AbortedError", ABORTED, "The operation was aborted.")
OutOfRangeError = _status("OutOfRangeError", OUT_OF_RANGE, "An index or a sequence went past its end.")
UnimplementedError = _status("UnimplementedError", UNIMPLEMENTED, "There is no kernel for this case.")
InternalError = _status("InternalError", INTERNAL, "An invariant of the system is broken.")
UnavailableError = _status("UnavailableError", UNAVAILABLE, "The runtime is not available.")
DataLossError = _status("DataLossError", DATA_LOSS, "Data could not be recovered.")
UnauthenticatedError = _status("UnauthenticatedError", UNAUTHENTICATED, "The caller is not authenticated.")


class OperatorNotAllowedInGraphError(TypeError):
    """A symbolic tensor was used in a way that needs its value."""


class InaccessibleTensorError(ValueError):
    """A tensor of a branch, of a loop's body or of another function is used or returned where it is not."""


def unnamed(kernel: str, text: str, name: str | None = None, *, sizes: str = "") -> OpError:
    """As ``invalid``, for kernels that TensorFlow runs without a name: only a given one is written at the end."""
    message = invalid(kernel, text, name, sizes=sizes).message
    return InvalidArgumentError(None, None, message.removesuffix(" name: ") if name is None else message)


def invalid(
    kernel: str, text: str, name: str | None = None, *, node: bool = True, count: int | None = None, sizes: str = ""
) -> OpError:
    """An InvalidArgumentError as a kernel raises it: ``{{function_node ...}} text [Op:Kernel] name: ``.

    ``node=False`` leaves out the prefix, as errors found before the kernel runs do (dtypes, for instance).  ``count``
    is the number of inputs of a kernel that takes any number of them, which the prefix names; ``sizes`` are other
    attributes that it names, with their values.
    """
    wrapped = kernel if count is None else f"{kernel}_N_{count}"
    wrapped = f"{wrapped}_{sizes}" if sizes else wrapped
    prefix = f"{{{{function_node __wrapped__{wrapped}_device_{DEVICE}}}}} " if node else ""
    return InvalidArgumentError(None, None, f"{prefix}{text} [Op:{kernel}] name: {name or ''}")
