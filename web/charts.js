// Lines over time, and histograms.
import { grouped, inUnit, measured, onAxis, sum } from "./exact.js";
import { unitOf, weight } from "./model.js";
import { choice, element, entryName, fitted, Surface, themed, ticks } from "./draw.js";
import { AXIS, LEFT, RIGHT } from "./axis.js";
import { HUES, OTHER_HUE } from "./palette.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** values: by the time of a column. Of averages and extremes, a key that a column has not has no value in it.
 * @typedef {{label: string, unit: import("./model.js").Unit, hue: string, dash: number[], values: Map<number, Exact>, begins: Map<number, number>, total: Exact, addsUp: boolean}} Series */

/** The highest value of each key, of averages and extremes.
 * @param {import("./model.js").Column[]} columns */
function highest(columns) {
  /** @type {Map<number, Exact>} */ const all = new Map();
  for (const column of columns) {
    for (const [key, value] of column.rows) {
      const at = all.get(key), here = weight(value);
      if (at === undefined || here > at) all.set(key, here);
    }
  }
  return all;
}

const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [], [6, 3], [2, 2]];

export class LineChart {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.aggregations = spec.aggregations.map((index) => page.model.aggregations[index]);
    this.surface = new Surface("Lines of " + spec.title);
    this.legend = element("div", "legend");
    // Sums of keys of one aggregation stand on each other; of several, or of averages, never.
    this.canStack = this.aggregations.length === 1 && this.aggregations[0].addsUp && this.aggregations[0].fields.length > 0;
    this.isStacked = this.canStack;
    this.isLog = false;
    this.left = 0;  // keys of averages and extremes that have no line
    this.known = { stamp: "", all: /** @type {Series[]} */ ([]) };
    const tools = element("div", "tools");
    this.formChoice = choice("Form", ["areas", "lines"], "areas", (word) => { this.isStacked = word === "areas"; this.draw(); });
    this.axisChoice = choice("Axis (l)", ["linear", "log"], "linear", (word) => { this.isLog = word === "log"; this.draw(); });
    if (this.canStack) tools.append(element("label", "", "as ", this.formChoice));
    tools.append(element("label", "", "axis ", this.axisChoice));
    into.append(tools, element("div", "stage", this.surface.canvas), this.legend);
    page.axis.listen(this.surface, (event) => this.hover(event), () => {});
    this.surface.canvas.addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        event.preventDefault();
        this.step(event.key === "ArrowRight" ? 1 : -1);
      }
      if (event.key !== "l") return;
      this.isLog = !this.isLog;
      this.axisChoice.value = this.isLog ? "log" : "linear";
      event.stopPropagation();
      this.draw();
    });
    this.surface.canvas.addEventListener("blur", () => page.tooltip.hide());
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { as: this.isStacked === this.canStack ? "" : "lines", axis: this.isLog ? "log" : "" };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    this.isStacked = this.canStack && choices.as !== "lines";
    this.formChoice.value = this.isStacked ? "areas" : "lines";
    this.isLog = choices.axis === "log";
    this.axisChoice.value = this.isLog ? "log" : "linear";
  }

  series() {
    const stamp = this.aggregations.map((one) => one.stamp).join();
    if (this.known.stamp !== stamp) this.known = { stamp, all: this.madeSeries() };
    return this.known.all;
  }

  /** @returns {Series[]} */
  madeSeries() {
    /** @type {Series[]} */ const all = [];
    this.left = 0;
    for (const aggregation of this.aggregations) {
      const begins = new Map(aggregation.columns.map((column) => [column.time, column.since]));
      const totals = [...(aggregation.addsUp ? aggregation.totals(null) : highest(aggregation.columns))].map(([key, value]) => ({ key, total: weight(value) }))
        .sort((a, b) => (a.total < b.total ? 1 : a.total > b.total ? -1 : a.key - b.key));
      const room = Math.max(1, HUES.length - all.length);
      totals.slice(0, room).forEach(({ key, total }) => {
        const label = aggregation.keys[key].label;
        all.push({ unit: unitOf(this.spec, aggregation), label: this.aggregations.length > 1 ? aggregation.name + (label ? " " + label : "") : label || aggregation.name,
          hue: HUES[all.length % HUES.length], dash: DASHES[all.length % DASHES.length], total, addsUp: aggregation.addsUp, begins,
          values: new Map(aggregation.columns.filter((column) => aggregation.addsUp || column.rows.has(key)).map((column) => [column.time, weight(column.rows.get(key) ?? 0)])) });
      });
      const rest = new Set(totals.slice(room).map((one) => one.key));
      if (!aggregation.addsUp) this.left += rest.size;
      if (rest.size === 0 || !aggregation.addsUp) continue;
      /** @type {Map<number, Exact>} */ const values = new Map();
      let total = /** @type {Exact} */ (0);
      for (const column of aggregation.columns) {
        let here = /** @type {Exact} */ (0);
        for (const [key, value] of column.rows) if (rest.has(key)) here = sum(here, weight(value));
        values.set(column.time, here);
        total = sum(total, here);
      }
      all.push({ unit: unitOf(this.spec, aggregation), label: grouped(rest.size) + " more", hue: OTHER_HUE, dash: [], total, addsUp: true, begins, values });
    }
    return all;
  }

  times() {
    return [...new Set(this.aggregations.flatMap((one) => one.columns.map((column) => column.time)))].sort((a, b) => a - b);
  }

  draw() {
    const height = 210, g = this.surface.begin(height), width = this.surface.width, bottom = height - AXIS, top = 10;
    const axis = this.page.axis, [from, to] = axis.shown();
    const series = this.series(), times = this.times();
    // Areas of sums below 0 would cover others.
    const isStacked = this.isStacked && series.every((one) => [...one.values.values()].every((value) => value >= 0));
    this.formChoice.value = isStacked ? "areas" : "lines";
    axis.draw(g, width, top, bottom);
    let high = 1, low = 0;
    for (const time of times) {
      if (time < from || time > to) continue;
      const here = series.map((one) => Number(one.values.get(time) ?? 0));
      if (isStacked) high = Math.max(high, here.reduce((a, b) => a + b, 0)); else { high = Math.max(high, ...here); low = Math.min(low, ...here); }
    }
    const scale = (/** @type {number} */ value) => this.isLog ? Math.log10(Math.max(1, value)) : value;
    const y = (/** @type {number} */ value) => bottom - ((scale(value) - scale(low)) / (scale(high) - scale(low) || 1)) * (bottom - top);
    this.drawScale(g, width, low, high, y);
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, width - LEFT - RIGHT, bottom + 1);
    g.clip();
    const below = new Map();
    for (const one of series) {
      const points = times.filter((time) => !one.addsUp || one.values.has(time)).flatMap((time) => {
        const value = Number(one.values.get(time) ?? 0), under = isStacked ? (below.get(time) ?? 0) : 0;
        below.set(time, under + value);
        const point = { x: axis.x(time, width), y: y(under + value), under: y(under), has: one.values.has(time) };
        // What was counted in a column is as wide as the column: so one that is short, as the last, is seen to be short.
        return one.addsUp ? [{ ...point, x: axis.x(one.begins.get(time) ?? 0, width) }, point] : [point];
      });
      if (points.length === 0) continue;
      g.beginPath();
      points.forEach((point, i) => { if (point.has) { if (i > 0 && points[i - 1].has) g.lineTo(point.x, point.y); else g.moveTo(point.x, point.y); } });
      if (isStacked) {
        for (const point of [...points].reverse()) g.lineTo(point.x, point.under);
        g.closePath();
        g.fillStyle = one.hue;
        g.globalAlpha = 0.82;
        g.fill();
        g.globalAlpha = 1;
        g.strokeStyle = themed("--paper");
        g.lineWidth = 1;
        g.stroke();
      } else {
        g.strokeStyle = one.hue;
        g.lineWidth = 1.75;
        g.setLineDash(one.dash);
        g.stroke();
        g.setLineDash([]);
        // A value without neighbours is a dot.
        g.fillStyle = one.hue;
        if (!one.addsUp) points.forEach((point, i) => { if (point.has && (points.length < 60 || !(points[i - 1]?.has || points[i + 1]?.has))) g.fillRect(point.x - 2, point.y - 2, 4, 4); });
      }
    }
    g.restore();
    axis.drawOver(g, width, top, bottom);
    this.drawLegend(series);
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {number} width
   * @param {number} low
   * @param {number} high
   * @param {(value: number) => number} y */
  drawScale(g, width, low, high, y) {
    g.textAlign = "right";
    g.font = "11px system-ui, sans-serif";
    const at = this.isLog ? Array.from({ length: Math.ceil(Math.log10(high + 1)) + 1 }, (_, i) => 10 ** i).filter((n) => n <= high) : ticks(low, high, 4);
    for (const value of at) {
      g.fillStyle = themed("--line");
      g.fillRect(LEFT, Math.round(y(value)), width - LEFT - RIGHT, 1);
      g.fillStyle = themed("--dim");
      g.fillText(onAxis(value, this.spec.unit), LEFT - 8, y(value));
    }
    g.textAlign = "left";
  }

  /** @param {Series[]} series */
  drawLegend(series) {
    if (series.length === 0) this.legend.replaceChildren(element("span", "info", this.page.rangeNote(this.aggregations[0])));
    else this.legend.replaceChildren(...series.map((one) => {
      const swatch = element("span", "swatch");
      swatch.style.background = one.hue;
      return element("span", "chip", swatch, entryName(one.label), ...(one.addsUp ? [element("span", "number", inUnit(one.total, one.unit))] : []));
    }), ...(this.left > 0 ? [element("span", "chip", grouped(this.left) + " more keys, which only the table shows")] : []));
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const width = this.surface.width, time = this.page.axis.time(this.surface.at(event).x, width), times = this.times();
    if (times.length === 0 || this.surface.at(event).x < LEFT) { this.page.tooltip.hide(); return; }
    const near = times.reduce((a, b) => (Math.abs(b - time) < Math.abs(a - time) ? b : a));
    // Of what is counted, the column in which the pointer is.
    this.tell(this.aggregations.some((one) => one.addsUp) ? times.find((one) => one >= time) ?? near : near, event);
  }

  /** The values of a column.
   * @param {number} time
   * @param {{clientX: number, clientY: number}} at */
  tell(time, at) {
    const all = this.series(), since = Math.min(...all.filter((one) => one.addsUp && one.begins.has(time)).map((one) => one.begins.get(time) ?? 0));
    const lines = [(since < time ? this.page.model.clock(since) + " to " : "") + this.page.model.clock(time)];
    for (const one of all) {
      if (one.addsUp && !one.values.has(time)) continue;
      const value = one.values.get(time);
      lines.push(one.label + ": " + (value === undefined ? "no value" : measured(value, one.unit)));
    }
    this.page.tooltip.show(at, lines);
  }

  /** From column to column.
   * @param {number} by */
  step(by) {
    const [from, to] = this.page.axis.shown(), times = this.times().filter((time) => time >= from && time <= to), { cursor } = this.page.axis;
    if (times.length === 0) return;
    const at = cursor === null ? -1 : times.findIndex((time) => time >= cursor);
    const time = times[cursor === null ? times.length - 1 : Math.max(0, Math.min(times.length - 1, (at < 0 ? times.length : at) + by))];
    this.page.axis.cursor = time;
    this.page.moved();
    const box = this.surface.canvas.getBoundingClientRect();
    this.tell(time, { clientX: box.left + this.page.axis.x(time, this.surface.width), clientY: box.top + 20 });
  }

  table() {
    const rows = [];
    for (const aggregation of this.aggregations) {
      for (const column of aggregation.columns) {
        for (const [key, value] of column.rows) rows.push([this.page.model.clock(column.time), aggregation.name, aggregation.keys[key].label, weight(value)]);
      }
    }
    return { columns: ["until", "aggregation", "key", "value"], rows };
  }
}

const MOST_KEYS = 24;

export class Histograms {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.aggregation = page.model.aggregations[spec.aggregations[0]];
    this.surface = new Surface("Histograms of " + spec.title);
    this.isLog = false;
    this.word = "";
    this.info = element("p", "info");
    /** @type {{x: number, y: number, width: number, height: number, key: number, bucket: number, count: Exact, total: Exact, counts: Map<number, Exact>}[]} */ this.bars = [];
    this.axisChoice = choice("Axis of the counts (l)", ["linear", "log"], "linear", (word) => { this.isLog = word === "log"; this.draw(); });
    into.append(element("div", "tools", element("label", "", "counts ", this.axisChoice)), element("div", "stage", this.surface.canvas), this.info);
    const canvas = this.surface.canvas;
    canvas.addEventListener("mousemove", (event) => {
      const { x, y } = this.surface.at(event);
      const bar = this.bars.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
      if (!bar) { page.tooltip.hide(); return; }
      page.tooltip.show(event, [this.aggregation.bucketText(bar.bucket, spec.unit), grouped(bar.count) + " of " + grouped(bar.total), this.aggregation.keys[bar.key].label,
        this.aggregation.percentiles(bar.counts, spec.unit)]);
    });
    canvas.addEventListener("mouseleave", () => page.tooltip.hide());
    canvas.addEventListener("keydown", (event) => {
      if (event.key !== "l") return;
      this.isLog = !this.isLog;
      this.axisChoice.value = this.isLog ? "log" : "linear";
      event.stopPropagation();
      this.draw();
    });
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { axis: this.isLog ? "log" : "" };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    this.isLog = choices.axis === "log";
    this.axisChoice.value = this.isLog ? "log" : "linear";
  }

  /** @param {string} word */
  search(word) {
    this.word = word.toLowerCase();
    this.draw();
  }

  draw() {
    const totals = [...this.aggregation.totals(this.page.axis.range)]
      .map(([key, value]) => ({ key, counts: /** @type {Map<number, Exact>} */ (value), total: weight(value) }))
      .filter((one) => one.counts instanceof Map && (this.word === "" || this.aggregation.keys[one.key].label.toLowerCase().includes(this.word)))
      .sort((a, b) => (a.total < b.total ? 1 : a.total > b.total ? -1 : a.key - b.key));
    const shown = totals.slice(0, MOST_KEYS);
    const width = Math.max(200, this.surface.canvas.parentElement ? this.surface.canvas.parentElement.clientWidth : 800);
    const across = Math.max(1, Math.min(shown.length, Math.floor(width / 330)));
    const row = 17, head = 26, gap = 18;
    const heights = shown.map((one) => head + row * this.buckets(one.counts).length);
    /** @type {number[]} */ const lines = [];
    for (let i = 0; i < shown.length; i += across) lines.push(Math.max(...heights.slice(i, i + across)) + gap);
    const g = this.surface.begin(Math.max(40, lines.reduce((a, b) => a + b, 0)));
    this.bars = [];
    let top = 0;
    shown.forEach((one, i) => {
      if (i > 0 && i % across === 0) top += lines[i / across - 1];
      this.one(g, one, (i % across) * (width / across), top, width / across - 24, row, head);
    });
    const more = totals.length > shown.length ? "the " + shown.length + " largest of " + grouped(totals.length) + " keys; a search shows others, and t all as a table" : "";
    this.info.textContent = [this.page.rangeNote(this.aggregation), more].filter((text) => text).join("; ");
  }

  /** From the lowest to the highest that has something.
   * @param {Map<number, Exact>} counts */
  buckets(counts) {
    const all = [...counts.keys()].sort((a, b) => a - b);
    if (all.length === 0 || all[all.length - 1] - all[0] > 64) return all;
    return Array.from({ length: all[all.length - 1] - all[0] + 1 }, (_, i) => all[0] + i);
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {{key: number, counts: Map<number, Exact>, total: Exact}} one
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} row
   * @param {number} head */
  one(g, one, left, top, width, row, head) {
    const most = Math.max(1, ...[...one.counts.values()].map(Number));
    const share = (/** @type {number} */ n) => this.isLog ? Math.log1p(n) / Math.log1p(most) : n / most;
    g.fillStyle = themed("--ink");
    g.font = "600 12px system-ui, sans-serif";
    const label = this.aggregation.fields.length === 0 ? this.aggregation.name : this.aggregation.keys[one.key].label;
    g.fillText(fitted(g, label, width - 110), left, top + 11);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = themed("--dim");
    g.textAlign = "right";
    g.fillText(grouped(one.total), left + width, top + 11);
    const names = 84, room = width - names - 76;
    this.buckets(one.counts).forEach((bucket, i) => {
      const count = one.counts.get(bucket) ?? 0, y = top + head + i * row;
      g.textAlign = "right";
      g.fillStyle = themed("--dim");
      g.fillText(fitted(g, this.page.bucketName(this.aggregation, bucket, this.spec.unit), names - 8), left + names - 8, y + row / 2);
      g.fillStyle = themed("--faint");
      g.fillRect(left + names, y + 1, room, row - 3);
      const length = count < 0 ? 0 : Math.max(Number(count) > 0 ? 1.5 : 0, room * share(Number(count)));
      g.fillStyle = themed("--bar");
      g.fillRect(left + names, y + 1, length, row - 3);
      g.fillStyle = themed("--ink");
      g.textAlign = "left";
      g.fillText(grouped(count), left + names + room + 8, y + row / 2);
      this.bars.push({ x: left, y, width, height: row, key: one.key, bucket, count, total: one.total, counts: one.counts });
    });
    g.textAlign = "left";
  }

  table() {
    const rows = [];
    for (const [key, value] of this.aggregation.totals(this.page.axis.range)) {
      if (!(value instanceof Map)) continue;
      for (const [bucket, count] of [...value].sort((a, b) => a[0] - b[0])) rows.push([this.aggregation.keys[key].label, this.aggregation.bucketText(bucket), count]);
    }
    return { columns: ["key", "values", "count"], rows };
  }
}
