// What happened over time: spans in lanes, and the sub-second map of samples.
import { duration, grouped, several } from "./exact.js";
import { beginning, button, element, entryName, fitted, shownText, Surface, themed } from "./draw.js";
import { AXIS, LEFT, RIGHT } from "./axis.js";
import { FlameGraph } from "./flame.js";
import { cividis, css, HUES, inkOn, mixed, OTHER_HUE, rgb } from "./palette.js";
import { addStack, root } from "./stacks.js";

/** @typedef {import("./model.js").Span} Span */
/** @typedef {{name: string, spans: (Span & {depth: number})[], depth: number, busy: number, begins: Float64Array, reach: Float64Array, rows: Row[]}} Lane
 * begins: those of the spans, without a look at each; reach: until when those so far last at most; rows: spans by depth. */
/** @typedef {{spans: (Span & {depth: number})[], begins: Float64Array, reach: Float64Array, sums: Float64Array, longest: Float64Array, tones: Uint8Array}} Row
 * sums: how long all spans before one are together; longest: of each BLOCK of spans; tones: the places of the hues of names. */

/** A span with room for itself.
 * @typedef {{span: Span, x: number, end: number, top: number}} Wide */

const LANE_ROW = 16, GAP = 6, MOST_LANES = 60, SHADES_OF_BUSY = 64, BLOCK = 64;

/** What a part of a pixel that is busy looks like: of each hue, and of other names, from a little to all of it. A little of
 * one pixel is all that there is of a short span: it stands out from the paper.
 * @param {string} paper */
function busyColours(paper) {
  const faint = rgb(paper);
  return [...HUES, OTHER_HUE].map(rgb).map((hue) => Uint32Array.from({ length: SHADES_OF_BUSY + 1 }, (_, i) => {
    const [red, green, blue] = mixed(faint, hue, 0.7 + 0.3 * i / SHADES_OF_BUSY);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }));
}

export class Timeline {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec
   * @param {number} index */
  constructor(page, into, spec, index) {
    this.page = page;
    this.spec = spec;
    this.index = index;
    this.surface = new Surface("Timeline of " + spec.title);
    this.info = element("p", "info");
    this.legend = element("div", "legend");
    this.first = 0;
    this.word = "";
    /** Where lanes are.
     * @type {{lane: Lane, y: number}[]} */ this.places = [];
    this.layer = /** @type {HTMLCanvasElement} */ (element("canvas", ""));
    this.known = -1;
    /** @type {ImageData | null} */ this.image = null;
    /** @type {{hues: Map<string, string>, most: [string, number][]} | null} */ this.knownHues = null;
    this.up = button("\u25b4 lanes above", "Shows lanes before these (Page Up)", () => this.scroll(-MOST_LANES));
    this.down = button("\u25be lanes below", "Shows lanes behind these (Page Down)", () => this.scroll(MOST_LANES));
    into.append(element("div", "tools", this.up, this.down), element("div", "stage", this.surface.canvas), this.legend, this.info);
    /** With the keyboard.
     * @type {(Span & {depth: number}) | null} */ this.selected = null;
    page.axis.listen(this.surface, (event) => this.hover(event), () => {});
    this.surface.canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !this.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.draw();
    });
  }

  /** Whether the key has a meaning: lanes before and behind, spans of a lane, the lane above or below, zoom to a span.
   * @param {string} key */
  key(key) {
    const lanes = this.lanes(), at = this.selected, lane = lanes.findIndex((one) => one.name === at?.lane);
    /** @param {Lane | undefined} to
     * @param {number} time */
    const near = (to, time) => { if (to) this.selected = to.spans[Math.min(to.spans.length - 1, firstFrom(to.begins, time, 0, to.begins.length))]; };
    switch (key) {
      case "PageUp": this.scroll(-MOST_LANES); return true;
      case "PageDown": this.scroll(MOST_LANES); return true;
      case "ArrowRight": case "ArrowLeft": case "ArrowDown": case "ArrowUp":
        if (!at || lane < 0) near(lanes[this.first], this.page.axis.shown()[0]);
        else if (key === "ArrowDown" || key === "ArrowUp") near(lanes[lane + (key === "ArrowDown" ? 1 : -1)], at.begin);
        else { const { spans } = lanes[lane]; this.selected = spans[spans.indexOf(at) + (key === "ArrowRight" ? 1 : -1)] ?? at; }
        break;
      case "Enter":
        if (at) this.page.axis.set([at.begin - (at.end - at.begin) / 4, at.end + (at.end - at.begin) / 4 + 1]);
        return at !== null;
      case "Escape":
        this.selected = null;
        return at !== null;
      default: return false;
    }
    const now = lanes.findIndex((one) => one.name === this.selected?.lane);
    if (now >= 0 && (now < this.first || now >= this.first + MOST_LANES)) this.first = now - now % MOST_LANES;
    return true;
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { lane: this.first === 0 ? "" : String(this.first) };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    this.first = /^\d+$/.test(choices.lane ?? "") ? Number(choices.lane) : 0;
  }

  /** @param {number} by */
  scroll(by) {
    this.first = Math.max(0, Math.min(this.first + by, this.lanes().length - 1));
    this.draw();
  }

  /** @param {string} word */
  search(word) {
    this.word = word.toLowerCase();
    this.draw();
  }

  /** Spans of a lane that overlap stand below each other.
   * @returns {Lane[]} */
  lanes() {
    const spans = this.page.model.spans.get(this.index) ?? [];
    if (this.known === spans.length && this.made) return this.made;
    /** @type {Map<string, Lane>} */ const lanes = new Map();
    const none = new Float64Array(0);
    for (const span of [...spans].sort((a, b) => a.begin - b.begin || b.end - a.end)) {
      let lane = lanes.get(span.lane);
      if (!lane) { lane = { name: span.lane, spans: [], depth: 1, busy: 0, begins: none, reach: none, rows: [] }; lanes.set(span.lane, lane); }
      lane.spans.push({ ...span, depth: 0 });
    }
    for (const lane of lanes.values()) {
      /** @type {number[]} */ const ends = [];
      for (const span of lane.spans) {
        // A CPU has one thread at a time; that the next is on it is recorded just before the last is off.
        let depth = lane.name.startsWith("cpu ") ? 0 : ends.findIndex((end) => end <= span.begin);
        if (depth < 0) depth = ends.length;
        ends[depth] = span.end;
        span.depth = Math.min(depth, 15);
        lane.busy += span.end - span.begin;
      }
      lane.depth = Math.min(16, Math.max(1, ends.length));
      lane.begins = Float64Array.from(lane.spans, (span) => span.begin);
      lane.reach = reachOf(lane.spans);
      lane.rows = rowsByDepth(lane);
    }
    const number = (/** @type {string} */ text) => Number(/\d+/.exec(text)?.[0] ?? 0);
    this.known = spans.length;
    this.knownHues = null;
    this.made = [...lanes.values()].sort((a, b) => number(a.name) - number(b.name) || (a.name < b.name ? -1 : 1));
    return this.made;
  }

  /** The names that take most of the time have hues. */
  hues() {
    const lanes = this.lanes();
    if (this.knownHues) return this.knownHues;
    /** @type {Map<string, number>} */ const busy = new Map();
    for (const lane of lanes) for (const span of lane.spans) busy.set(span.name, (busy.get(span.name) ?? 0) + span.end - span.begin);
    const most = [...busy].sort((a, b) => b[1] - a[1]);
    this.knownHues = { hues: new Map(most.slice(0, HUES.length).map(([name], i) => [name, HUES[i]])), most };
    const tones = new Map(most.slice(0, HUES.length).map(([name], i) => [name, i]));
    for (const { rows } of lanes) for (const row of rows) row.tones = Uint8Array.from(row.spans, (span) => tones.get(span.name) ?? HUES.length);
    return this.knownHues;
  }

  draw() {
    const all = this.lanes(), lanes = all.slice(this.first, this.first + MOST_LANES), axis = this.page.axis;
    const height = lanes.reduce((a, lane) => a + lane.depth * LANE_ROW + GAP, 10) + AXIS;
    const g = this.surface.begin(Math.max(80, height)), width = this.surface.width, bottom = Math.max(80, height) - AXIS;
    axis.draw(g, width, 6, bottom);
    const { hues, most } = this.hues();
    this.places = [];
    const layer = /** @type {CanvasRenderingContext2D} */ (this.layer.getContext("2d"));
    // A line of pixels of the screen for each row of spans, which is drawn as high as the row.
    const ratio = this.surface.canvas.width / width, across = this.surface.canvas.width, lines = Math.max(1, lanes.reduce((all, lane) => all + lane.depth, 0));
    if (!this.image || this.image.width !== across || this.image.height !== lines) {
      this.layer.width = across;
      this.layer.height = lines;
      this.image = layer.createImageData(across, lines);
    }
    const { image } = this, pixels = new Uint32Array(image.data.buffer), colours = busyColours(themed("--faint"));
    pixels.fill(0);
    /** @type {Wide[]} */ const wide = [];
    let y = 8, line = 0;
    for (const lane of lanes) {
      g.textAlign = "right";
      g.fillStyle = themed("--dim");
      g.font = "11px system-ui, sans-serif";
      g.fillText(fitted(g, lane.name, LEFT - 12), LEFT - 8, y + LANE_ROW / 2);
      g.textAlign = "left";
      g.fillStyle = themed("--faint");
      g.fillRect(LEFT, y, width - LEFT - RIGHT, lane.depth * LANE_ROW - 1);
      this.places.push({ lane, y });
      lane.rows.forEach((row, depth) => this.drawBusy(pixels.subarray((line + depth) * across, (line + depth + 1) * across), row, y + depth * LANE_ROW, width, ratio, colours, wide));
      y += lane.depth * LANE_ROW + GAP;
      line += lane.depth;
    }
    layer.putImageData(image, 0, 0);
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, width - LEFT - RIGHT, bottom);
    g.clip();
    g.imageSmoothingEnabled = false;
    line = 0;
    for (const { lane, y: top } of this.places) {
      for (let depth = 0; depth < lane.depth; depth++) g.drawImage(this.layer, 0, line++, across, 1, 0, top + depth * LANE_ROW, width, LANE_ROW - 1);
    }
    for (const { span, x, end, top } of wide) this.drawSpan(g, span, x, end, top, hues, width);
    const place = this.places.find((one) => one.lane.name === this.selected?.lane);
    if (this.selected && place) {
      const x = axis.x(this.selected.begin, width), end = axis.x(this.selected.end, width);
      g.strokeStyle = themed("--ink");
      g.lineWidth = 2;
      g.strokeRect(x - 1, place.y + this.selected.depth * LANE_ROW, Math.max(4, end - x), LANE_ROW - 1);
    }
    g.restore();
    axis.drawOver(g, width, 6, bottom);
    this.up.hidden = this.first === 0;
    this.down.hidden = this.first + MOST_LANES >= all.length;
    this.drawLegend(hues, most);
    const totals = this.page.model.spanTotals.get(this.index), spans = this.page.model.spans.get(this.index) ?? [];
    this.info.textContent = several(totals ? totals.matched : spans.length, "span") + " in " + several(all.length, "lane") +
      (totals ? "; " + several(totals.unmatched, "record") + " ended what had not begun, " + grouped(totals.open) + " had not ended" : "") +
      (this.selected ? "  \u00b7  " + this.describe(this.selected).map((line) => beginning(shownText(line))).join(" \u2013 ") : "");
  }

  /** Spans that are narrower than a pixel become how much of it is busy; others are to be drawn.
   *
   * @param {Uint32Array} pixels a line of them
   * @param {Row} row
   * @param {number} top
   * @param {number} width
   * @param {number} ratio how many of them are as wide as 1
   * @param {Uint32Array[]} colours
   * @param {Wide[]} wide */
  drawBusy(pixels, row, top, width, ratio, colours, wide) {
    const [from, to] = this.page.axis.shown(), scale = (width - LEFT - RIGHT) * ratio / (to - from), least = 1 / scale;
    const [first, last] = between(row, from, to), { begins, sums, longest, tones } = row;
    // Outside of these nothing is seen. A span that reaches into the picture, or begins where it ends, is at its edge.
    const left = Math.ceil(LEFT * ratio), right = Math.floor((width - RIGHT) * ratio) - 1;
    // They are in the order of their begins: those of a pixel stand together, and their lengths are a difference of two
    // sums. Where a block has one that is wide, each is looked at.
    let at = -1, part = 0, tone = 0;
    const fill = () => { if (at >= 0) pixels[at] = colours[tone][Math.round(Math.min(1, part * scale) * SHADES_OF_BUSY)]; };
    for (let i = first; i < last;) {
      const pixel = Math.max(left, Math.min(right, Math.floor(LEFT * ratio + (begins[i] - from) * scale)));
      const next = from + (pixel + 1 - LEFT * ratio) * least, block = Math.floor(i / BLOCK);
      let behind = i + 1;
      if (begins[i] < from) {
        if (row.spans[i].end < from) { i = behind; continue; }
      } else if (longest[block] < least) {
        behind = firstFrom(begins, next, behind, Math.min(last, (block + 1) * BLOCK));
      }
      if (behind === i + 1 && sums[behind] - sums[i] >= least) {
        const span = row.spans[i], x = LEFT + (begins[i] - from) * scale / ratio;
        wide.push({ span, x, end: x + (span.end - span.begin) * scale / ratio, top });
        i = behind;
        continue;
      }
      if (pixel !== at) {
        fill();
        at = pixel;
        part = 0;
        tone = tones[i];  // the hue is that of the first
      }
      part += sums[behind] - sums[i];
      i = behind;
    }
    fill();
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {Span} span
   * @param {number} x
   * @param {number} end
   * @param {number} top
   * @param {Map<string, string>} hues
   * @param {number} width */
  drawSpan(g, span, x, end, top, hues, width) {
    const isFound = this.word !== "" && span.name.toLowerCase().includes(this.word);
    g.fillStyle = isFound ? themed("--found") : hues.get(span.name) ?? OTHER_HUE;
    g.fillRect(x, top, Math.max(1, end - x - (end - x > 3 ? 1 : 0)), LANE_ROW - 1);
    if (end - x <= 26) return;
    g.fillStyle = inkOn(String(g.fillStyle));
    g.fillText(fitted(g, span.name, Math.min(end, width - RIGHT) - Math.max(x, LEFT) - 6), Math.max(x, LEFT) + 3, top + LANE_ROW / 2);
  }

  /** @param {Map<string, string>} hues
   * @param {[string, number][]} most */
  drawLegend(hues, most) {
    const chips = most.slice(0, HUES.length).map(([name, busy]) => {
      const swatch = element("span", "swatch");
      swatch.style.background = hues.get(name) ?? OTHER_HUE;
      return element("span", "chip", swatch, entryName(name), element("span", "number", duration(busy)));
    });
    if (most.length > HUES.length) {
      const swatch = element("span", "swatch"), rest = most.slice(HUES.length);
      swatch.style.background = OTHER_HUE;
      chips.push(element("span", "chip", swatch, grouped(rest.length) + " more", element("span", "number", duration(rest.reduce((all, one) => all + one[1], 0)))));
    }
    this.legend.replaceChildren(...chips);
  }

  /** The latest at a place; narrow ones are two pixels wide.
   * @param {{x: number, y: number}} at */
  spanAt({ x, y }) {
    const place = this.places.find((one) => y >= one.y && y < one.y + one.lane.depth * LANE_ROW);
    if (!place || x < LEFT) return null;
    const { lane } = place, axis = this.page.axis, width = this.surface.width;
    // What begins where the picture ends is in its last pixel.
    const time = x >= width - RIGHT - 1 ? axis.shown()[1] : axis.time(x, width), slack = time - axis.time(x - 2, width), depth = Math.floor((y - place.y) / LANE_ROW);
    const [first, last] = between(lane, time - slack, time);
    for (let i = last - 1; i >= first; i--) {
      const span = lane.spans[i];
      if (span.depth === depth && Math.max(span.end, span.begin + slack) > time) return span;
    }
    return null;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const span = this.spanAt(this.surface.at(event));
    if (!span) { this.page.tooltip.hide(); return; }
    this.page.tooltip.show(event, this.describe(span));
  }

  /** @param {Span} span */
  describe(span) {
    const length = span.end - span.begin;
    return [span.name, grouped(length) + " ns (" + duration(length) + ")", span.lane, "from " + this.page.model.clock(span.begin) + " to " + this.page.model.clock(span.end)];
  }

  table() {
    const rows = (this.page.model.spans.get(this.index) ?? []).map((span) => [this.page.model.clock(span.begin), span.lane, span.name, span.end - span.begin]);
    return { columns: ["begin", "lane", "name", "ns"], rows };
  }
}

/** Of the spans of a lane, from the first that may last until `from` to the last that begins until `to`.
 * @param {{begins: Float64Array, reach: Float64Array}} lane
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]} */
function between(lane, from, to) {
  /** @param {(i: number) => boolean} isBefore */
  const place = (isBefore) => {
    let low = 0, high = lane.begins.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle)) low = middle + 1; else high = middle;
    }
    return low;
  };
  return [place((i) => lane.reach[i] < from), place((i) => lane.begins[i] <= to)];
}

/** The first of sorted numbers that is not less, which is often one of the next.
 * @param {Float64Array} sorted
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @returns {number} `high`: there is none before */
function firstFrom(sorted, value, low, high) {
  let step = 1;
  while (low + step <= high && sorted[low + step - 1] < value) { low += step; step *= 2; }
  high = Math.min(high, low + step - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

/** @param {Span[]} spans
 * @returns {Float64Array} */
function reachOf(spans) {
  const reach = new Float64Array(spans.length);
  spans.reduce((most, span, i) => (reach[i] = Math.max(most, span.end)), -Infinity);
  return reach;
}

/** @param {Lane} lane
 * @returns {Row[]} */
function rowsByDepth(lane) {
  /** @type {(Span & {depth: number})[][]} */ const byDepth = Array.from({ length: lane.depth }, () => []);
  for (const span of lane.spans) byDepth[span.depth].push(span);
  return byDepth.map((spans) => {
    const sums = new Float64Array(spans.length + 1), longest = new Float64Array(Math.ceil(spans.length / BLOCK));
    spans.forEach(({ begin, end }, i) => {
      sums[i + 1] = sums[i] + (end - begin);
      const block = Math.floor(i / BLOCK);
      longest[block] = Math.max(longest[block], end - begin);
    });
    return { spans, begins: Float64Array.from(spans, (span) => span.begin), reach: reachOf(spans), sums, longest, tones: new Uint8Array(0) };
  });
}

const ROWS = 50, SECOND = 1e9;

/** A column for each second, a row for each fiftieth of it; a range that is dragged has its flame graph. */
export class Scope {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {import("./model.js").Spec} spec */
  constructor(page, into, spec) {
    this.page = page;
    this.spec = spec;
    this.surface = new Surface("Samples by second of " + spec.title);
    /** Cells from and to, in the order of time.
     * @type {[number, number] | null} */ this.range = null;
    /** Samples by cell.
     * @type {Map<number, number>} */ this.counts = new Map();
    this.info = element("p", "info");
    this.info.setAttribute("aria-live", "polite");
    into.append(element("div", "stage", this.surface.canvas), this.info);
    const below = element("div", "");
    into.append(below);
    this.flame = new FlameGraph(page, below, { label: "Flame graph of the samples of " + spec.title, isCold: false });
    this.listen();
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    return { samples: this.range ? this.range.join("..") : "", ...this.flame.choices() };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    const range = /^(\d+)\.\.(\d+)$/.exec(choices.samples ?? "");
    this.range = range && [Number(range[1]), Number(range[2])];
    this.flame.choose(choices);
  }

  samples() {
    return this.spec.layouts.flatMap((layout) => this.page.model.records.get(layout) ?? []);
  }

  /** @param {number} time */
  cell(time) {
    return Math.floor(time / (SECOND / ROWS));
  }

  /** @param {import("./model.js").Rec} record */
  stackOf(record) {
    const fields = this.page.model.layouts.get(record.layout)?.values ?? [];
    /** @type {number[]} */ const user = [];
    /** @type {number[]} */ const kernel = [];
    fields.forEach((field, i) => {
      if (field.type !== "stack") return;
      const frames = this.page.model.stacks[Number(record.values[i])] ?? [];
      const isKernel = frames.length > 0 && this.page.model.frames[frames[0]].code === "kernel";
      (isKernel ? kernel : user).push(...frames);
    });
    return [...user, ...kernel];
  }

  draw() {
    const samples = this.samples(), { model } = this.page;
    const seconds = Math.max(1, Math.ceil(model.end / SECOND)), row = 5, top = 6;
    const g = this.surface.begin(ROWS * row + top + AXIS), width = this.surface.width;
    const cellWidth = Math.min(48, (width - LEFT - RIGHT) / seconds);
    this.place = { top, row, cellWidth };
    const counts = this.counts;
    counts.clear();
    let most = 1;
    for (const record of samples) {
      const cell = this.cell(record.time), count = (counts.get(cell) ?? 0) + 1;
      counts.set(cell, count);
      if (count > most) most = count;
    }
    g.fillStyle = themed("--faint");
    g.fillRect(LEFT, top, seconds * cellWidth, ROWS * row);
    const paper = themed("--paper");
    for (const [cell, count] of counts) {
      const { x, y } = this.spot(cell);
      g.fillStyle = css(cividis(count / most, paper));
      g.fillRect(x, y, Math.max(1, cellWidth - (cellWidth > 4 ? 1 : 0)), row - 0.5);
    }
    if (this.range) {
      g.strokeStyle = themed("--accent");
      g.fillStyle = themed("--accent");
      g.globalAlpha = 0.28;
      for (let cell = this.range[0]; cell <= Math.min(this.range[1], seconds * ROWS - 1); cell++) {
        const { x, y } = this.spot(cell);
        g.fillRect(x, y, cellWidth, row);
      }
      g.globalAlpha = 1;
    }
    this.labels(g, seconds, cellWidth, top, row);
    const inside = this.range ? samples.filter((one) => this.cell(one.time) >= /** @type {any} */ (this.range)[0] && this.cell(one.time) <= /** @type {any} */ (this.range)[1]) : samples;
    this.info.textContent = this.range
      ? grouped(inside.length) + " of " + several(samples.length, "sample") + ", from " + duration(this.range[0] * (SECOND / ROWS)) + " to " + duration((this.range[1] + 1) * (SECOND / ROWS))
      : several(samples.length, "sample") + (samples.length > 0 ? "; drag over a range, or click, to see its flame graph" : "");
    const tree = root();
    for (const record of inside) addStack(tree, this.stackOf(record), 1);
    this.flame.setTree(tree);
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {number} seconds
   * @param {number} cellWidth
   * @param {number} top
   * @param {number} row */
  labels(g, seconds, cellWidth, top, row) {
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = themed("--dim");
    g.textAlign = "right";
    for (const ms of [0, 200, 400, 600, 800]) g.fillText(ms + " ms", LEFT - 8, top + (1 - ms / 1000) * ROWS * row - row / 2);
    g.textAlign = "center";
    const step = Math.max(1, Math.ceil(44 / cellWidth));
    for (let second = 0; second < seconds; second += step) g.fillText(second + " s", LEFT + (second + 0.5) * cellWidth, top + ROWS * row + AXIS / 2);
    g.textAlign = "left";
  }

  /** A second goes upwards.
   * @param {number} cell */
  spot(cell) {
    const place = /** @type {{top: number, row: number, cellWidth: number}} */ (this.place);
    const second = Math.floor(cell / ROWS);
    return { x: LEFT + second * place.cellWidth, y: place.top + (ROWS - 1 - (cell - second * ROWS)) * place.row };
  }

  /** @param {MouseEvent} event */
  cellAt(event) {
    const { x, y } = this.surface.at(event), place = this.place;
    if (!place) return 0;
    const second = Math.max(0, Math.floor((x - LEFT) / place.cellWidth));
    return second * ROWS + Math.max(0, Math.min(ROWS - 1, ROWS - 1 - Math.floor((y - place.top) / place.row)));
  }

  listen() {
    const canvas = this.surface.canvas;
    /** @type {number | null} */ let from = null;
    canvas.addEventListener("mousedown", (event) => { from = this.cellAt(event); });
    canvas.addEventListener("mousemove", (event) => {
      const cell = this.cellAt(event);
      if (from !== null && cell !== from) {
        this.range = from < cell ? [from, cell] : [cell, from];
        this.draw();
      }
      const count = this.counts.get(cell) ?? 0;
      this.page.tooltip.show(event, [duration(cell * (SECOND / ROWS)) + " to " + duration((cell + 1) * (SECOND / ROWS)), several(count, "sample")]);
    });
    canvas.addEventListener("mouseleave", () => this.page.tooltip.hide());
    window.addEventListener("mouseup", (event) => {
      if (from === null) return;
      // A click: this cell, or all again.
      if (event.target === canvas && this.cellAt(event) === from) { this.range = this.range ? null : [from, from]; this.draw(); }
      from = null;
    });
    canvas.addEventListener("keydown", (event) => {
      const last = Math.max(0, this.cell(this.page.model.end));
      const by = { ArrowUp: 1, ArrowDown: -1, ArrowLeft: -ROWS, ArrowRight: ROWS }[event.key];
      if (event.key === "Escape" && this.range) this.range = null;
      else if (by !== undefined) {
        const at = this.range ?? /** @type {[number, number]} */ ([0, ROWS - 1]);
        this.range = event.shiftKey ? [at[0], Math.max(at[0], Math.min(last, at[1] + by))] : [Math.max(0, at[0] + by), Math.max(0, at[1] + by)];
      } else return;
      event.preventDefault();
      event.stopPropagation();
      this.draw();
    });
  }

  /** @param {string} word */
  search(word) {
    this.flame.search(word);
  }

  table() {
    return this.flame.table();
  }
}

