"""``tf.signal``: Fourier and cosine transforms, windows, frames."""

# ruff: noqa: F401  # this file lists names

from .composed import loader as _loader
from .ops.fourier import fft, fft2d, fft3d, fftshift, ifft, ifft2d, ifft3d, ifftshift, irfft, irfft2d, rfft, rfft2d

__getattr__, __dir__ = _loader("signal", globals())
