// Programs that are derived of the one that is shown: the same under a condition, or by another key. The page writes
// their text and starts nothing: a person with the rights to trace runs it.
import { grouped, sum } from "./exact.js";
import { button, choice, element, shownText } from "./draw.js";
import { weight } from "./model.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** What a program is narrowed to: values of keys by their place, those of a bucket; another key.
 * @typedef {{keys: Map<number, Exact | string>, bucket: number | null, by: string}} Narrowing */

const MOST_VALUES = 200;
/** What can be a key wherever a probe fires. */
const MORE_KEYS = ["execname", "pid", "tid", "cpu", "uid", "probefunc", "zonename", "ustack()", "stack()"];

/** A value as D writes it: of a text, all but what is safe in every shell and file is escaped. Nothing: its bytes are not known.
 * @param {Exact | string} value
 * @param {boolean} isText
 * @returns {string | null} */
export function literal(value, isText) {
  if (!isText) return /^-?\d+$/.test(String(value)) ? String(value) : null;
  const text = String(value);
  if (text.includes("\ufffd")) return null;
  let out = "\"";
  for (const byte of new TextEncoder().encode(text)) {
    const c = String.fromCharCode(byte);
    out += /[A-Za-z0-9_./ -]/.test(c) ? c : "\\" + byte.toString(8).padStart(3, "0");
  }
  return out + "\"";
}

/** The text of a program, and null where it cannot be narrowed so.
 * @param {import("./model.js").Aggregation} aggregation
 * @param {Narrowing} to
 * @returns {string | null} */
export function narrowedProgram(aggregation, to) {
  const { pieces, uses } = aggregation;
  if (pieces.length === 0) return null;
  let out = pieces[0];
  for (let i = 0; i < uses.length; i++) {
    const use = uses[i];
    /** @type {string[]} */ const conditions = [];
    for (const [key, value] of to.keys) {
      const text = literal(value, aggregation.fields[key].type === "text");
      if (!use.keys[key] || text === null) return null;
      conditions.push("(" + use.keys[key] + ") == " + text);
    }
    if (to.bucket !== null) {
      const range = aggregation.buckets.get(to.bucket);
      if (!range || use.value === "") return null;
      if (range.low !== -(2n ** 63n)) conditions.push("(int64_t)(" + use.value + ") >= " + range.low);
      if (range.high !== 2n ** 63n - 1n) conditions.push("(int64_t)(" + use.value + ") <= " + range.high);
    }
    if (to.by !== "" && use.left === undefined) return null;
    const text = to.by === "" ? use.text : use.left + to.by + use.right;
    // With its own else, so that one of the script stays with the if before it.
    out += (conditions.length > 0 ? "if (" + conditions.join(" && ") + ") { " + text + " } else { }" : text) + pieces[i + 1];
  }
  return out;
}

/** A part of a card: choices, and the program that they mean. */
export class Narrow {
  /** @param {HTMLElement} into
   * @param {import("./model.js").Aggregation} aggregation
   * @param {string | undefined} unit */
  constructor(into, aggregation, unit) {
    this.aggregation = aggregation;
    this.unit = unit;
    /** @type {Narrowing} */ this.to = { keys: new Map(), bucket: null, by: "" };
    this.program = "";
    this.tools = element("div", "tools");
    this.text = element("pre", "program");
    this.text.tabIndex = 0;
    this.text.setAttribute("aria-label", "The program");
    this.said = element("span", "");
    this.said.setAttribute("role", "status");
    const copy = button("Copy", "Copies the program", () => this.copy());
    into.append(element("p", "", "The same program for less, or by one key more. This page starts nothing: run it in place of the first one, with the options and arguments of that."),
      this.tools, this.text, element("div", "tools", copy, this.said));
    this.draw();
  }

  /** What was selected in the picture.
   * @param {{keys?: Map<number, Exact | string>, bucket?: number | null}} selected */
  select({ keys, bucket }) {
    if (keys) this.to.keys = new Map([...keys].filter(([key, value]) => this.canNarrow(key) && literal(value, this.aggregation.fields[key].type === "text") !== null));
    if (bucket !== undefined && this.aggregation.uses.every((use) => use.value !== "")) this.to.bucket = bucket;
    this.draw();
  }

  /** What is chosen, as words of the page's address.
   * @returns {import("./page.js").Choices} */
  choices() {
    const { keys, bucket, by } = this.to;
    /** @type {import("./page.js").Choices} */ const out = { narrow: "1" };
    for (const [key, value] of keys) out["narrow.key." + key] = String(value);
    if (bucket !== null) out["narrow.bucket"] = String(bucket);
    if (by !== "") out["narrow.by"] = by;
    return out;
  }

  /** Of an address, which anybody can have written: what is none of the choices has no effect.
   * @param {import("./page.js").Choices} choices */
  choose(choices) {
    /** @type {Map<number, string>} */ const keys = new Map();
    for (const [word, value] of Object.entries(choices)) {
      const key = /^narrow\.key\.(\d{1,3})$/.exec(word), field = key && this.aggregation.fields[Number(key[1])];
      if (field) keys.set(Number(key[1]), value);
    }
    const bucket = this.hasBuckets() && /^\d{1,9}$/.test(choices["narrow.bucket"] ?? "") ? Number(choices["narrow.bucket"]) : null;
    this.to.by = this.moreKeys().includes(choices["narrow.by"]) ? choices["narrow.by"] : "";
    this.select({ keys, bucket });
  }

  /** Whether a range of values can be chosen. */
  hasBuckets() {
    return this.aggregation.isHistogram && this.aggregation.uses.every((use) => use.value !== "");
  }

  /** What can be one key more. */
  moreKeys() {
    if (this.aggregation.uses.some((use) => use.left === undefined)) return [];
    const known = new Set(this.aggregation.fields.map((field) => field.name));
    return MORE_KEYS.filter((key) => !known.has(key));
  }

  /** @param {number} key */
  canNarrow(key) {
    return this.aggregation.uses.every((use) => use.keys[key] !== "");
  }

  draw() {
    const { aggregation, to } = this;
    /** @type {HTMLElement[]} */ const all = [];
    aggregation.fields.forEach((field, key) => {
      if (this.canNarrow(key)) all.push(this.keyChoice(key, field));
    });
    if (this.hasBuckets()) {
      const buckets = [...aggregation.buckets.keys()].sort((a, b) => a - b);
      all.push(this.one("values", "any", buckets.map((bucket) => [String(bucket), aggregation.bucketText(bucket, this.unit)]), to.bucket === null ? "" : String(to.bucket),
        (value) => { to.bucket = value === "" ? null : Number(value); }));
    }
    const more = this.moreKeys();
    if (more.length > 0) all.push(this.one("also by", "nothing", more.map((key) => [key, key]), to.by, (value) => { to.by = value; }));
    this.tools.replaceChildren(...all);
    this.program = narrowedProgram(aggregation, to) ?? "";
    this.text.textContent = this.program.split("\n").map((line) => line.split("\t").map(shownText).join("\t")).join("\n");
    this.said.textContent = "";
  }

  /** The values of a key, with the largest first.
   * @param {number} key
   * @param {{name: string, type: string}} field */
  keyChoice(key, field) {
    const { aggregation, to } = this;
    /** @type {Map<string, Exact>} */ const weights = new Map();
    for (const [id, value] of aggregation.totals(null)) {
      if (aggregation.keys[id].values.length === 0) continue;  // those beyond the bound
      const text = String(aggregation.keys[id].values[key]);
      if (literal(text, field.type === "text") !== null) weights.set(text, sum(weights.get(text) ?? 0, aggregation.addsUp ? weight(value) : 1));
    }
    const values = [...weights].sort((a, b) => (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0)).slice(0, MOST_VALUES).map(([text]) => text);
    const now = to.keys.has(key) ? String(to.keys.get(key)) : null;
    if (now !== null && !values.includes(now)) values.unshift(now);
    // A text may be empty: what is chosen is its place.
    return this.one(field.name, "any", values.map((text, i) => [String(i), shownText(text) || "(empty)"]), now === null ? "" : String(values.indexOf(now)),
      (value) => { if (value === "") to.keys.delete(key); else to.keys.set(key, values[Number(value)]); });
  }

  /** @param {string} label
   * @param {string} none
   * @param {string[][]} options values, and what they are called
   * @param {string} value
   * @param {(value: string) => void} act */
  one(label, none, options, value, act) {
    const select = choice(label, [""], "", (word) => { act(word); this.draw(); });
    select.replaceChildren(...[["", none], ...options].map(([word, name]) => {
      const option = /** @type {HTMLOptionElement} */ (element("option", "", name));
      option.value = word;
      return option;
    }));
    select.value = value;
    return element("label", "", shownText(label) + " ", select);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.program);
      this.said.textContent = "copied, " + grouped(this.program.length) + " characters";
    } catch {
      getSelection()?.selectAllChildren(this.text);
      this.said.textContent = "selected: copy it with the browser";
    }
  }
}
