// Runs a program, step by step: an error does not end it, and what rests on something that was not made is skipped.
"use strict";

const { table, OF_TWO, SEVERAL } = require("./ops.js");
const { Tape, Value, Variable, floating, gradients, recorded } = require("./replay.js");
const { Unsupported, arrayText, readArray, readScalar } = require("./values.js");

const ABSENT = Symbol("absent");
const READS = new Set(["identity", "convert_to_tensor", "method.read_value", "method.value"]);

const OF_LISTS = new Set(["concat", "stack", "add_n"]);

// What the library says of what it does not have.
const LACKING = /gradient function not found|not (yet )?(supported|implemented)/i;

// The names of what TensorFlow's named tuples hold.
const KEYS = { "math.top_k": ["values", "indices"] };

class Skip extends Error {}

class Interpreter {
  constructor(tf) {
    this.tf = tf;
    this.ops = table(tf);
  }

  // The observations of a program as JSON texts; `seen` is told each.
  run(program, seen) {
    const open = [];
    this.open = open;
    this.values = [];
    this.variables = new Map();
    return this.tf.tidy(() => {
      const texts = [];
      program.steps.forEach((step, at) => {
        texts.push(this.observed(step, at));
        seen(at, texts[at]);
      });
      return { texts };
    }).texts;
  }

  observed(step, at) {
    try {
      const made = this.step(step, at);
      this.values[at] = made.value;
      return made.done ? '{"saw":"done"}' : this.describe(made.value, at);
    } catch (error) {
      this.values[at] = ABSENT;
      if (error instanceof Skip) return '{"saw":"skipped"}';
      if (error instanceof Unsupported || LACKING.test(error.message)) return JSON.stringify({ saw: "unsupported", reason: error.message });
      return JSON.stringify({ saw: "raised", cls: error.constructor.name, message: String(error.message) });
    }
  }

  describe(value, at) {
    if (value === null || value === undefined) return '{"saw":"none"}';
    if (value instanceof Value) return `{"array":${arrayText(value.data)},"saw":"tensor"}`;
    if (value instanceof Variable) return `{"saw":"variable","step":${this.variables.get(value) ?? at}}`;
    if (value instanceof Nest) {
      const keys = value.keys.length ? `"keys":${JSON.stringify(value.keys)},` : "";
      const items = value.items.map((one) => this.describe(one, at)).join(",");
      return `{"items":[${items}],${keys}"kind":"${value.kind}","saw":"nest"}`;
    }
    return '{"saw":"done"}';
  }

  // ---------------------------------------------------------------- operands

  operand(part) {
    switch (part.is) {
      case "ref":
        return this.reference(part);
      case "py":
        return readScalar(part.value ?? null);
      case "numpy":
        return new Value(readArray(this.tf, part.array));
      case "dtype":
        return part.name;
      case "items":
        return new Nest(part.kind, part.items.map((one) => this.operand(one)), part.keys ?? []);
      case "marker":
        if (part.name.startsWith("UnconnectedGradients.")) return part.name.split(".")[1].toLowerCase();
    }
    throw new Unsupported(`tfjs knows no operand of the kind ${part.is}`);
  }

  reference({ step, part = null, up = 0 }) {
    let value = up ? ABSENT : this.values[step];
    if (value !== ABSENT && value !== undefined && part !== null) {
      value = value instanceof Nest && part < value.items.length ? value.items[part] : ABSENT;
    }
    if (value === ABSENT || value === undefined) throw new Skip();
    return value;
  }

  // ---------------------------------------------------------------- steps

  step(step, at) {
    switch (step.do) {
      case "constant":
        return { value: new Value(readArray(this.tf, step.array)) };
      case "make_variable":
        return { value: this.variable(step, at) };
      case "assign":
        return { value: this.assign(step) };
      case "call":
        return { value: this.call(step) };
      case "gradient":
        return { value: this.gradient(step) };
    }
    return { value: this.tapeStep(step), done: true };
  }

  tapeStep(step) {
    switch (step.do) {
      case "make_tape":
        return new Tape(step.watch_accessed_variables ? Boolean(this.operand(step.watch_accessed_variables)) : true);
      case "enter": {
        const tape = this.operand(step.context);
        this.open.push(tape);
        return tape;
      }
      case "exit": {
        const at = this.open.lastIndexOf(this.operand(step.context));
        if (at >= 0) this.open.splice(at, 1);
        return null;
      }
      case "watch": {
        const tape = this.operand(step.tape);
        leaves(this.operand(step.tensor)).map((one) => this.valueOf(one)).filter((one) => floating(one.data))
          .forEach((one) => tape.watched.add(one));
        return null;
      }
    }
    throw new Unsupported(`tfjs has no step ${step.do}`);
  }

  variable(step, at) {
    const made = new Variable(new Value(this.valueOf(this.operand(step.initial)).data), step.trainable ?? true);
    this.variables.set(made, at);
    return made;
  }

  assign(step) {
    const variable = this.operand(step.variable);
    if (!(variable instanceof Variable)) throw new Unsupported("only whole variables are assigned to");
    const given = this.valueOf(this.operand(step.value)).data;
    const old = variable.value.data;
    if (given.dtype !== old.dtype) throw new Unsupported("a variable is given values of its own dtype only");
    if (JSON.stringify(given.shape) !== JSON.stringify(old.shape)) throw new TypeError("the shapes differ");
    const how = { assign: () => given, assign_add: () => this.tf.add(old, given), assign_sub: () => this.tf.sub(old, given) };
    const before = variable.value;
    variable.values.push(new Value(how[step.how ?? "assign"]()));
    // who watches a variable watches what it is given
    this.open.filter((tape) => tape.watched.has(before)).forEach((tape) => tape.watched.add(variable.value));
    return variable;
  }

  // What stands where a tensor is due, as a value.
  valueOf(one) {
    if (one instanceof Variable) return this.read(one);
    if (one instanceof Value) return one;
    if (one instanceof Nest || typeof one === "boolean") throw new Unsupported("a tensor of Python's values is TensorFlow's own");
    if (typeof one === "number") return new Value(this.tf.scalar(one));
    throw new TypeError("this is no tensor");
  }

  read(variable) {
    if (variable.trainable) this.open.filter((tape) => tape.accessed).forEach((tape) => tape.watched.add(variable.value));
    return variable.value;
  }

  call(step) {
    const args = (step.args ?? []).map((one) => this.operand(one));
    const attributes = Object.fromEntries((step.kwargs ?? []).map(([name, one]) => [name, plain(this.operand(one))]));
    if (step.op === "stop_gradient") return new Value(this.valueOf(args[0]).data);
    if (step.op === "convert_to_tensor" && args[0] instanceof Value) return args[0];
    const op = READS.has(step.op) ? ([x]) => this.tf.clone(x) : this.ops[step.op];
    if (!op) throw new Unsupported(`tfjs has no ${step.op}`);
    if (args[0] instanceof Nest && !OF_LISTS.has(step.op)) throw new Unsupported(`${step.op} of a list is TensorFlow's own`);
    if (step.op === "cast" && args[0] instanceof Variable) throw new Unsupported("a cast of a variable may be that variable");
    const inputs = [];
    const shape = this.numbers(step.op, args).map((one) => this.template(one, inputs));
    const run = (raws) => {
      const made = withAll(attributes, (asked) => op(shape.map((one) => filled(one, raws)), asked), step.op);
      return Array.isArray(made) ? made : [made];
    };
    const made = recorded(this.open, run, inputs);
    const kind = SEVERAL[step.op];
    return kind ? new Nest(kind, made, KEYS[step.op] ?? []) : made[0];
  }

  // Numbers beside a tensor become values of its dtype.
  numbers(op, args) {
    const beside = args.slice(op === "where" ? 1 : 0).find((one) => one instanceof Value || one instanceof Variable);
    if (!beside || !(op === "where" || (args.length === 2 && OF_TWO.has(op.split(".").pop())))) return args;
    const dtype = (beside instanceof Variable ? beside.value : beside).data.dtype;
    const fits = (one) => typeof one === "number" && (dtype === "float32" || Number.isInteger(one));
    return args.map((one) => (fits(one) ? new Value(this.tf.scalar(one, dtype)) : one));
  }

  template(part, inputs) {
    if (part instanceof Variable || part instanceof Value) {
      inputs.push(this.valueOf(part));
      return { slot: inputs.length - 1 };
    }
    return part instanceof Nest ? part.items.map((one) => this.template(one, inputs)) : part;
  }

  gradient(step) {
    const tape = this.operand(step.tape);
    const sources = this.operand(step.sources);
    const targets = leaves(this.operand(step.target)).map((one) => this.valueOf(one));
    const given = step.output_gradients ? leaves(this.operand(step.output_gradients)) : [];
    if (given.includes(null)) throw new Unsupported("None among output gradients is TensorFlow's own");
    const seeds = given.map((one) => this.valueOf(one));
    const pairs = targets.map((one, at) => [one, seeds[at] ?? null]).filter(([one]) => floating(one.data));
    const wanted = leaves(sources);
    const histories = wanted.map((one) => (one instanceof Variable ? one.values : [one]));
    const zero = step.unconnected_gradients ? this.operand(step.unconnected_gradients) === "zero" : false;
    if (targets.some((one) => !floating(one.data) && histories.some((values) => values.includes(one)))) {
      throw new Unsupported("the gradient of an integer to itself is TensorFlow's own");
    }
    const found = gradients(this.tf, this.open, tape, pairs, histories).map((one, at) =>
      one === null && zero ? new Value(this.tf.zerosLike(this.valueOf(wanted[at]).data)) : one,
    );
    return packed(sources, found);
  }
}

class Nest {
  constructor(kind, items, keys) {
    this.kind = kind;
    this.items = items;
    this.keys = keys;
  }
}

// The places of a dict in the order of its keys, which is how nests are flattened.
function places(nest) {
  const every = nest.items.map((_, at) => at);
  return nest.kind === "dict" ? every.sort((a, b) => (nest.keys[a] < nest.keys[b] ? -1 : 1)) : every;
}

function leaves(nest) {
  return nest instanceof Nest ? places(nest).flatMap((at) => leaves(nest.items[at])) : [nest];
}

function packed(nest, found) {
  if (!(nest instanceof Nest)) return found.shift();
  const items = [];
  for (const at of places(nest)) items[at] = packed(nest.items[at], found);
  return new Nest(nest.kind, items, nest.keys);
}

// Calls with attributes; one that the op does not ask for would be passed over in silence, so it is unsupported.
function withAll(attributes, call, op) {
  const asked = new Set();
  const check = () => {
    const passed = Object.keys(attributes).find((name) => !asked.has(name));
    if (passed) throw new Unsupported(`${op} has no ${passed} in tfjs`);
  };
  const watched = new Proxy(attributes, { get: (all, name) => (asked.add(name), all[name]) });
  try {
    const made = call(watched);
    check();
    return made;
  } catch (error) {
    check(); // what was passed over may be why it failed
    throw error;
  }
}

function plain(value) {
  return value instanceof Nest ? value.items.map(plain) : value;
}

function filled(part, raws) {
  if (Array.isArray(part)) return part.map((one) => filled(one, raws));
  return part !== null && typeof part === "object" && "slot" in part ? raws[part.slot] : part;
}

module.exports = { Interpreter };
