// Heat maps of histograms over time: x time, y buckets, luminance how many, hue which key.
import { grouped, percent, sum } from "./exact.js";
import { weight } from "./model.js";
import { button, choice, element, entryName, fitted, shownText, Surface, themed } from "./draw.js";
import { AXIS, LEFT, RIGHT } from "./axis.js";
import { cividis, HUES, mixed, OTHER_HUE, rgb } from "./palette.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {Map<number, {count: Exact, key: number, most: Exact}>} Cells */
/** Cells one behind the other; counts are those of colours, and not exact. like: what colours were made for.
 * @typedef {{buckets: Int32Array, keys: Int32Array, counts: Float64Array, most: number, colours: Uint32Array, like: string}} Flat */

const OTHER = rgb(OTHER_HUE), SHADES = 255;

/** The colours of cells as pixels: of a key, by how strong it is, from 0 to SHADES.
 * @param {Map<number, [number, number, number]> | null} hues of keys; nothing: there is one key
 * @returns {(key: number, strength: number) => number} */
function shades(hues) {
  const paper = themed("--paper");
  /** By key.
   * @type {Uint32Array[]} */ const known = [];
  return (key, strength) => {
    let all = known[key];
    if (all === undefined) {
      all = Uint32Array.from({ length: SHADES + 1 }, (_, i) => {
        const [red, green, blue] = hues ? mixed(rgb(paper), hues.get(key) ?? OTHER, 0.18 + 0.82 * i / SHADES) : cividis(i / SHADES, paper);
        return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
      });
      known[key] = all;
    }
    return all[strength];
  };
}

export class HeatMap {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.aggregation = page.model.aggregations[spec.aggregations[0]];
    /** Columns do not change.
     * @type {{hidden: string, columns: WeakMap<import("./model.js").Column, Cells>}} */ this.known = { hidden: "", columns: new WeakMap() };
    /** @type {WeakMap<Cells, Flat>} */ this.flats = new WeakMap();
    /** @type {{stamp: number, rows: number[]}} */ this.knownRows = { stamp: -1, rows: [] };
    this.layer = /** @type {HTMLCanvasElement} */ (element("canvas", ""));
    this.surface = new Surface("Heat map of " + spec.title);
    /** @type {ImageData | null} */ this.image = null;
    this.scale = "log";
    /** Keys that are not shown.
     * @type {Set<number>} */ this.hidden = new Set();
    /** A cell, by the time at which its column ends: columns may be merged.
     * @type {{time: number, bucket: number} | null} */ this.selected = null;
    this.legend = element("div", "legend");
    this.shownLegend = "";
    this.detail = element("div", "detail");
    this.detail.setAttribute("aria-live", "polite");
    this.scaleChoice = choice("Scale of the counts (c)", ["log", "linear", "rank"], this.scale, (word) => { this.scale = word; this.draw(); });
    this.info = element("p", "info");
    into.append(element("div", "tools", element("label", "", "counts ", this.scaleChoice)),
      element("div", "stage", this.surface.canvas), this.legend, this.info, this.detail);
    page.axis.listen(this.surface, (event) => this.hover(event), (event) => {
      const cell = this.cellAt(event);
      this.selected = cell && { time: cell.column.time, bucket: cell.bucket };
      this.draw();
      page.selected(this);
    });
    this.surface.canvas.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** The largest keys, which have hues. */
  largest() {
    const all = [...this.aggregation.totals(null)].map(([key, value]) => ({ key, total: weight(value) }));
    return all.sort((a, b) => (a.total < b.total ? 1 : a.total > b.total ? -1 : a.key - b.key));
  }

  /** Buckets of all columns, from the lowest. */
  rows() {
    if (this.knownRows.stamp !== this.aggregation.stamp) this.knownRows = { stamp: this.aggregation.stamp, rows: this.foundRows() };
    return this.knownRows.rows;
  }

  /** @returns {number[]} */
  foundRows() {
    const seen = new Set();
    for (const column of this.aggregation.columns) {
      for (const value of column.rows.values()) if (value instanceof Map) for (const bucket of value.keys()) seen.add(bucket);
    }
    if (seen.size === 0) return [];
    const low = Math.min(...seen), high = Math.max(...seen);
    // Without holes, as distances say something; but not thousands of empty ones.
    if (high - low < 200) return Array.from({ length: high - low + 1 }, (_, i) => low + i);
    return [...seen].sort((a, b) => a - b);
  }

  /** The counts of a column by bucket, and the key that has most of each.
   *
   * @param {import("./model.js").Column} column */
  cells(column) {
    const hidden = [...this.hidden].join();
    if (this.known.hidden !== hidden) this.known = { hidden, columns: new WeakMap() };
    const found = this.known.columns.get(column);
    if (found) return found;
    /** @type {Cells} */ const cells = new Map();
    this.known.columns.set(column, cells);
    for (const [key, value] of column.rows) {
      if (!(value instanceof Map) || this.hidden.has(key)) continue;
      for (const [bucket, count] of value) {
        const at = cells.get(bucket);
        if (!at) cells.set(bucket, { count, key, most: count });
        else {
          at.count = sum(at.count, count);
          if (count > at.most) { at.key = key; at.most = count; }
        }
      }
    }
    return cells;
  }

  draw() {
    const axis = this.page.axis, buckets = this.rows();
    const height = Math.max(150, Math.min(420, buckets.length * 16)) + AXIS + 8;
    const g = this.surface.begin(height), width = this.surface.width;
    const bottom = height - AXIS, row = (bottom - 8) / Math.max(1, buckets.length);
    this.place = { buckets, row, bottom };
    axis.draw(g, width, 8, bottom);
    const keys = this.largest();
    /** @type {Map<number, [number, number, number]>} */ const hues = new Map();
    if (keys.length > 1) keys.slice(0, HUES.length).forEach(({ key }, i) => hues.set(key, rgb(HUES[i])));
    const [from, to] = axis.shown();
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, width - LEFT - RIGHT, bottom);
    g.clip();
    const columns = this.aggregation.columns.filter((c) => c.time > from && c.since < to);
    g.drawImage(this.drawCells(columns, width, bottom, row, keys.length > 1 ? hues : null), LEFT, 0, width - LEFT - RIGHT, bottom);
    const index = new Map(buckets.map((bucket, i) => [bucket, i]));
    const chosen = this.selectedColumn();
    if (this.selected && chosen) {
      const x = axis.x(chosen.since, width), end = axis.x(chosen.time, width);
      const at = index.get(this.selected.bucket) ?? 0;
      g.strokeStyle = themed("--ink");
      g.lineWidth = 2;
      g.strokeRect(x, bottom - (at + 1) * row, Math.max(2, end - x), row);
    }
    g.restore();
    this.drawBuckets(g, buckets, row, bottom);
    axis.drawOver(g, width, 8, bottom);
    this.drawLegend(keys);
    this.info.textContent = this.page.rangeNote(this.aggregation);
    this.info.hidden = this.info.textContent === "";
    this.drawDetail();
  }

  /** The cells, pixel by pixel: there may be a hundred thousand of them.
   * @param {import("./model.js").Column[]} columns
   * @param {number} width
   * @param {number} bottom
   * @param {number} row
   * @param {Map<number, [number, number, number]> | null} hues */
  drawCells(columns, width, bottom, row, hues) {
    const ratio = window.devicePixelRatio || 1, axis = this.page.axis;
    const across = Math.max(1, Math.round((width - LEFT - RIGHT) * ratio)), down = Math.max(1, Math.round(bottom * ratio));
    if (this.layer.width !== across || this.layer.height !== down) { this.layer.width = across; this.layer.height = down; }
    const g = /** @type {CanvasRenderingContext2D} */ (this.layer.getContext("2d"));
    if (!this.image || this.image.width !== across || this.image.height !== down) this.image = g.createImageData(across, down);
    const { image } = this, pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    /** Of buckets.
     * @type {number[]} */ const tops = [];
    (this.place?.buckets ?? []).forEach((bucket, at) => { tops[bucket] = Math.max(0, Math.round((bottom - (at + 1) * row) * ratio)); });
    const all = columns.map((column) => this.flat(column));
    this.colour(all, hues);
    columns.forEach((column, n) => {
      const begin = axis.x(column.since, width), end = axis.x(column.time, width);
      const x = Math.max(0, Math.round((begin - LEFT) * ratio));
      const right = Math.min(across, Math.max(x + 1, Math.round((end - LEFT - (end - begin > 6 ? 1 : 0)) * ratio)));
      const { buckets, colours } = all[n];
      for (let c = 0; c < buckets.length; c++) {
        const colour = colours[c];
        if (colour === 0) continue;
        for (let i = tops[buckets[c]] * across + x, end = i + right - x; i < end; i++) pixels[i] = colour;
      }
    });
    // The uppermost pixels of cells were set; those below are the same.
    (this.place?.buckets ?? []).forEach((bucket, at) => {
      const top = tops[bucket], low = Math.min(down, Math.max(top + 1, Math.round((bottom - at * row - (row > 6 ? 1 : 0)) * ratio)));
      for (let y = top + 1; y < low; y++) pixels.copyWithin(y * across, top * across, (top + 1) * across);
    });
    g.putImageData(image, 0, 0);
    return this.layer;
  }

  /** Makes the colours of cells, where they are not what they were: 0 where nothing was counted.
   * @param {Flat[]} columns
   * @param {Map<number, [number, number, number]> | null} hues */
  colour(columns, hues) {
    // All that colours depend on. Ranks depend on all counts that are shown.
    const most = columns.reduce((all, flat) => Math.max(all, flat.most), 1), all = [this.aggregation.stamp, this.page.axis.shown(), this.known.hidden];
    const like = JSON.stringify([this.scale, this.scale === "rank" ? all : most, themed("--paper"), hues && [...hues]]);
    if (columns.every((flat) => flat.like === like)) return;
    const level = this.levels(columns), shade = shades(hues);
    const strengths = new Int16Array(65536).fill(-1);
    for (const flat of columns) {
      if (flat.like === like) continue;
      flat.like = like;
      const { keys, counts, colours } = flat;
      for (let c = 0; c < counts.length; c++) {
        const count = counts[c];
        if (count === 0) continue;
        // Most counts are small, and come again.
        let strength = count < 65536 && count >= 0 ? strengths[count] : -1;
        if (strength < 0) {
          strength = Math.round(level(count) * SHADES);
          if (count < 65536 && count >= 0) strengths[count] = strength;
        }
        colours[c] = shade(keys[c], strength);
      }
    }
  }

  /** Cells in the form in which they are drawn.
   * @param {import("./model.js").Column} column
   * @returns {Flat} */
  flat(column) {
    const cells = this.cells(column);
    let flat = this.flats.get(cells);
    if (!flat) {
      const all = [...cells.values()];
      flat = { buckets: Int32Array.from(cells.keys()), keys: Int32Array.from(all, (cell) => cell.key),
        counts: Float64Array.from(all, (cell) => Number(cell.count)), most: 1, colours: new Uint32Array(all.length), like: "" };
      for (const count of flat.counts) flat.most = Math.max(flat.most, count);
      this.flats.set(cells, flat);
    }
    return flat;
  }

  /** How strong a count is shown, from 0 to 1.
   * @param {Flat[]} columns
   * @returns {(count: number) => number} */
  levels(columns) {
    let most = 1;
    for (const flat of columns) most = Math.max(most, flat.most);
    if (this.scale === "linear") return (count) => count / most;
    if (this.scale === "log") {
      const whole = Math.log1p(most);
      return (count) => (most === 1 ? 1 : Math.log1p(Math.max(0, count)) / whole);
    }
    const counts = new Set(columns.flatMap((flat) => [...flat.counts]));
    const sorted = [...counts].sort((a, b) => a - b);
    const ranks = new Map(sorted.map((count, i) => [count, (i + 1) / sorted.length]));
    return (count) => ranks.get(count) ?? 0;
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {number[]} buckets
   * @param {number} row
   * @param {number} bottom */
  drawBuckets(g, buckets, row, bottom) {
    g.textAlign = "right";
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = themed("--dim");
    const step = Math.ceil(14 / row);
    buckets.forEach((bucket, i) => {
      if (i % step === 0) g.fillText(fitted(g, this.page.bucketName(this.aggregation, bucket, this.spec.unit), LEFT - 10), LEFT - 8, bottom - (i + 0.5) * row);
    });
    g.textAlign = "left";
  }

  /** @param {{key: number, total: Exact}[]} keys */
  drawLegend(keys) {
    const range = this.page.axis.range;
    const shown = JSON.stringify([this.aggregation.stamp, range, [...this.hidden]]);
    if (shown === this.shownLegend) return;
    this.shownLegend = shown;
    if (keys.length < 2) { this.legend.replaceChildren(); return; }
    // Hues are those of all of the time, and numbers those of the range.
    const totals = range && this.aggregation.totals(range);
    const within = (/** @type {{key: number, total: Exact}} */ one) => totals ? weight(totals.get(one.key) ?? 0) : one.total;
    const chips = keys.slice(0, HUES.length).map((one, i) => {
      const { key } = one, chip = button("", "Shows or hides it; with Shift, it alone", () => {});
      const swatch = element("span", "swatch");
      swatch.style.background = HUES[i];
      chip.append(swatch, entryName(this.aggregation.keys[key].label), element("span", "number", grouped(within(one))));
      chip.setAttribute("aria-pressed", String(!this.hidden.has(key)));
      chip.addEventListener("click", (event) => this.toggle(key, event.shiftKey, keys));
      return chip;
    });
    const rest = keys.slice(HUES.length);
    if (rest.length > 0) {
      let total = /** @type {Exact} */ (0);
      for (const one of rest) total = sum(total, within(one));
      const swatch = element("span", "swatch");
      swatch.style.background = OTHER_HUE;
      chips.push(/** @type {any} */ (element("span", "chip", swatch, grouped(rest.length) + " more", element("span", "number", grouped(total)))));
    }
    this.legend.replaceChildren(...chips);
  }

  /** @param {number} key
   * @param {boolean} isAlone
   * @param {{key: number}[]} keys */
  toggle(key, isAlone, keys) {
    if (isAlone) {
      const others = keys.filter((one) => one.key !== key).map((one) => one.key);
      const isIt = !this.hidden.has(key) && others.every((one) => this.hidden.has(one));
      this.hidden = new Set(isIt ? [] : others);
    } else if (!this.hidden.delete(key)) {
      this.hidden.add(key);
    }
    this.draw();
  }

  /** The column of the selected cell. */
  selectedColumn() {
    const time = this.selected?.time;
    return time === undefined ? undefined : this.aggregation.columns.find((c) => c.since < time && time <= c.time);
  }

  selection() {
    return { bucket: this.selected ? this.selected.bucket : null };
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { counts: this.scale === "log" ? "" : this.scale, hidden: [...this.hidden].join("."),
      cell: this.selected ? this.selected.time + "." + this.selected.bucket : "" };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    this.scale = ["linear", "rank"].includes(choices.counts) ? choices.counts : "log";
    this.scaleChoice.value = this.scale;
    this.hidden = new Set((choices.hidden ?? "").split(".").filter((text) => text !== "").map(Number));
    const cell = /^(\d+)\.(\d+)$/.exec(choices.cell ?? "");
    this.selected = cell && { time: Number(cell[1]), bucket: Number(cell[2]) };
  }

  /** What is in the selected cell: its range, how many, and whose. */
  drawDetail() {
    const column = this.selectedColumn();
    if (!this.selected || !column) { this.detail.replaceChildren(); return; }
    const { bucket } = this.selected;
    const shares = [...column.rows].map(([key, value]) => ({
      key, count: value instanceof Map ? (value.get(bucket) ?? /** @type {Exact} */ (0)) : /** @type {Exact} */ (0),
    })).filter((one) => one.count !== 0 && !this.hidden.has(one.key)).sort((a, b) => (a.count < b.count ? 1 : a.count > b.count ? -1 : a.key - b.key));
    let total = /** @type {Exact} */ (0);
    for (const one of shares) total = sum(total, one.count);
    const rows = shares.map(({ key, count }) => element("tr", "", element("td", "", shownText(this.aggregation.keys[key].label || "(no key)")),
      element("td", "number", grouped(count)), element("td", "number", percent(count, total))));
    const table = element("table", "", element("tbody", "", ...rows));
    /** @type {Map<number, Exact>} */ const whole = new Map([...this.cells(column)].map(([one, cell]) => [one, cell.count]));
    this.detail.replaceChildren(
      element("p", "", element("strong", "", this.aggregation.bucketText(bucket, this.spec.unit)), ", " +
        this.page.model.clock(column.since) + " to " + this.page.model.clock(column.time) + ": ", element("strong", "", grouped(total)),
        this.hidden.size > 0 ? " of the keys that are shown" : ""),
      element("p", "", "of the column's " + grouped(weight(whole)) + ": " + this.aggregation.percentiles(whole, this.spec.unit)),
      ...(this.aggregation.fields.length > 0 ? [table] : []));
  }

  /** @param {MouseEvent} event */
  cellAt(event) {
    const { x, y } = this.surface.at(event), place = this.place;
    if (!place || x < LEFT || y > place.bottom) return null;
    const time = this.page.axis.time(x, this.surface.width);
    const column = this.aggregation.columns.find((c) => c.since <= time && time < c.time);
    const bucket = place.buckets[Math.floor((place.bottom - y) / place.row)];
    return column && bucket !== undefined ? { column, bucket } : null;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const cell = this.cellAt(event);
    if (!cell) { this.page.tooltip.hide(); return; }
    const at = this.cells(cell.column).get(cell.bucket);
    const lines = [this.aggregation.bucketText(cell.bucket, this.spec.unit), grouped(at ? at.count : 0) + " until " + this.page.model.clock(cell.column.time)];
    if (at && this.aggregation.fields.length > 0) lines.push("most: " + this.aggregation.keys[at.key].label + ", " + grouped(at.most));
    this.page.tooltip.show(event, lines);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "c") {
      const words = ["log", "linear", "rank"];
      this.scale = words[(words.indexOf(this.scale) + 1) % words.length];
      this.scaleChoice.value = this.scale;
    } else if (event.key.startsWith("Arrow")) {
      const columns = this.aggregation.columns, buckets = this.rows();
      if (columns.length === 0 || buckets.length === 0) return;
      const at = this.selectedColumn();
      const x = at ? columns.indexOf(at) : columns.length - 1;
      const y = this.selected ? buckets.indexOf(this.selected.bucket) : 0;
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
      this.selected = { time: columns[Math.max(0, Math.min(columns.length - 1, x + by[0]))].time, bucket: buckets[Math.max(0, Math.min(buckets.length - 1, y + by[1]))] };
    } else if (event.key === "Escape" && this.selected) {
      this.selected = null;
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    this.page.selected(this);
  }

  table() {
    const rows = [];
    for (const column of this.aggregation.columns) {
      for (const [key, value] of column.rows) {
        if (!(value instanceof Map)) continue;
        for (const [bucket, count] of value) rows.push([this.page.model.clock(column.time), this.aggregation.keys[key].label, this.aggregation.bucketText(bucket), count]);
      }
    }
    return { columns: ["until", "key", "values", "count"], rows };
  }
}
