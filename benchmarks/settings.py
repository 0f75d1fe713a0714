"""One thread for everything that is measured, and no noise on stderr.  Import this before NumPy."""

from __future__ import annotations

import os
import sys

_ONE = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS",
)  # fmt: skip

if "numpy" in sys.modules:
    raise RuntimeError("benchmarks.settings was imported after NumPy, whose thread pool is made by then")
os.environ.update(dict.fromkeys(_ONE, "1"))
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # an import that may not keep what it compiled is no import as users see


class quiet_stderr:
    """Context manager: nothing that C or C++ code writes to the standard error gets through."""

    def __enter__(self) -> None:
        sys.stderr.flush()
        self._kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)

    def __exit__(self, *_: object) -> None:
        sys.stderr.flush()
        os.dup2(self._kept, 2)
        os.close(self._kept)
