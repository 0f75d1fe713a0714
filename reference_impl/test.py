"""``tf.test``: what helps to test gradients, and what TensorFlow was built with."""

from typing import Any

from .user_gradients.gradient_checks import compute_gradient

__all__ = [
    "TestCase",  # noqa: F822  # loaded when it is asked for
    "compute_gradient", "gpu_device_name", "is_built_with_cuda", "is_built_with_gpu_support", "is_built_with_rocm",
    "is_built_with_xla", "is_gpu_available", "main",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Unit tests are loaded when they are asked for."""
    if name == "TestCase":
        from .surroundings.testing import TestCase

        return TestCase
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main(argv: Any = None) -> None:
    """Run the unit tests of the program."""
    import unittest

    unittest.main(argv=argv)


def gpu_device_name() -> str:
    """An empty text: there is no GPU."""
    return ""


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None) -> bool:
    """False: there is no GPU."""
    return False


def is_built_with_cuda() -> bool:
    """True, as of the TensorFlow whose behaviour this is; nothing follows from it."""
    return True


def is_built_with_gpu_support() -> bool:
    """True, as of the TensorFlow whose behaviour this is; nothing follows from it."""
    return True


def is_built_with_rocm() -> bool:
    """False."""
    return False


def is_built_with_xla() -> bool:
    """True, as of the TensorFlow whose behaviour this is; nothing follows from it."""
    return True
