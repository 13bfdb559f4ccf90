// The axis of time that all pictures of a page share: one range, one cursor.
import { clockTime } from "./exact.js";
import { themed, timeTicks } from "./draw.js";

export const LEFT = 76, RIGHT = 14, AXIS = 22;

export class TimeAxis {
  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
    /** What is shown, ns since the start; null: all.
     * @type {[number, number] | null} */ this.range = null;
    /** @type {number | null} */ this.cursor = null;
    /** Lines over pictures: when the pointer moves, only they do.
     * @type {Map<import("./draw.js").Surface, HTMLElement>} */ this.cursors = new Map();
  }

  /** @returns {[number, number]} */
  shown() {
    return this.range ?? [Math.min(0, this.page.first ?? 0), this.page.model.end > 0 ? this.page.model.end : 1e9];
  }

  /** @param {number} time
   * @param {number} width */
  x(time, width) {
    const [from, to] = this.shown();
    return LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  }

  /** @param {number} x
   * @param {number} width */
  time(x, width) {
    const [from, to] = this.shown();
    return from + ((x - LEFT) / (width - LEFT - RIGHT)) * (to - from);
  }

  /** Labels and lines.
   *
   * @param {CanvasRenderingContext2D} g
   * @param {number} width
   * @param {number} top
   * @param {number} bottom */
  draw(g, width, top, bottom) {
    const [from, to] = this.shown();
    g.save();
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "center";
    for (const at of timeTicks(from, to, Math.max(2, (width - LEFT) / 110))) {
      const x = this.x(at, width);
      g.fillStyle = themed("--line");
      g.fillRect(Math.round(x), top, 1, bottom - top);
      g.fillStyle = themed("--dim");
      const text = clockTime(at), half = g.measureText(text).width / 2;
      g.fillText(text, Math.max(LEFT + half - 8, Math.min(x, width - half - 2)), bottom + AXIS / 2);
    }
    g.restore();
  }

  /** Where the pointer is, in all pictures. */
  drawCursors() {
    for (const [surface, line] of this.cursors) {
      if (!surface.canvas.isConnected) { this.cursors.delete(surface); continue; }
      const x = this.cursor === null ? -1 : this.x(this.cursor, surface.width);
      line.hidden = x < LEFT || x > surface.width - RIGHT;
      line.style.left = surface.canvas.offsetLeft + Math.round(x) + "px";
      line.style.top = surface.canvas.offsetTop + "px";
      line.style.height = surface.height - AXIS + "px";
    }
  }

  /** Over the picture: a band where something was dropped.
   * @param {CanvasRenderingContext2D} g
   * @param {number} width
   * @param {number} top
   * @param {number} bottom */
  drawOver(g, width, top, bottom) {
    for (const { since, time, total } of this.page.model.drops) {
      if (Number(total) === 0) continue;
      const x = Math.max(LEFT, this.x(since, width)), end = Math.min(width - RIGHT, this.x(time, width));
      if (end < LEFT || x > width - RIGHT) continue;
      g.fillStyle = themed("--drop");
      g.fillRect(x, top, Math.max(2, end - x), 5);
      g.globalAlpha = 0.12;
      g.fillRect(x, top, Math.max(2, end - x), bottom - top);
      g.globalAlpha = 1;
    }
  }

  /** @param {[number, number] | null} range */
  set(range) {
    if (range) {
      const [from, to] = [Math.min(...range), Math.max(...range)].map(Math.round);
      if (to - from < 1) return;
      range = [from, to];
    }
    this.range = range;
    this.page.changed();
  }

  /** Around a place of the picture.
   * @param {number} factor
   * @param {number} time */
  zoom(factor, time) {
    const [from, to] = this.shown();
    const next = /** @type {[number, number]} */ ([time - (time - from) * factor, time + (to - time) * factor]);
    const all = [Math.min(0, this.page.first ?? 0), Math.max(1, this.page.model.end)];
    this.set(next[0] <= all[0] && next[1] >= all[1] ? null : [Math.max(next[0], all[0]), Math.min(next[1], all[1])]);
  }

  /** @param {number} part of what is shown */
  move(part) {
    if (!this.range) return;
    const [from, to] = this.range, by = (to - from) * part;
    this.set([from + by, to + by]);
  }

  /** Zooms by drags and the wheel, and follows the pointer.
   * @param {import("./draw.js").Surface} surface
   * @param {(event: MouseEvent) => void} hover
   * @param {(event: MouseEvent) => void} click */
  listen(surface, hover, click) {
    const canvas = surface.canvas;
    /** @type {number | null} */ let from = null;
    let isDrag = false;
    const mark = overElement("mark"), line = overElement("cursor");
    canvas.after(mark, line);
    this.cursors.set(surface, line);
    canvas.addEventListener("mousedown", (event) => {
      if (event.button === 0) { from = surface.at(event).x; isDrag = false; }
    });
    canvas.addEventListener("mousemove", (event) => {
      const { x } = surface.at(event);
      this.cursor = this.time(x, surface.width);
      if (from !== null && Math.abs(x - from) > 4) isDrag = true;
      mark.hidden = !(isDrag && from !== null);
      if (isDrag && from !== null) {
        mark.style.left = canvas.offsetLeft + Math.min(x, from) + "px";
        mark.style.width = Math.abs(x - from) + "px";
        mark.style.top = canvas.offsetTop + "px";
        mark.style.height = canvas.offsetHeight + "px";
        this.page.tooltip.hide();
      } else {
        hover(event);
      }
      this.page.moved();
    });
    canvas.addEventListener("mouseleave", () => {
      this.cursor = null;
      this.page.tooltip.hide();
      this.page.moved();
    });
    window.addEventListener("mouseup", (event) => {
      if (from === null) return;
      const { x } = surface.at(event);
      mark.hidden = true;
      const begin = from;
      from = null;
      if (isDrag) this.set([this.time(begin, surface.width), this.time(x, surface.width)]);
      else if (event.target === canvas) click(event);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.time(surface.at(event).x, surface.width));
      else this.move(event.deltaX / surface.width);
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.set(null));
  }
}

/** @param {string} name */
function overElement(name) {
  const made = document.createElement("div");
  made.className = name;
  made.hidden = true;
  return made;
}
