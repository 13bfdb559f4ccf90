// Tables: of aggregations, with bars; of records, of which only the rows on the screen are elements; and of any
// picture, for those who want its numbers.
import { brief, compare, grouped, inUnit, several } from "./exact.js";
import { unitOf, weight } from "./model.js";
import { button, element, shownText, Surface, themed } from "./draw.js";
import { AXIS, LEFT, RIGHT } from "./axis.js";
import { HUES } from "./palette.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {(Exact | string)[]} Row */

const STEP = 20;

export class SortedTable {
  /** @param {HTMLElement} into
   * @param {string} label */
  constructor(into, label) {
    this.box = element("div", "scroll");
    this.more = button("", "Shows more rows", () => { this.count += STEP * 4; this.fill(); });
    this.label = label;
    this.count = STEP;
    this.word = "";
    /** @type {string[]} */ this.columns = [];
    /** @type {Row[]} */ this.rows = [];
    this.sorted = -1;
    this.isDown = true;
    this.isChosen = false;  // by a person
    into.append(this.box, this.more);
  }

  /** @param {string[]} columns
   * @param {Row[]} rows
   * @param {boolean} hasBars the last column is drawn, too
   * @param {import("./model.js").Unit} [unit] of the last column */
  set(columns, rows, hasBars, unit) {
    this.unit = unit;
    if (this.sorted < 0 && hasBars) this.sorted = columns.length - 1;
    this.columns = columns;
    this.rows = rows;
    this.hasBars = hasBars;
    this.fill();
  }

  /** @param {string} word */
  search(word) {
    this.word = word.toLowerCase();
    this.fill();
  }

  ordered() {
    const rows = this.word === "" ? [...this.rows] : this.rows.filter((row) => row.some((cell) => String(cell).toLowerCase().includes(this.word)));
    const at = this.sorted;
    if (at < 0) return rows;
    const order = (/** @type {Row} */ a, /** @type {Row} */ b) =>
      typeof a[at] !== "string" && typeof b[at] !== "string" ? compare(/** @type {Exact} */ (a[at]), /** @type {Exact} */ (b[at])) : String(a[at]).localeCompare(String(b[at]));
    return rows.sort((a, b) => (this.isDown ? -order(a, b) : order(a, b)));
  }

  fill() {
    const rows = this.ordered(), last = this.columns.length - 1;
    const most = this.hasBars ? this.rows.reduce((a, row) => Math.max(a, Number(row[last])), 0) : 0;
    const least = this.hasBars ? this.rows.reduce((a, row) => Math.min(a, Number(row[last])), 0) : 0;
    const percentOf = (/** @type {number} */ value) => (most > least ? 100 * value / (most - least) : 0) + "%";
    const head = element("tr", "", ...this.columns.map((name, i) => {
      const cell = element("th", this.rows.length > 0 && typeof this.rows[0][i] !== "string" ? "number" : "");
      cell.setAttribute("scope", "col");
      cell.setAttribute("aria-sort", i !== this.sorted ? "none" : this.isDown ? "descending" : "ascending");
      cell.append(button(shownText(name) + (i === this.sorted ? (this.isDown ? " \u25be" : " \u25b4") : ""), "Sorts by this column", () => {
        this.isDown = i === this.sorted ? !this.isDown : typeof this.rows[0]?.[i] !== "string";
        this.sorted = i;
        this.isChosen = true;
        this.fill();
      }));
      return cell;
    }));
    const body = rows.slice(0, this.count).map((row) => {
      const cells = row.map((cell, i) => element("td", typeof cell === "string" ? "text" : "number", typeof cell === "string" ? long(cell) : i === last ? grouped(cell) : String(cell)));
      if (this.unit) cells.push(element("td", "readable", inUnit(/** @type {Exact} */ (row[last]), this.unit)));
      if (this.hasBars) {
        const bar = element("div", "bar");
        bar.style.width = percentOf(Math.abs(Number(row[last])));
        if (least < 0) bar.style.marginLeft = percentOf(Math.min(0, Number(row[last])) - least);
        cells.push(element("td", "bars", bar));
      }
      return element("tr", "", ...cells);
    });
    if (this.unit) head.append(element("th", ""));
    if (this.hasBars) head.append(element("th", "bars"));
    const table = element("table", "", element("thead", "", head), element("tbody", "", ...body));
    table.setAttribute("aria-label", this.label);
    this.box.replaceChildren(table);
    this.more.hidden = rows.length <= this.count;
    this.more.textContent = grouped(Math.max(0, rows.length - this.count)) + " more rows";
  }
}

/** A text of which three lines are seen, and all of it after a click.
 * @param {string} text */
function long(text) {
  const shown = shownText(text) || "(empty)";
  if (shown.length < 60) return shown;
  const box = element("div", "long", shown);
  box.addEventListener("click", () => box.classList.toggle("whole"));
  return box;
}

/** Numbers that are near each other: an axis has at most so many places. */
const MOST_ON_AXIS = 256;

export class AggregationTable {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.aggregation = page.model.aggregations[spec.aggregations[0]];
    this.rows = new SortedTable(into, spec.title);
    this.info = element("p", "info");
    into.append(this.info);
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { sort: this.rows.isChosen ? this.rows.sorted + (this.rows.isDown ? "" : "up") : "" };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    const sort = /^(\d+)(up)?$/.exec(choices.sort ?? "");
    this.rows.isChosen = sort !== null;
    this.rows.sorted = sort ? Math.min(Number(sort[1]), this.aggregation.fields.length) : this.aggregation.fields.length;
    this.rows.isDown = !sort?.[2];
  }

  draw() {
    const { columns, rows } = this.table();
    // The largest first; CPUs and other small numbers in their order, as on an axis.
    if (!this.rows.isChosen) {
      const keys = columns.length === 2 && rows.length > 1 && rows.every((row) => typeof row[0] !== "string") ? rows.map((row) => Number(row[0])) : [];
      const isAxis = keys.length > 1 && keys.reduce((a, b) => Math.max(a, b)) - keys.reduce((a, b) => Math.min(a, b)) < MOST_ON_AXIS;
      this.rows.sorted = isAxis ? 0 : columns.length - 1;
      this.rows.isDown = !isAxis;
    }
    // Of a histogram, the table says how many values there are.
    const unit = this.aggregation.isHistogram ? undefined : unitOf(this.spec, this.aggregation);
    this.rows.set(columns.map((name, i) => (unit && i === columns.length - 1 ? name + ", " + unit : name)), rows, true, unit);
    this.info.textContent = this.page.rangeNote(this.aggregation);
    this.info.hidden = this.info.textContent === "";
  }

  /** @param {string} word */
  search(word) {
    this.rows.search(word);
  }

  /** The values of a key; the keys that have no row of their own are one without values.
   * @param {number} key
   * @returns {(Exact | string)[]} */
  cells(key) {
    const { fields, keys } = this.aggregation;
    return fields.map((field, i) => {
      const value = keys[key].values[i] ?? (i === 0 ? keys[key].label : "");
      return field.type === "stack" ? this.page.model.stackText(Number(value)) : value;
    });
  }

  table() {
    const { aggregation } = this, range = this.page.axis.range;
    // As printed, once that is known; of a range, what was added in it.
    const totals = range === null && aggregation.rows ? aggregation.rows : aggregation.totals(range);
    const rows = [...totals].map(([key, value]) => [
      ...this.cells(key), weight(value)]);
    return { columns: [...aggregation.fields.map((field) => field.name || "key"), aggregation.name.startsWith("@") ? aggregation.function + "()" : aggregation.name], rows };
  }
}

const EVENT_ROW = 22, SHOWN = 14;

export class Events {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.word = "";
    this.surface = new Surface("Events of " + spec.title);
    this.body = element("div", "rows");
    this.scroll = element("div", "virtual", this.body);
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "table");
    this.scroll.setAttribute("aria-label", spec.title);
    this.scroll.style.height = (SHOWN + 1) * EVENT_ROW + "px";
    this.info = element("p", "info");
    /** @type {import("./model.js").Rec[]} */ this.shown = [];
    into.append(element("div", "stage", this.surface.canvas), this.scroll, this.info);
    this.scroll.addEventListener("scroll", () => this.fill());
    page.axis.listen(this.surface, (event) => this.hover(event), () => {});
  }

  records() {
    const range = this.page.axis.range;
    const all = this.spec.layouts.flatMap((layout) => this.page.model.records.get(layout) ?? []);
    if (this.spec.layouts.length > 1) all.sort((a, b) => a.time - b.time);
    return all.filter((record) => (!range || (record.time >= range[0] && record.time <= range[1])) &&
      (this.word === "" || record.values.some((value) => String(value).toLowerCase().includes(this.word))));
  }

  /** @param {string} word */
  search(word) {
    this.word = word.toLowerCase();
    this.draw();
  }

  fields() {
    return this.page.model.layouts.get(this.spec.layouts[0])?.values ?? [];
  }

  /** Whether records say which probe they are of: if all are of one, the title does. */
  hasProbes() {
    const { spec, page } = this;
    return spec.layouts.length !== 1 || (page.model.layouts.get(spec.layouts[0])?.probe_count ?? 0) !== 1;
  }

  /** The first number of a record, or nothing.
   * @param {import("./model.js").Rec} record */
  height(record) {
    const value = record.values.find((one, i) => typeof one !== "string" && this.fields()[i]?.type === "number");
    return value === undefined ? null : Number(value);
  }

  draw() {
    this.shown = this.records();
    const height = 120, g = this.surface.begin(height), width = this.surface.width, bottom = height - AXIS, top = 8;
    const axis = this.page.axis;
    axis.draw(g, width, top, bottom);
    let low = 0, high = 1;
    for (const record of this.shown) {
      const value = this.height(record);
      if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    }
    g.fillStyle = HUES[0];
    g.globalAlpha = this.shown.length > 5000 ? 0.4 : 0.75;
    const seen = new Set();
    for (const record of this.shown) {
      const x = Math.round(axis.x(record.time, width)), value = this.height(record);
      const y = value === null ? (top + bottom) / 2 : Math.round(bottom - ((value - low) / (high - low)) * (bottom - top - 4) - 2);
      const at = x * 1024 + y;
      if (x < LEFT || x > width - RIGHT || seen.has(at)) continue;
      seen.add(at);
      g.fillRect(x - 1.5, y - 1.5, 4, 4);
    }
    g.globalAlpha = 1;
    g.textAlign = "right";
    g.fillStyle = themed("--dim");
    g.font = "11px system-ui, sans-serif";
    if (this.shown.some((record) => this.height(record) !== null)) {
      g.fillText(brief(high), LEFT - 8, top + 4);
      g.fillText(brief(low), LEFT - 8, bottom - 4);
    }
    g.textAlign = "left";
    axis.drawOver(g, width, top, bottom);
    const { model } = this.page;
    this.info.textContent = several(this.shown.length, "record") + (model.forgotten > 0 ? "; " + grouped(model.forgotten) + " older ones are not here: -x record keeps all" : "");
    this.fill();
  }

  fill() {
    const first = Math.floor(this.scroll.scrollTop / EVENT_ROW);
    this.body.style.height = (this.shown.length + 1) * EVENT_ROW + "px";
    const probe = (/** @type {string} */ text) => (this.hasProbes() ? [text] : []);
    const rows = [this.row(["time", "cpu", "thread", ...probe("probe"), ...this.fields().map((field) => field.name)], this.scroll.scrollTop, "top")];
    this.shown.slice(first, first + SHOWN + 1).forEach((record, i) => {
      const values = record.values.map((_, k) => this.valueText(record, k));
      rows.push(this.row([this.page.model.clock(record.time), String(record.cpu), record.tid < 0 ? "" : String(record.tid), ...probe(shownText(this.page.model.probeOf(record))), ...values], (first + i + 1) * EVENT_ROW, ""));
    });
    this.body.replaceChildren(...rows);
  }

  /** A value as it is shown.
   * @param {import("./model.js").Rec} record
   * @param {number} at */
  valueText(record, at) {
    const value = record.values[at];
    if (this.fields()[at]?.type === "stack") return this.page.model.stackText(Number(value));
    return typeof value === "string" ? shownText(value) : String(value);
  }

  /** @param {string[]} cells
   * @param {number} top
   * @param {string} name */
  row(cells, top, name) {
    const made = element("div", "row " + name, ...cells.map((cell, i) => {
      const field = this.fields()[i - (this.hasProbes() ? 4 : 3)];
      const at = element("span", i === 3 && this.hasProbes() ? "probe" : field && field.type !== "number" ? "text" : "", cell);
      if (cell.length > 12) at.title = cell.slice(0, 2000);
      at.setAttribute("role", name === "top" ? "columnheader" : "cell");
      return at;
    }));
    made.setAttribute("role", "row");
    made.style.top = top + "px";
    return made;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const width = this.surface.width, { x } = this.surface.at(event);
    let near = null;
    for (const record of this.shown) {
      const distance = Math.abs(this.page.axis.x(record.time, width) - x);
      if (distance < 5 && (near === null || distance < near.distance)) near = { record, distance };
    }
    if (!near) { this.page.tooltip.hide(); return; }
    const { record } = near;
    this.page.tooltip.show(event, [this.page.model.clock(record.time) + " " + this.page.model.probeOf(record), ...this.fields().map((field, i) => field.name + " = " + this.valueText(record, i))]);
  }

  table() {
    return { columns: ["time", "cpu", "thread", "probe", ...this.fields().map((field) => field.name)],
      rows: this.shown.map((record) => [this.page.model.clock(record.time), record.cpu, record.tid, this.page.model.probeOf(record), ...record.values]) };
  }
}
