// Exact JSON of arrays and scalars, as `adapters/json_values.py` writes and reads it.
"use strict";

const DTYPES = ["float32", "int32", "bool"];

class Unsupported extends Error {}

const WORDS = { nan: NaN, inf: Infinity, "-inf": -Infinity };

function readNumber(data) {
  return typeof data === "string" ? (data in WORDS ? WORDS[data] : Number(data)) : data;
}

function readScalar(data) {
  if (data === null || typeof data !== "object") return data;
  if ("float" in data) return readNumber(data.float);
  if ("int" in data) return Number(data.int);
  throw new Unsupported("there are no complex numbers or bytes here");
}

function readArray(tf, array) {
  if (!DTYPES.includes(array.dtype)) throw new Unsupported(`tfjs has no ${array.dtype}`);
  const values = array.values.map((v) => (typeof v === "boolean" ? Number(v) : readNumber(v)));
  const kind = array.dtype === "float32" ? Float32Array : array.dtype === "int32" ? Int32Array : Uint8Array;
  return tf.tensor(kind.from(values), array.shape, array.dtype);
}

// JSON text of a float: JavaScript's own would lose the sign of zero, and has no word for what is not finite.
function floatText(value) {
  if (Number.isNaN(value)) return '"nan"';
  if (!Number.isFinite(value)) return value > 0 ? '"inf"' : '"-inf"';
  if (Object.is(value, -0)) return "-0.0";
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(1) : String(value);
}

function arrayText(tensor) {
  const write = { float32: floatText, int32: String, bool: (v) => (v ? "true" : "false") }[tensor.dtype];
  if (!write) throw new Unsupported(`tfjs gave the dtype ${tensor.dtype}`);
  if (!tensor.shape.every(Number.isInteger)) throw new Error(`tfjs gave the shape [${tensor.shape}]`);
  const data = tensor.dataSync();
  if (data.length !== tensor.size) throw new Error(`tfjs gave ${data.length} values for the shape [${tensor.shape}]`);
  const values = Array.from(data, write).join(",");
  return `{"dtype":"${tensor.dtype}","shape":${JSON.stringify(tensor.shape)},"values":[${values}]}`;
}

module.exports = { Unsupported, DTYPES, readArray, readScalar, arrayText };
