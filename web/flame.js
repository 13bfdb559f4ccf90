// Flame graphs. A frame is as wide as its share; callees stand on their callers, or hang below them
// (icicle). Trees are made of keys and their exact numbers.
import { compare, grouped, percent, sum } from "./exact.js";
import { weight } from "./model.js";
import { button, element, fittedName, shownText, Surface, themed } from "./draw.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {{frame: number, total: Exact, self: Exact, parent: Node | null, children: Map<number, Node>, depth: number}} Node */
/** @typedef {{node: Node, x: number, y: number, width: number}} Box */

const FLAME_ROW = 19;

/** @returns {Node} */
export function root() {
  return { frame: -1, total: 0, self: 0, parent: null, children: new Map(), depth: 0 };
}

/** Adds a stack, outermost first.
 * @param {Node} tree
 * @param {number[]} stack
 * @param {Exact} value */
export function addStack(tree, stack, value) {
  let node = tree;
  node.total = sum(node.total, value);
  for (const frame of stack) {
    let next = node.children.get(frame);
    if (!next) {
      next = { frame, total: 0, self: 0, parent: node, children: new Map(), depth: node.depth + 1 };
      node.children.set(frame, next);
    }
    node = next;
    node.total = sum(node.total, value);
  }
  node.self = sum(node.self, value);
}

export class FlameGraph {
  /** @param {import("./page.js").Page} page
   * @param {HTMLElement} into
   * @param {{label: string, isCold: boolean, cut?: number}} options */
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
    this.isIcicle = true;
    this.byWeight = true;
    this.isSandwich = false;
    this.info = element("p", "info");
    this.info.setAttribute("aria-live", "polite");
    this.reset = button("Reset zoom", "Shows all (Esc)", () => this.zoom([]));
    this.reset.hidden = true;
    const tools = element("div", "tools", this.reset,
      button("Flip", "Flame graph or icicle (i)", () => this.key("i")),
      button("Order", "By size or by name (o)", () => this.key("o")),
      button("Sandwich", "Callers and callees of the selected frame (s)", () => this.key("s")));
    into.append(tools, element("div", "stage", this.surface.canvas), this.info);
    this.listen();
  }

  /** @param {Map<number, import("./model.js").Value>} totals
   * @param {import("./model.js").Aggregation} aggregation */
  setTotals(totals, aggregation) {
    const tree = root();
    for (const [key, value] of totals) {
      const at = aggregation.keys[key], number = weight(value);
      if (at && at.stack >= 0 && number > 0) addStack(tree, this.model.stacks[at.stack] ?? [], number);
    }
    this.setTree(tree);
  }

  /** @param {Node} tree */
  setTree(tree) {
    const path = this.selected ? pathOf(this.selected) : null;
    this.tree = tree;
    this.selected = path ? this.find(path) : null;
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
    return node.frame < 0 ? "all" : this.model.frames[node.frame].name;
  }

  /** Callers below, callees above, of all frames of a name.
   * @param {number} frame
   * @returns {Node} */
  sandwich(frame) {
    const callers = root(), callees = root();
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
      const isIt = node.frame === frame;
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
    const all = [...node.children.values()];
    return this.byWeight
      ? all.sort((a, b) => compare(b.total, a.total) || (this.name(a) < this.name(b) ? -1 : 1))
      : all.sort((a, b) => (this.name(a) < this.name(b) ? -1 : 1));
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
    for (const child of this.ordered(node)) {
      const part = Number(node.total) === 0 ? 0 : width * (Number(child.total) / Number(node.total));
      if (part >= 0.3) this.place(child, at, part, boxes, depth + 1);
      at += part;
    }
  }

  layout() {
    /** @type {Box[]} */ const boxes = [];
    const width = Math.max(200, this.surface.canvas.parentElement ? this.surface.canvas.parentElement.clientWidth : 800);
    const focus = this.find(this.focus) ?? this.tree;
    if (focus === this.tree) this.focus = [];
    if (this.isSandwich && this.selected && this.selected.frame >= 0) {
      const callees = this.sandwich(this.selected.frame);
      callees.frame = this.selected.frame;
      /** @type {Box[]} */ const above = [];
      this.place(/** @type {Node} */ (this.callers), 0, width, above, 0);
      const rows = Math.max(...above.map((box) => box.y));
      for (const box of above.slice(1)) boxes.push({ ...box, y: rows - box.y });
      /** @type {Box[]} */ const below = [];
      this.place(callees, 0, width, below, rows);
      boxes.push(...below);
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
    const rows = boxes.reduce((most, box) => Math.max(most, box.y), 0) + 1;
    const g = this.surface.begin(rows * FLAME_ROW + 2);
    const upright = !this.isIcicle && !this.isSandwich;
    const depth = this.find(this.focus)?.depth ?? 0;
    for (const box of boxes) {
      box.y = (upright ? rows - 1 - box.y : box.y) * FLAME_ROW;
      this.box(g, box, this.isSandwich ? false : box.node.depth < depth);
    }
    this.boxes = boxes;
    this.reset.hidden = this.focus.length === 0 && !this.isSandwich;
    this.tell();
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
      g.fillStyle = isFound ? "#fff" : "#16181d";
      g.fillText(fittedName(g, this.name(node), width - 8), x + 4, y + FLAME_ROW / 2 + 1);
    }
    g.globalAlpha = 1;
  }

  /** @param {Node} node */
  colour(node) {
    if (node.frame < 0) return "#c9ced6";
    const { name, code } = this.model.frames[node.frame];
    let hash = 7;
    for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
    const shade = (hash % 17) / 17;
    if (code === "key") return "hsl(215 12% " + (78 + 8 * shade) + "%)";
    if (this.options.isCold) return code === "kernel" ? "hsl(" + (208 + 14 * shade) + " 58% " + (60 + 8 * shade) + "%)" : "hsl(" + (190 + 14 * shade) + " 55% " + (70 + 9 * shade) + "%)";
    return code === "kernel" ? "hsl(" + (12 + 10 * shade) + " 72% " + (62 + 8 * shade) + "%)" : "hsl(" + (36 + 14 * shade) + " 88% " + (60 + 12 * shade) + "%)";
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
    const lines = [this.name(node), grouped(node.total) + " of " + grouped(this.tree.total) + ", " + percent(node.total, this.tree.total)];
    if (node.self > 0) lines.push("itself " + grouped(node.self) + ", " + percent(node.self, this.tree.total));
    return lines;
  }

  tell() {
    const parts = ["total " + grouped(this.tree.total)];
    if (this.word !== "") {
      const found = this.found(this.tree);
      parts.push("matched " + grouped(found) + ", " + percent(found, this.tree.total));
    }
    if (this.selected) parts.push(shownText(this.describe(this.selected).join(" \u2013 ")));
    this.info.textContent = parts.join("  \u00b7  ");
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

/** @param {Node} node */
export function pathOf(node) {
  /** @type {number[]} */ const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.frame);
  return path;
}
