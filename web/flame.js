// Flame graphs. A frame is as wide as its share; callees stand on their callers, or hang below them
// (icicle). Trees are made of keys and their exact numbers.
import { compare, grouped, measured, percent, sum } from "./exact.js";
import { weight } from "./model.js";
import { beginning, button, choice, element, fittedName, shownText, Surface, themed } from "./draw.js";
import { changeColour, codeWord, frameColour, frameLegend } from "./frames.js";
import { rgb } from "./palette.js";
import { addStack, pathOf, root } from "./stacks.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {import("./stacks.js").Node} Node */
/** @typedef {{node: Node, x: number, y: number, width: number}} Box */

const FLAME_ROW = 19;
/** Boxes of fewer pixels are drawn without an edge. */
const NARROW = 3;

export class FlameGraph {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {{label: string, isCold: boolean, unit?: string, valueUnit?: string, root?: string, comparisons?: string[], aggregation?: number}} options */
  constructor(page, into, options) {
    this.page = page;
    this.model = page.model;
    this.options = options;
    this.surface = new Surface(options.label);
    this.tree = root();
    /** Frames from the outermost to what is zoomed in to.
     * @type {number[]} */ this.focus = [];
    /** @type {Box[]} */ this.boxes = [];
    /** @type {Node | null} */ this.selected = null;
    this.word = "";
    /** Of frames.
     * @type {string[]} */ this.colours = [];
    /** @type {Map<string, number>} */ this.pixels = new Map();
    this.layer = /** @type {HTMLCanvasElement} */ (element("canvas", ""));
    /** @type {ImageData | null} */ this.image = null;
    this.rows = 0;  // of all, without a zoom
    this.isIcicle = true;
    this.byWeight = true;
    this.isSandwich = false;
    /** What the tree is compared with, and what that is called.
     * @type {Node | null} */ this.other = null;
    this.isSwapped = false;  // the other tree is shown
    this.most = 0;           // that a share has changed
    this.compare = "nothing";
    /** What is to be selected once it is there.
     * @type {number[]} */ this.wanted = [];
    /** @type {HTMLButtonElement | null} */ this.swap = null;
    this.note = "";
    /** @type {[number, import("./model.js").Value][]} */ this.histograms = [];
    this.info = element("p", "info");
    this.info.setAttribute("aria-live", "polite");
    /** What colours mean, of the frames that were drawn. */
    this.legend = element("div", "legend");
    /** @type {Set<string>} */ this.codes = new Set();
    this.legendOf = "";
    this.reset = button("Reset zoom", "Shows all (Esc)", () => this.zoom([]));
    this.reset.hidden = true;
    const tools = element("div", "tools", this.reset,
      button("Flip", "Flame graph or icicle (i)", () => this.key("i")),
      button("Order", "By size or by name (o)", () => this.key("o")),
      button("Sandwich", "Callers and callees of the selected frame (s)", () => this.key("s")));
    /** @type {HTMLSelectElement | null} */ this.compareChoice = null;
    tools.append(this.legend);
    const words = options.comparisons ?? [];
    if (words.length > 0) {
      this.compare = words[0] === "base" ? "base" : "nothing";
      this.compareChoice = choice("What it is compared with", ["nothing", ...words], this.compare, (word) => this.compareWith(word));
      this.swap = button("Swap", "Shows the frames of the other (d)", () => this.key("d"));
      tools.append(element("label", "", "compared with ", this.compareChoice), this.swap);
    }
    /** Of a histogram: the values of the selected frame. */
    this.detail = element("div", "detail");
    into.append(tools, element("div", "stage", this.surface.canvas), this.info, this.detail);
    this.listen();
  }

  /** @param {string} word */
  compareWith(word) {
    this.compare = word;
    this.isSwapped = false;
    if (this.compareChoice) this.compareChoice.value = word;
    this.page.changed();
  }

  /** The keys that the selected frame is of: those before the stack stand below its frames, in their order. */
  selection() {
    /** @type {Map<number, string>} */ const keys = new Map();
    const fields = this.page.model.aggregations[this.options.aggregation ?? -1]?.fields ?? [];
    const last = this.options.root ? 0 : fields.findIndex((field) => field.type === "stack");
    const path = this.selected ? pathOf(this.selected) : [];
    for (let i = 0; i < Math.min(last, path.length); i++) if (path[i] >= 0) keys.set(i, this.model.frames[path[i]].name);
    return { keys };
  }

  /** @returns {import("./page.js").Choices} */
  choices() {
    const selected = this.selected ? pathOf(this.selected).join(".") : "";
    const first = this.options.comparisons?.[0] === "base" ? "base" : "nothing";
    return { focus: this.focus.join("."), selected: selected === this.focus.join(".") ? "" : selected, flip: this.isIcicle ? "" : "1", order: this.byWeight ? "" : "name",
      sandwich: this.isSandwich ? "1" : "", compare: this.compare === first ? "" : this.compare, swap: this.isSwapped ? "1" : "" };
  }

  /** @param {import("./page.js").Choices} choices */
  choose(choices) {
    const path = (/** @type {string | undefined} */ text) => (text ?? "").split(".").filter((one) => /^\d+$/.test(one)).map(Number);
    this.focus = path(choices.focus);
    this.wanted = path(choices.selected ?? choices.focus);
    this.isIcicle = choices.flip !== "1";
    this.byWeight = choices.order !== "name";
    this.isSandwich = choices.sandwich === "1";
    const words = ["nothing", ...(this.options.comparisons ?? [])];
    if (choices.compare && words.includes(choices.compare)) this.compare = choices.compare;
    if (this.compareChoice) this.compareChoice.value = this.compare;
    this.isSwapped = choices.swap === "1" && this.compare !== "nothing";
  }

  /** What was counted in a range of time, and what it is compared with.
   * @param {import("./model.js").Aggregation} aggregation
   * @param {[number, number] | null} range */
  setTotals(aggregation, range) {
    /** Stacks whose sums have no width.
     * @type {Set<number>} */
    const below = new Set();
    /** @param {Iterable<[number, import("./model.js").Value]>} totals
     * @param {(key: number) => number} stackOf */
    const made = (totals, stackOf) => {
      const tree = root();
      for (const [key, value] of totals) {
        const stack = stackOf(key), number = weight(value);
        if (number < 0) below.add(stack);
        if (stack < 0 || !(number > 0)) continue;
        const frames = this.within(this.model.stacks[stack] ?? []);
        if (frames) addStack(tree, frames, number);
        else outside = sum(outside, number);
      }
      return tree;
    };
    /** @type {Exact} */ let outside = 0;
    const ofKey = (/** @type {number} */ key) => aggregation.keys[key]?.stack ?? -1;
    let tree = made(aggregation.totals(range), ofKey);
    this.note = this.page.rangeNote(aggregation);
    if (this.options.root) this.note = [this.note, "what " + this.options.root + " was doing; " + grouped(outside) + " elsewhere"].filter((text) => text).join("; ");
    this.other = null;
    if (this.compare === "base" && aggregation.base) this.other = made(aggregation.base, (stack) => stack);
    if (this.compare === "rest" && range) this.other = made(aggregation.totalsOutside(range), ofKey);
    if (this.compare === "rest" && !range) this.note = "drag over a picture with time: the range is compared with the rest";
    if (below.size > 0) this.note = [this.note, grouped(below.size) + " sums below 0 are not shown"].filter((text) => text).join("; ");
    this.histograms = aggregation.isHistogram && !this.isSwapped ? [...aggregation.totals(range)] : [];
    if (this.isSwapped && this.other) [tree, this.other] = [this.other, tree];
    this.setTree(tree);
  }

  /** From the outermost frame of the function that the graph begins with; null where there is none.
   * @param {number[]} stack
   * @returns {number[] | null} */
  within(stack) {
    const name = this.options.root;
    if (!name) return stack;
    const first = stack.findIndex((frame) => {
      const { name: whole, code } = this.model.frames[frame];
      return code !== "key" && (whole === name || whole.slice(whole.indexOf("`") + 1) === name);
    });
    return first < 0 ? null : stack.slice(first);
  }

  /** The same frames in the other tree.
   * @param {Node} node
   * @returns {Node | null} */
  inOther(node) {
    /** @type {Node | null | undefined} */ let at = this.other;
    for (const frame of pathOf(node)) at = at?.children.get(frame);
    return at ?? null;
  }

  /** How the share of a frame has changed.
   * @param {Node} node */
  change(node) {
    if (!this.other) return 0;
    const share = (/** @type {Node | null} */ one, /** @type {Node} */ all) => (one && Number(all.total) > 0 ? Number(one.total) / Number(all.total) : 0);
    const change = share(node, this.tree) - share(this.inOther(node), this.other);
    return this.isSwapped ? -change : change;
  }

  /** @param {Node} tree */
  setTree(tree) {
    const path = this.wanted?.length ? this.wanted : this.selected ? pathOf(this.selected) : null;
    this.tree = tree;
    this.selected = path ? this.find(path) : null;
    if (this.selected) this.wanted = [];
    this.draw();
  }

  /** @param {number[]} path
   * @returns {Node | null} */
  find(path) {
    /** @type {Node | undefined} */ let node = this.tree;
    for (const frame of path) node = node?.children.get(frame);
    return node ?? null;
  }

  /** @param {Node} node */
  name(node) {
    return node.frame < 0 ? "all" : this.model.frames[node.frame].name || "(empty)";
  }

  /** Callers below, callees above, of all frames of a name, whatever its code is.
   * @param {number} frame
   * @returns {Node} */
  sandwich(frame) {
    const callers = root(), callees = root();
    const name = this.model.frames[frame]?.name;
    /** @param {Node} node
     * @param {Node} into */
    const copy = (node, into) => {
      for (const child of node.children.values()) {
        let to = into.children.get(child.frame);
        if (!to) {
          to = { frame: child.frame, total: 0, self: 0, parent: into, children: new Map(), depth: into.depth + 1 };
          into.children.set(child.frame, to);
        }
        to.total = sum(to.total, child.total);
        to.self = sum(to.self, child.self);
        copy(child, to);
      }
    };
    /** @param {Node} node
     * @param {boolean} isWithin */
    const walk = (node, isWithin) => {
      const isIt = node.frame >= 0 && this.model.frames[node.frame].name === name;
      if (isIt && !isWithin) {
        addStack(callers, pathOf(node).reverse().slice(1), node.total);
        callees.total = sum(callees.total, node.total);
        copy(node, callees);
      }
      for (const child of node.children.values()) walk(child, isWithin || isIt);
    };
    walk(this.tree, false);
    this.callers = callers;
    return callees;
  }

  /** @param {Node} node */
  ordered(node) {
    if (node.sorted && node.isByWeight === this.byWeight) return node.sorted;
    const all = [...node.children.values()];
    node.isByWeight = this.byWeight;
    node.sorted = this.byWeight
      ? all.sort((a, b) => compare(b.total, a.total) || (this.name(a) < this.name(b) ? -1 : 1))
      : all.sort((a, b) => (this.name(a) < this.name(b) ? -1 : 1));
    return node.sorted;
  }

  /** Boxes of a tree: x and width in pixels of `width`, depth as row.
   * @param {Node} node
   * @param {number} x
   * @param {number} width
   * @param {Box[]} boxes
   * @param {number} depth */
  place(node, x, width, boxes, depth) {
    boxes.push({ node, x, y: depth, width });
    let at = x;
    const whole = Number(node.total);
    if (whole === 0) return;
    for (const child of this.ordered(node)) {
      const part = width * (Number(child.total) / whole);
      if (part >= 0.5) this.place(child, at, part, boxes, depth + 1);
      else if (this.byWeight) break;  // those behind it are narrower
      at += part;
    }
  }

  layout() {
    /** @type {Box[]} */ const boxes = [];
    const width = Math.max(200, this.surface.canvas.parentElement ? this.surface.canvas.parentElement.clientWidth : 800);
    const focus = this.find(this.focus) ?? this.tree;
    if (this.isSandwich && this.selected && this.selected.frame >= 0) {
      const callees = this.sandwich(this.selected.frame);
      callees.frame = this.selected.frame;
      /** @type {Box[]} */ const above = [];
      this.place(/** @type {Node} */ (this.callers), 0, width, above, 0);
      const rows = above.reduce((most, box) => Math.max(most, box.y), 0);
      for (const box of above.slice(1)) boxes.push({ ...box, y: rows - box.y });
      this.place(callees, 0, width, boxes, rows);
      return boxes;
    }
    /** @type {Node[]} */ const outer = [];
    for (let node = focus.parent; node; node = node.parent) outer.unshift(node);
    outer.forEach((node, i) => boxes.push({ node, x: 0, y: i, width }));
    this.place(focus, 0, width, boxes, outer.length);
    return boxes;
  }

  draw() {
    const boxes = this.layout();
    const focus = this.find(this.focus) ?? this.tree, depth = focus.depth;
    let rows = boxes.reduce((most, box) => Math.max(most, box.y), 0) + 1;
    // A zoom leaves the place that all takes: the page under it does not move, and the canvas is not made anew.
    if (focus === this.tree && !this.isSandwich) this.rows = rows;
    rows = Math.max(rows, this.rows);
    const g = this.surface.begin(rows * FLAME_ROW + 2);
    const upright = !this.isIcicle && !this.isSandwich;
    const isCompared = this.other !== null && !this.isSandwich;
    this.most = isCompared ? boxes.reduce((most, box) => Math.max(most, Math.abs(this.change(box.node))), 0) : 0;
    if (this.swap) {
      this.swap.hidden = this.other === null;
      this.swap.setAttribute("aria-pressed", String(this.isSwapped));
    }
    /** @type {Box[]} */ const narrow = [];
    /** @type {Box[]} */ const wide = [];
    for (const box of boxes) {
      box.y = (upright ? rows - 1 - box.y : box.y) * FLAME_ROW;
      (box.width < NARROW && box.node !== this.selected && !this.isFound(box.node) ? narrow : wide).push(box);
    }
    if (narrow.length > 0) this.drawNarrow(g, narrow, rows);
    for (const box of wide) this.box(g, box, this.isSandwich ? false : box.node.depth < depth);
    this.boxes = boxes;
    this.reset.hidden = focus === this.tree && !this.isSandwich;
    this.explain(isCompared);
    this.tell();
  }

  /** The legend, which is made anew where another kind of code was drawn only.
   * @param {boolean} isCompared */
  explain(isCompared) {
    for (const { node } of this.boxes) if (node.frame >= 0) this.codes.add(this.model.frames[node.frame].code);
    const wanted = isCompared + " " + [...this.codes].join(" ");
    if (wanted === this.legendOf) return;
    this.legendOf = wanted;
    this.legend.replaceChildren(...frameLegend(this.codes, this.options.isCold, isCompared));
  }

  /** Boxes without a name, pixel by pixel: there may be ten thousands of them. The first one has a pixel.
   * A row is a line of an image, which is drawn as high as the row.
   * @param {CanvasRenderingContext2D} g
   * @param {Box[]} boxes
   * @param {number} rows */
  drawNarrow(g, boxes, rows) {
    const ratio = window.devicePixelRatio || 1, { width } = this.surface, across = Math.max(1, Math.round(width * ratio));
    const layer = /** @type {CanvasRenderingContext2D} */ (this.layer.getContext("2d"));
    if (!this.image || this.image.width !== across || this.image.height < rows) {
      this.layer.width = across;
      this.layer.height = rows;
      this.image = layer.createImageData(across, rows);
    }
    const { image } = this, pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    /** @type {Set<number>} */ const used = new Set();
    for (const { node, x, y, width: part } of boxes) {
      const row = y / FLAME_ROW, left = row * across, end = Math.min(across, Math.ceil((x + part) * ratio));
      used.add(row);
      let pixel = 0;
      for (let at = Math.floor(x * ratio); at < end; at++) {
        if (pixels[left + at] === 0) pixels[left + at] = pixel ||= this.pixel(g, this.colour(node));
      }
    }
    layer.putImageData(image, 0, 0);
    g.imageSmoothingEnabled = false;
    for (const row of used) g.drawImage(this.layer, 0, row, across, 1, 0, row * FLAME_ROW + 1, width, FLAME_ROW - 1);
  }

  /** A colour of the style as a pixel.
   * @param {CanvasRenderingContext2D} g
   * @param {string} colour */
  pixel(g, colour) {
    let pixel = this.pixels.get(colour);
    if (pixel === undefined) {
      g.fillStyle = colour;
      const [red, green, blue] = rgb(String(g.fillStyle));  // which is now #rrggbb
      pixel = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
      this.pixels.set(colour, pixel);
    }
    return pixel;
  }

  /** @param {CanvasRenderingContext2D} g
   * @param {Box} box
   * @param {boolean} isOuter */
  box(g, box, isOuter) {
    const { node, x, y, width } = box;
    const isFound = this.isFound(node);
    g.globalAlpha = isOuter ? 0.55 : 1;
    g.fillStyle = isFound ? themed("--found") : this.colour(node);
    const inner = Math.max(width - (width > 3 ? 1 : 0), 0.5);
    g.fillRect(x, y + 1, inner, FLAME_ROW - 1);
    // Kernel code has a line on its upper edge: its colour is not the only sign.
    if (node.frame >= 0 && this.model.frames[node.frame].code === "kernel" && width > 3) {
      g.fillStyle = themed("--kernel-edge");
      g.fillRect(x, y + 1, inner, 2);
    }
    if (node === this.selected || (this.isSandwich && this.selected && node.frame === this.selected.frame)) {
      g.strokeStyle = themed("--ink");
      g.lineWidth = 2;
      g.strokeRect(x + 1, y + 2, Math.max(1, inner - 2), FLAME_ROW - 3);
    }
    if (width > 24) {
      const isDark = this.other !== null && !this.isSandwich && this.change(node) < -0.5 * this.most;
      g.fillStyle = isFound || isDark ? "#fff" : "#16181d";
      g.fillText(fittedName(g, this.name(node), width - 8), x + 4, y + FLAME_ROW / 2 + 1);
    }
    g.globalAlpha = 1;
  }

  /** @param {Node} node */
  colour(node) {
    if (this.other !== null && !this.isSandwich) return changeColour(this.most === 0 ? 0 : this.change(node) / this.most);
    if (node.frame < 0) return "#c9ced6";
    return (this.colours[node.frame] ??= frameColour(this.model.frames[node.frame], this.options.isCold));
  }

  /** @param {Node} node */
  isFound(node) {
    return this.word !== "" && node.frame >= 0 && this.name(node).toLowerCase().includes(this.word);
  }

  /** How much of all is in frames that are found; those within others are counted once.
   * @param {Node} node
   * @returns {Exact} */
  found(node) {
    if (this.isFound(node)) return node.total;
    let all = /** @type {Exact} */ (0);
    for (const child of node.children.values()) all = sum(all, this.found(child));
    return all;
  }

  /** @param {string} word */
  search(word) {
    this.word = word.toLowerCase();
    this.draw();
  }

  /** @param {Node} node */
  describe(node) {
    const lines = [this.name(node), measured(node.total, this.options.unit) + " of " + measured(this.tree.total, this.options.unit) + ", " + percent(node.total, this.tree.total)];
    const word = node.frame < 0 ? "" : codeWord(this.model.frames[node.frame].code);
    if (word !== "") lines.push(word);
    if (node.self > 0) lines.push("itself " + measured(node.self, this.options.unit) + ", " + percent(node.self, this.tree.total));
    if (this.other && !this.isSandwich) {
      const total = this.inOther(node)?.total ?? 0, change = 100 * this.change(node);
      lines.push((this.isSwapped ? "now " : this.compare === "base" ? "before " : "rest ") + measured(total, this.options.unit) + " of " + measured(this.other.total, this.options.unit) + ", " +
        percent(total, this.other.total) + " (" + (change < 0 ? "" : "+") + change.toFixed(2) + ")");
    }
    return lines;
  }

  tell() {
    const parts = ["total " + measured(this.tree.total, this.options.unit)];
    if (this.word !== "") {
      const found = this.found(this.tree);
      parts.push("matched " + measured(found, this.options.unit) + ", " + percent(found, this.tree.total));
    }
    if (this.note !== "") parts.push(this.note);
    if (this.selected) parts.push(this.describe(this.selected).map((line) => beginning(shownText(line))).join(" \u2013 "));
    this.info.textContent = parts.join("  \u00b7  ");
    this.drawDetail();
  }

  /** The values of the selected frame and of all that it has called, by bucket. */
  drawDetail() {
    const aggregation = this.page.model.aggregations[this.options.aggregation ?? -1];
    if (!this.selected || !aggregation || this.histograms.length === 0) { this.detail.replaceChildren(); return; }
    const path = pathOf(this.selected), { frame } = this.selected;
    /** @type {Map<number, Exact>} */ const counts = new Map();
    for (const [key, value] of this.histograms) {
      const frames = this.within(this.model.stacks[aggregation.keys[key]?.stack ?? -1] ?? []);
      const isIn = frames && (this.isSandwich ? frames.includes(frame) : path.every((one, i) => frames[i] === one));
      if (isIn && value instanceof Map) for (const [bucket, count] of value) counts.set(bucket, sum(counts.get(bucket) ?? 0, count));
    }
    const all = [...counts].sort((a, b) => a[0] - b[0]), most = Math.max(1, ...all.map((one) => Number(one[1])));
    const rows = all.map(([bucket, count]) => {
      const bar = element("div", "bar");
      bar.style.width = Math.max(0, 100 * Number(count) / most) + "%";
      return element("tr", "", element("td", "", aggregation.bucketText(bucket, this.options.valueUnit)), element("td", "number", grouped(count)), element("td", "bars", bar));
    });
    const table = element("table", "", element("tbody", "", ...rows));
    table.setAttribute("aria-label", "Values of the selected frame");
    this.detail.replaceChildren(element("p", "", aggregation.percentiles(counts, this.options.valueUnit)), element("div", "scroll", table));
  }

  /** @param {number[]} path */
  zoom(path) {
    this.focus = path;
    if (path.length === 0) this.isSandwich = false;
    this.draw();
  }

  /** @param {MouseEvent} event */
  hit(event) {
    const { x, y } = this.surface.at(event);
    return this.boxes.find((box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + FLAME_ROW);
  }

  listen() {
    const canvas = this.surface.canvas;
    canvas.addEventListener("mousemove", (event) => {
      const box = this.hit(event);
      if (box) this.page.tooltip.show(event, this.describe(box.node)); else this.page.tooltip.hide();
    });
    canvas.addEventListener("mouseleave", () => this.page.tooltip.hide());
    canvas.addEventListener("click", (event) => {
      const box = this.hit(event);
      if (!box) return;
      if (this.isSandwich) {
        this.selected = this.anywhere(box.node.frame) ?? this.selected;
        this.draw();
        return;
      }
      this.selected = box.node;
      this.zoom(pathOf(box.node));
      this.page.selected(this);
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.key(event.key)) { event.preventDefault(); event.stopPropagation(); }
    });
  }

  /** @param {number} frame
   * @returns {Node | null} */
  anywhere(frame) {
    /** @param {Node} node
     * @returns {Node | null} */
    const look = (node) => {
      if (node.frame === frame) return node;
      for (const child of node.children.values()) { const at = look(child); if (at) return at; }
      return null;
    };
    return look(this.tree);
  }

  /** Whether the key has a meaning.
   * @param {string} key */
  key(key) {
    const at = this.selected ?? this.tree;
    const out = this.isIcicle ? "ArrowUp" : "ArrowDown", into = this.isIcicle ? "ArrowDown" : "ArrowUp";
    switch (key) {
      case "i": this.isIcicle = !this.isIcicle; break;
      case "o": this.byWeight = !this.byWeight; break;
      case "d":
        if (!this.compareChoice) return false;
        if (this.compare === "nothing") this.compareWith(this.compareChoice.options[1].value);
        else if (this.other) { this.isSwapped = !this.isSwapped; this.page.changed(); }
        return true;
      case "s":
        if (!this.isSandwich && !(this.selected && this.selected.frame >= 0)) {
          this.info.textContent = "Select a frame first: its callers and callees are shown.";
          return true;
        }
        this.isSandwich = !this.isSandwich;
        break;
      case "Enter": this.zoom(pathOf(at)); return true;
      case "Escape":
        if (this.focus.length === 0 && !this.isSandwich && this.word === "" && !this.selected) return false;
        this.word = "";
        this.selected = null;
        this.zoom([]);
        this.page.selected(this);
        return true;
      case out: this.selected = at.parent ?? at; break;
      case into: this.selected = this.ordered(at)[0] ?? at; break;
      case "ArrowLeft": case "ArrowRight": {
        if (!at.parent) break;
        const all = this.ordered(at.parent);
        this.selected = all[all.indexOf(at) + (key === "ArrowRight" ? 1 : -1)] ?? at;
        break;
      }
      default: return false;
    }
    this.draw();
    this.page.selected(this);
    return true;
  }

  /** Rows for those who want numbers. */
  table() {
    /** @type {Map<number, {total: Exact, self: Exact}>} */ const all = new Map();
    /** @param {Node} node
     * @param {Set<number>} within */
    const walk = (node, within) => {
      const isNew = node.frame >= 0 && !within.has(node.frame);
      if (node.frame >= 0) {
        const at = all.get(node.frame) ?? { total: 0, self: 0 };
        if (isNew) at.total = sum(at.total, node.total);
        at.self = sum(at.self, node.self);
        all.set(node.frame, at);
      }
      if (isNew) within.add(node.frame);
      for (const child of node.children.values()) walk(child, within);
      if (isNew) within.delete(node.frame);
    };
    walk(this.tree, new Set());
    return {
      columns: ["frame", "code", "total", "itself"],
      rows: [...all].map(([frame, at]) => [this.model.frames[frame].name, this.model.frames[frame].code, at.total, at.self]),
    };
  }
}
