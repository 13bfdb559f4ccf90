// Numbers that are exact: integers up to 2^53 are numbers, larger ones are BigInts. View lines have the
// larger ones as texts.

/** @typedef {number | bigint} Exact */

/** A number as a view line has it.
 * @param {number | string} value
 * @returns {Exact} */
export function exact(value) {
  return typeof value === "string" ? BigInt(value) : value;
}

/** @param {Exact} a
 * @param {Exact} b
 * @returns {Exact} */
export function sum(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const c = a + b;
    if (Number.isSafeInteger(c)) return c;
  }
  return narrowed(BigInt(a) + BigInt(b));
}

/** @param {bigint} value
 * @returns {Exact} */
function narrowed(value) {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value) : value;
}

/** -1, 0, 1.
 * @param {Exact} a
 * @param {Exact} b */
export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** "1,234,567".
 * @param {Exact} value */
export function grouped(value) {
  const text = String(value);
  const digits = text.startsWith("-") ? text.slice(1) : text;
  if (!/^\d+$/.test(digits)) return text;
  let out = "";
  for (let i = 0; i < digits.length; i++) {
    if (i > 0 && (digits.length - i) % 3 === 0) out += ",";
    out += digits[i];
  }
  return text.startsWith("-") ? "-" + out : out;
}

/** "1 record", "2,000 records".
 * @param {Exact} count
 * @param {string} noun */
export function several(count, noun) {
  return grouped(count) + " " + noun + (count === 1 ? "" : "s");
}

/** "12.34 %" of a whole.
 * @param {Exact} part
 * @param {Exact} whole */
export function percent(part, whole) {
  const of = Number(whole);
  return of === 0 ? "0 %" : (100 * Number(part) / of).toFixed(2) + " %";
}

/** A number for an axis: "1.5k", "20M".
 * @param {number} value */
export function brief(value) {
  const size = Math.abs(value);
  for (const [limit, letter] of /** @type {[number, string][]} */ ([[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (size >= limit) return trimmed((value / limit).toPrecision(3)) + letter;
  }
  return trimmed(size >= 1 || size === 0 ? String(Math.round(value * 1000) / 1000) : value.toPrecision(2));
}

/** @param {string} text */
function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

/** A length of time: "1.2 ms".
 * @param {number} ns */
export function duration(ns) {
  const size = Math.abs(ns);
  if (size >= 60e9) return trimmed((ns / 60e9).toFixed(1)) + " min";
  if (size >= 1e9) return trimmed((ns / 1e9).toPrecision(4)) + " s";
  if (size >= 1e6) return trimmed((ns / 1e6).toPrecision(4)) + " ms";
  if (size >= 1e3) return trimmed((ns / 1e3).toPrecision(4)) + " us";
  return String(ns) + " ns";
}

/** How many ns a unit of plans has.
 * @type {Record<string, number>} */
const UNITS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** An exact number with its unit; of a length of time also as people say it: "1,048,576 ns (1.049 ms)".
 * @param {Exact} value
 * @param {string | undefined} unit */
export function measured(value, unit) {
  if (!unit) return grouped(value);
  const text = grouped(value) + " " + unit, readable = inUnit(value, unit);
  return readable === text ? text : text + " (" + readable + ")";
}

/** "1.049 ms"; without a unit, the number.
 * @param {Exact} value
 * @param {string | undefined} unit */
export function inUnit(value, unit) {
  return unit && UNITS[unit] ? duration(Number(value) * UNITS[unit]) : grouped(value);
}

/** A number for an axis: "1.05 ms", "20M".
 * @param {number} value
 * @param {string | undefined} unit */
export function onAxis(value, unit) {
  if (!unit || !UNITS[unit]) return brief(value);
  const ns = value * UNITS[unit], size = Math.abs(ns);
  if (value === 0) return "0";
  for (const [limit, name] of /** @type {[number, string][]} */ ([[1e9, "s"], [1e6, "ms"], [1e3, "us"]])) {
    if (size >= limit) return brief(Number((ns / limit).toPrecision(3))) + " " + name;
  }
  return brief(ns) + " ns";
}

/** A place on an axis of time: "250 ms", "30 s", "1:30", "2:00:00".
 * @param {number} ns since the start */
export function clockTime(ns) {
  if (Math.abs(ns) < 60e9) return ns === 0 ? "0" : duration(ns);
  const seconds = Math.round(Math.abs(ns) / 1e8) / 10, whole = Math.floor(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const rest = seconds % 60, text = two(Math.floor(rest)) + (Number.isInteger(seconds) ? "" : "." + Math.round((seconds - whole) * 10));
  const minutes = Math.floor(whole / 60);
  return (ns < 0 ? "-" : "") + (minutes >= 60 ? Math.floor(minutes / 60) + ":" + two(minutes % 60) : minutes) + ":" + text;
}
