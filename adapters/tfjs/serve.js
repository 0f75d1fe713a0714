// TensorFlow.js behind the process protocol (docs/protocol.md): node serve.js [folder that holds node_modules]
"use strict";

const path = require("path");
const readline = require("readline");

const FEATURES = [
  "variables", "assign", "persistent", "several_tapes", "nesting", "nests", "output_gradients", "unconnected_gradients",
  "numpy_operands",
];

const answers = process.stdout.write.bind(process.stdout);
console.log = console.info = console.warn = console.error; // what the library prints must not disturb the protocol

function write(text) {
  answers(text + "\n");
}

function library() {
  const places = [process.argv[2], __dirname, process.cwd()].filter(Boolean).map((one) => path.resolve(one));
  return require(require.resolve("@tensorflow/tfjs", { paths: places }));
}

function greet(tf, ops) {
  write(
    JSON.stringify({
      protocol: 1,
      language: 1,
      identity: { name: "tfjs", version: tf.version.tfjs, details: { node: process.version, backend: "cpu" } },
      capabilities: { ops, features: FEATURES, dtypes: ["float32", "int32", "bool"], errors: "raised", warnings: false },
    }),
  );
}

function serve(line, interpreter) {
  let id = "";
  try {
    const asked = JSON.parse(line);
    id = String(asked.id);
    const name = JSON.stringify(id);
    if (asked.program.version > 1) throw new Error(`tfjs reads version 1 of the language, not ${asked.program.version}`);
    const seen = (at, text) => asked.trace && write(`{"id":${name},"step":${at},"observation":${text}}`);
    const texts = interpreter.run(asked.program, seen);
    write(`{"id":${name},"observations":[${texts.join(",")}]}`);
  } catch (error) {
    write(JSON.stringify({ id, error: String(error.message).replace(/\n/g, " ") }));
  }
}

try {
  const tf = library();
  tf.setBackend("cpu");
  const { Interpreter } = require("./interpreter.js");
  const interpreter = new Interpreter(tf);
  greet(tf, [...Object.keys(interpreter.ops), "identity", "convert_to_tensor", "method.read_value", "stop_gradient"]);
  readline.createInterface({ input: process.stdin }).on("line", (line) => serve(line, interpreter));
} catch (error) {
  write(JSON.stringify({ protocol: 1, error: String(error.message).split("\n")[0] }));
  process.exitCode = 1;
}
