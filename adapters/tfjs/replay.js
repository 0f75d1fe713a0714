// A tape on top of TensorFlow.js's functional gradients, as `adapters/third_party/replay.py` makes one: ops run at once
// and are written down; a gradient replays the section between sources and targets and the library differentiates it.
"use strict";

const { Unsupported } = require("./values.js");

class Value {
  constructor(data) {
    this.data = data;
  }
}

class Variable {
  constructor(value, trainable) {
    this.values = [value];
    this.trainable = trainable;
  }
  get value() {
    return this.values[this.values.length - 1];
  }
}

class Tape {
  constructor(accessed) {
    this.accessed = accessed;
    this.records = [];
    this.watched = new Set();
  }
  // Watched values and all that was computed from them.
  known() {
    const known = new Set(this.watched);
    for (const record of this.records) {
      if (record.inputs.some((one) => known.has(one))) record.outputs.forEach((one) => known.add(one));
    }
    return known;
  }
}

const floating = (data) => data !== null && data !== undefined && data.dtype === "float32";

// Runs an op and writes it down on the open tapes.
function recorded(open, run, inputs, inside = new Set()) {
  const made = run(inputs.map((one) => one.data)).map((data) => new Value(data));
  const record = { run, inputs, inside, made, outputs: made.filter((one) => floating(one.data)) };
  open.forEach((tape) => tape.records.push(record));
  return made;
}

// The records between sources and targets, and a function that gives the sources' gradients.
function section(tf, records, sources, pairs) {
  const fixed = new Set(sources);
  const reached = new Set(sources);
  const ahead = [];
  for (const record of records) {
    if (!record.inputs.some((one) => reached.has(one))) continue;
    ahead.push(record);
    record.outputs.forEach((one) => reached.add(one));
  }
  const wanted = pairs.filter(([target]) => reached.has(target));
  const needed = new Set(wanted.map(([target]) => target).filter((one) => !fixed.has(one)));
  const kept = [];
  for (const record of ahead.reverse()) {
    if (!record.outputs.some((one) => needed.has(one))) continue;
    kept.unshift(record);
    record.inputs.forEach((one) => fixed.has(one) || needed.add(one));
  }
  const used = new Set(wanted.map(([target]) => target));
  kept.forEach((record) => record.inputs.forEach((one) => used.add(one)));
  const own = sources.filter((one) => used.has(one));
  const inside = new Set(kept.flatMap((record) => record.made).filter((one) => !fixed.has(one)));
  const outer = new Set(own);
  kept.forEach((record) => record.inputs.forEach((one) => inside.has(one) || outer.add(one)));
  wanted.forEach(([, seed]) => seed && outer.add(seed));
  const inputs = [...outer];

  function run(raws) {
    const outside = new Map(inputs.map((one, at) => [one, raws[at]]));
    const replayed = (values) => {
      const known = new Map(outside);
      own.forEach((one, at) => known.set(one, values[at]));
      for (const record of kept) {
        const made = record.run(record.inputs.map((one) => known.get(one) ?? one.data));
        record.made.forEach((one, at) => fixed.has(one) || known.set(one, made[at]));
      }
      return wanted.map(([target]) => known.get(target) ?? target.data);
    };
    const seeds = wanted.map(([, seed]) => (seed ? outside.get(seed) : null));
    return vjp(tf, replayed, own.map((one) => outside.get(one)), seeds);
  }
  return { own, inputs, inside, run, kept, wanted };
}

function vjp(tf, replayed, inputs, seeds) {
  // a node of its own for each input, so that no other way to it is counted
  const leaves = inputs.map((one) => tf.clone(one));
  if (seeds.length === 1) {
    return tf.engine().gradients(() => replayed(leaves)[0], leaves, seeds[0], true).grads;
  }
  const total = () =>
    replayed(leaves)
      .map((y, at) => tf.sum(seeds[at] ? tf.mul(y, seeds[at]) : y))
      .reduce((a, b) => tf.add(a, b));
  return tf.engine().gradients(total, leaves, null, true).grads;
}

// Whether a target rests on a recorded gradient within which one of the sources is computed.
function hidden(records, sources, targets) {
  const needed = new Set(targets);
  for (const record of [...records].reverse()) {
    if (!record.outputs.some((one) => needed.has(one))) continue;
    if (sources.some((one) => record.inside.has(one))) return true;
    record.inputs.forEach((one) => needed.add(one));
  }
  return false;
}

function oneRestsOnAnother(records, sources) {
  const own = new Set(sources);
  const reached = new Set(sources);
  for (const record of records) {
    if (!record.inputs.some((one) => reached.has(one))) continue;
    if (record.outputs.some((one) => own.has(one))) return true;
    record.outputs.forEach((one) => reached.add(one));
  }
  return false;
}

// The gradient of each source (a list of the values it had), or null.
function gradients(tf, open, tape, pairs, sources) {
  const known = tape.known();
  const records = tape.records.filter((record) => record.inputs.some((one) => known.has(one)));
  pairs.forEach(([target]) => known.add(target)); // a target's gradient to itself asks for no watching
  const inputs = sources.map((values) => values.filter((one) => known.has(one)));
  const every = [...new Set(inputs.flat())];
  const groups = oneRestsOnAnother(records, every) ? every.map((one) => [one]) : every.length ? [every] : [];
  if (hidden(tape.records, every, pairs.map(([target]) => target))) {
    throw new Unsupported("a value inside an inner gradient cannot be a source of an outer one in a replay");
  }
  const found = new Map();
  for (const group of groups) {
    const part = section(tf, records, group, pairs);
    if (!part.own.length) continue;
    if (!part.kept.length && part.wanted.length === 1) {
      const [target, seed] = part.wanted[0]; // the gradient of a target to itself is the seed
      found.set(part.own[0], seed ?? new Value(tf.onesLike(target.data)));
      continue;
    }
    const made = recorded(open, part.run, part.inputs, part.inside);
    part.own.forEach((one, at) => made[at].data !== null && made[at].data !== undefined && found.set(one, made[at]));
  }
  return inputs.map((values) => {
    const there = values.map((one) => found.get(one)).filter(Boolean);
    return there.length ? there.reduce((a, b) => recorded(open, ([x, y]) => [tf.add(x, y)], [a, b])[0]) : null;
  });
}

module.exports = { Value, Variable, Tape, floating, recorded, gradients };
