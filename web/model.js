// What the view lines of a run have said so far. Lines only add: a model of all lines is the run.
import { exact, inUnit, onAxis, sum } from "./exact.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {{name: string, type: string}} Field */
/** @typedef {{id: number, values: (Exact | string)[], label: string, stack: number}} Key */
/** A value of a key: a number, or counts by bucket.
 * @typedef {Exact | Map<number, Exact>} Value */
/** @typedef {{time: number, since: number, rows: Map<number, Value>}} Column */
/** @typedef {{layout: number, time: number, cpu: number, tid: number, probe: string, values: (Exact | string)[]}} Rec */
/** @typedef {{begin: number, end: number, lane: string, name: string}} Span */
/** A statement that adds to an aggregation (src/front/derivable.h).
 * @typedef {{text: string, left?: string, right?: string, keys: string[], value: string}} Use */
/** How numbers of a view, or of an aggregation, are measured: "ns", or nothing.
 * @typedef {string | undefined} Unit */
/** @typedef {{kind: string, title: string, aggregations: number[], layouts: number[], ticks: string[], unit?: string, root?: string}} Spec */

// Older ones are no longer shown; a recording has them.
const MOST_RECORDS = 1_000_000;
// More columns are merged, two and two: sums stay.
const MOST_COLUMNS = 3600;

export class Aggregation {
  /** @param {{name: string, function: string, adds_up: boolean, keys: Field[], unit?: string, compared?: boolean, pieces?: string[], uses?: Use[]}} plan */
  constructor(plan) {
    this.name = plan.name;
    this.function = plan.function;
    this.addsUp = plan.adds_up;
    this.fields = plan.keys;
    this.unit = plan.unit;
    this.isCompared = plan.compared === true;
    this.pieces = plan.pieces ?? [];
    this.uses = plan.uses ?? [];
    this.isHistogram = /quantize$/.test(plan.function);
    /** @type {Key[]} */ this.keys = [];
    /** @type {Column[]} */ this.columns = [];
    /** @type {Map<number, {low: Exact, high: Exact}>} */ this.buckets = new Map();
    /** @type {Map<number, Value> | null} */ this.rows = null;
    this.normal = /** @type {Exact} */ (1);
    /** By stack, of the recording that this is compared with.
     * @type {Map<number, Value> | null} */ this.base = null;
    this.stamp = 0;  // changes with each column
    /** @type {{stamp: number, range: string, all: Map<number, Value>} | null} */ this.known = null;
  }

  /** @param {Column} column */
  add(column) {
    this.columns.push(column);
    this.stamp++;
    if (this.columns.length <= MOST_COLUMNS) return;
    /** @type {Column[]} */
    const merged = [];
    for (let i = 0; i < this.columns.length; i += 2) {
      const a = this.columns[i], b = this.columns[i + 1];
      if (!b) { merged.push(a); continue; }
      const rows = this.addsUp ? new Map(a.rows) : new Map(b.rows);
      if (this.addsUp) for (const [key, value] of b.rows) rows.set(key, added(rows.get(key), value));
      merged.push({ time: b.time, since: a.since, rows });
    }
    this.columns = merged;
  }

  /** Those of a range of time, which ends at the columns that it has.
   * @param {[number, number] | null} range */
  within(range) {
    return range ? this.columns.filter((c) => c.time > range[0] && c.time <= range[1]) : this.columns;
  }

  /** What was added, or the last values, by key.
   * @param {[number, number] | null} range
   * @returns {Map<number, Value>} */
  totals(range) {
    const text = String(range);
    if (this.known?.stamp === this.stamp && this.known.range === text) return this.known.all;
    const columns = this.within(range);
    /** @type {Map<number, Value>} */ let all = new Map();
    if (this.addsUp) all = sumOf(columns);
    else for (const column of columns) for (const [key, value] of column.rows) all.set(key, value);
    this.known = { stamp: this.stamp, range: text, all };
    return all;
  }

  /** The same of all but a range.
   * @param {[number, number]} range */
  totalsOutside(range) {
    return sumOf(this.columns.filter((c) => c.time <= range[0] || c.time > range[1]));
  }

  /** The exact values that a bucket holds; where they have a unit, also as people say them.
   * @param {number} bucket
   * @param {string} [unit] */
  bucketText(bucket, unit) {
    const exactly = this.rangeText(bucket, String);
    if (!unit) return exactly;
    const readable = this.rangeText(bucket, (value) => inUnit(value, unit));
    return exactly + " " + unit + (readable.replaceAll(" " + unit, "") === exactly ? "" : " (" + readable + ")");
  }

  /** @param {number} bucket
   * @param {(value: Exact) => string} text */
  rangeText(bucket, text) {
    const at = this.buckets.get(bucket);
    if (!at) return "?";
    const low = isLeast(at.low) ? null : at.low, high = isMost(at.high) ? null : at.high;
    if (low === null && high === null) return "any value";
    if (low === null) return "at most " + text(at.high);
    if (high === null) return "at least " + text(at.low);
    return at.low === at.high ? text(at.low) : text(at.low) + " to " + text(at.high);
  }

  /** In which bucket the median of values is, and other percentiles. What is between the ends of a bucket is not known.
   * @param {Map<number, Exact>} counts
   * @param {string} [unit] */
  percentiles(counts, unit) {
    const all = [...counts].filter(([, count]) => count > 0).sort((a, b) => a[0] - b[0]);
    const total = BigInt(all.reduce((/** @type {Exact} */ whole, [, count]) => sum(whole, count), 0));
    return [50n, 90n, 99n, 100n].map((part) => {
      let below = 0n;
      const at = all.find(([, count]) => (below += BigInt(count)) * 100n >= total * part);
      return (part === 100n ? "largest " : "p" + part + " ") + (at ? this.rangeText(at[0], (value) => inUnit(value, unit)) : "-");
    }).join(", ");
  }

  /** What names a bucket on an axis, as the text does: powers of two of either sign; of ranges of equal width, the least.
   * @param {number} bucket
   * @param {string} [unit] */
  bucketLabel(bucket, unit) {
    const at = this.buckets.get(bucket);
    if (!at) return "";
    const text = (/** @type {Exact} */ value) => (unit || Math.abs(Number(value)) >= 1e6 ? onAxis(Number(value), unit) : String(value));
    if (isLeast(at.low)) return "\u2264 " + text(at.high);
    const isMirrored = this.function !== "lquantize" && Number(at.high) < 0;
    return (isMost(at.high) ? "\u2265 " : "") + text(isMirrored ? at.high : at.low);
  }
}

/** @param {Exact} value */
const isLeast = (value) => value === -(2n ** 63n);
/** @param {Exact} value */
const isMost = (value) => value === 2n ** 63n - 1n;

/** What columns have together, by key.
 * @param {Column[]} columns
 * @returns {Map<number, Value>} */
function sumOf(columns) {
  /** @type {Map<number, Value>} */ const all = new Map();
  for (const column of columns) {
    for (const [key, value] of column.rows) {
      const at = all.get(key);
      if (value instanceof Map && at instanceof Map) {
        for (const [bucket, count] of value) at.set(bucket, sum(at.get(bucket) ?? 0, count));
      } else {
        all.set(key, value instanceof Map ? new Map(value) : added(at, value));
      }
    }
  }
  return all;
}

/** @param {Value | undefined} a
 * @param {Value} b
 * @returns {Value} */
export function added(a, b) {
  if (a === undefined) return b;
  if (a instanceof Map && b instanceof Map) {
    const out = new Map(a);
    for (const [bucket, count] of b) out.set(bucket, sum(out.get(bucket) ?? 0, count));
    return out;
  }
  return sum(/** @type {Exact} */ (a), /** @type {Exact} */ (b));
}

/** The number of a value: of a histogram, how many values it has.
 * @param {Value} value
 * @returns {Exact} */
export function weight(value) {
  if (!(value instanceof Map)) return value;
  let all = /** @type {Exact} */ (0);
  for (const count of value.values()) all = sum(all, count);
  return all;
}

/** A hint says it of the view; lines of several aggregations may have several.
 * @param {Spec} spec
 * @param {Aggregation} aggregation
 * @returns {Unit} */
export function unitOf(spec, aggregation) {
  return spec.aggregations.length === 1 ? spec.unit : aggregation.unit;
}

export class Model {
  constructor() {
    this.title = "";
    this.host = "";
    this.kernel = "";
    this.start = 0n;  // ns since 1970
    this.end = 0;     // the latest time, ns since the start
    this.isOver = false;
    this.status = 0;
    /** @type {Spec[]} */ this.views = [];
    /** @type {Aggregation[]} */ this.aggregations = [];
    /** @type {Map<number, {probes: string[], probe_count: number, values: Field[]}>} */ this.layouts = new Map();
    /** @type {{name: string, code: string}[]} */ this.frames = [];
    /** @type {number[][]} */ this.stacks = [];
    /** @type {Map<number, Rec[]>} */ this.records = new Map();
    /** @type {Map<number, Span[]>} */ this.spans = new Map();
    /** @type {Map<number, {matched: number, unmatched: number, open: number}>} */ this.spanTotals = new Map();
    /** Where there were more: since when at the earliest, when that was known, and how long there were no more.
     * @type {{since: number, time: number, until: number, total: Exact, kinds: Record<string, Exact>}[]} */ this.drops = [];
    this.recordCount = 0;
    this.forgotten = 0;  // records that are no longer here
    this.version = 0;    // changes with each line
  }

  /** @param {string} text one line */
  addText(text) {
    if (text !== "") this.add(JSON.parse(text));
  }

  /** @param {any} line */
  add(line) {
    this.version++;
    switch (line.type) {
      case "plan": this.plan(line); break;
      case "frames":
        line.frames.forEach((/** @type {[string, string]} */ [name, code], /** @type {number} */ i) => {
          this.frames[line.first + i] = { name, code };
        });
        break;
      case "stack": this.stacks[line.id] = line.frames; break;
      case "key": this.key(line); break;
      case "buckets":
        for (const [bucket, low, high] of line.buckets) {
          this.aggregations[line.aggregation].buckets.set(bucket, { low: exact(low), high: exact(high) });
        }
        break;
      case "base": this.aggregations[line.aggregation].base = rowsOf(line.rows); break;
      case "column": this.column(line); break;
      case "rows": {
        const aggregation = this.aggregations[line.aggregation];
        aggregation.rows = rowsOf(line.rows);
        aggregation.normal = exact(line.normal);
        break;
      }
      case "record": this.record(line); break;
      case "span": {
        const spans = this.spans.get(line.view) ?? [];
        spans.push({ begin: Number(line.begin), end: Number(line.end), lane: line.lane, name: line.name });
        if (spans.length > MOST_RECORDS) spans.splice(0, MOST_RECORDS / 10);
        this.spans.set(line.view, spans);
        break;
      }
      case "spans": this.spanTotals.set(line.view, line); break;
      case "drops": {
        const last = this.drops[this.drops.length - 1];
        const total = exact(line.total);
        const time = Number(line.time);
        if (last && last.total === total) last.until = time;
        else this.drops.push({ since: last ? last.until : 0, time, until: time, total, kinds: line.kinds });
        break;
      }
      case "end":
        this.isOver = true;
        this.status = line.status;
        this.end = Math.max(this.end, Number(line.time));
        break;
      default: break;  // of a later version
    }
  }

  /** @param {any} line */
  plan(line) {
    this.title = line.title;
    this.host = line.host;
    this.kernel = line.kernel;
    this.start = BigInt(line.start);
    this.views = line.views;
    this.aggregations = line.aggregations.map((/** @type {any} */ one) => new Aggregation(one));
    for (const one of line.records) this.layouts.set(one.layout, one);
  }

  /** @param {any} line */
  key(line) {
    const aggregation = this.aggregations[line.aggregation];
    const values = line.values.map((/** @type {any} */ value, /** @type {number} */ i) =>
      aggregation.fields[i].type === "number" ? exact(value) : value);
    const words = values.map((/** @type {any} */ value, /** @type {number} */ i) =>
      aggregation.fields[i].type === "stack" ? this.stackText(value) : String(value));
    if (line.others) words.push("(other)");
    aggregation.keys[line.id] = { id: line.id, values, label: words.join(", ") || (words.length > 0 ? "(empty)" : ""), stack: line.stack ?? -1 };
  }

  /** The innermost frame, for labels.
   * @param {number} id */
  stackText(id) {
    const frames = this.stacks[id] ?? [];
    return frames.length === 0 ? "[no frames]" : this.frames[frames[frames.length - 1]].name;
  }

  /** @param {any} line */
  column(line) {
    const aggregation = this.aggregations[line.aggregation];
    const last = aggregation.columns[aggregation.columns.length - 1];
    const time = Number(line.time);
    aggregation.add({ time, since: last ? last.time : 0, rows: rowsOf(line.rows) });
    this.end = Math.max(this.end, time);
  }

  /** @param {any} line */
  record(line) {
    const fields = this.layouts.get(line.layout)?.values ?? [];
    const records = this.records.get(line.layout) ?? [];
    records.push({
      layout: line.layout, time: Number(line.time), cpu: line.cpu, tid: line.tid ?? -1, probe: line.probe ?? "",
      values: line.values.map((/** @type {any} */ value, /** @type {number} */ i) =>
        fields[i] && fields[i].type !== "text" && fields[i].type !== "bytes" ? exact(value) : value),
    });
    this.recordCount++;
    if (records.length > MOST_RECORDS) {
      records.splice(0, MOST_RECORDS / 10);
      this.forgotten += MOST_RECORDS / 10;
    }
    this.records.set(line.layout, records);
    this.end = Math.max(this.end, Number(line.time));
  }

  /** Drops until now. */
  dropped() {
    const last = this.drops[this.drops.length - 1];
    return last ? last.total : 0;
  }

  /** The probe of a record.
   * @param {Rec} record */
  probeOf(record) {
    return record.probe || (this.layouts.get(record.layout)?.probes[0] ?? "");
  }

  /** "17:02:03.123" of this browser's time zone.
   * @param {number} ns since the start */
  clock(ns) {
    const ms = Number((this.start + BigInt(Math.round(ns))) / 1000000n);
    const at = new Date(ms);
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    return two(at.getHours()) + ":" + two(at.getMinutes()) + ":" + two(at.getSeconds()) + "." +
      String(at.getMilliseconds()).padStart(3, "0");
  }
}

/** @param {any[]} rows
 * @returns {Map<number, Value>} */
function rowsOf(rows) {
  /** @type {Map<number, Value>} */ const all = new Map();
  for (const [key, value] of rows) {
    if (!Array.isArray(value)) { all.set(key, exact(value)); continue; }
    /** @type {Map<number, Exact>} */ const counts = new Map();
    for (let i = 0; i < value.length; i += 2) counts.set(value[i], exact(value[i + 1]));
    all.set(key, counts);
  }
  return all;
}
