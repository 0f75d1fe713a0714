"""``tf.io``: whole files, tensors as bytes, bytes as numbers.  No gradient passes any of it."""

from . import gfile
from .bytes_of_tensors import decode_base64, decode_raw, encode_base64, parse_tensor, serialize_tensor
from .files import matching_files, read_file, write_file

__all__ = [
    "decode_base64", "decode_raw", "encode_base64", "gfile", "matching_files", "parse_tensor", "read_file",
    "serialize_tensor", "write_file",
]  # fmt: skip
