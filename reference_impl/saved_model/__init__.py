"""``tf.saved_model``: save a module with its traced functions to a folder, and load it without its Python code.

    saved_model.save(module, "folder")
    loaded = saved_model.load("folder")
    loaded.f(x)

A folder holds ``saved_model.json`` (objects, graphs, the version of the format) and ``variables.npz`` (values).
Loading reads data and runs no code from the files: a graph names functions of this engine, and only those it may
name.  The format is described in docs/saved-models.md.  TensorFlow's own files are neither written nor read.
"""

from .files import FILENAME, VERSION, contains_saved_model
from .loading import load
from .saving import LoadOptions, SaveOptions, save

DEFAULT_SERVING_SIGNATURE_DEF_KEY = "serving_default"
SAVED_MODEL_SCHEMA_VERSION = VERSION
SERVING, TRAINING = "serve", "train"

__all__ = [
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY", "FILENAME", "SAVED_MODEL_SCHEMA_VERSION", "SERVING", "TRAINING", "LoadOptions",
    "SaveOptions", "contains_saved_model", "load", "save",
]  # fmt: skip
