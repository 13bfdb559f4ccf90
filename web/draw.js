// What all pictures share: elements, canvases at the resolution of the screen, tooltips.

/** An element with a class, texts and elements within it. Texts are text only, never markup.
 *
 * @param {string} tag
 * @param {string} name
 * @param {...(Node | string)} inner */
export function element(tag, name, ...inner) {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  made.append(...inner);
  return made;
}

/** @param {string} text
 * @param {string} title
 * @param {() => void} act */
export function button(text, title, act) {
  const made = /** @type {HTMLButtonElement} */ (element("button", "", text));
  made.type = "button";
  made.title = title;
  made.addEventListener("click", act);
  return made;
}

/** A choice of words.
 * @param {string} label
 * @param {string[]} words
 * @param {string} value
 * @param {(word: string) => void} act */
export function choice(label, words, value, act) {
  const select = /** @type {HTMLSelectElement} */ (element("select", ""));
  for (const word of words) {
    const option = /** @type {HTMLOptionElement} */ (element("option", "", word));
    option.value = word;
    select.append(option);
  }
  select.value = value;
  select.setAttribute("aria-label", label);
  select.addEventListener("change", () => act(select.value));
  return select;
}

/** @type {Map<string, string>} */ const theme = new Map();
/** The value of a variable of the style. To ask for it takes longer than to draw a box.
 * @param {string} name */
export function themed(name) {
  let value = theme.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    theme.set(name, value);
  }
  return value;
}

/** Light has become dark, or the other way round. */
export function forgetTheme() {
  theme.clear();
}

/** @type {Map<string, number>} */ const widths = new Map();
/** How wide a text is, which is asked of the same names again and again.
 * @param {CanvasRenderingContext2D} g
 * @param {string} text */
export function textWidth(g, text) {
  const key = g.font + "\n" + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    width = g.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

export const FONT = "12px system-ui, sans-serif";

export class Surface {
  /** @param {string} label what a screen reader calls it */
  constructor(label) {
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", "picture"));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.g = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.width = 0;
    this.height = 0;
  }

  /** Clears it.
   * @param {number} height */
  begin(height) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(200, this.canvas.parentElement ? this.canvas.parentElement.clientWidth : 800);
    if (this.width !== width || this.height !== height || this.canvas.width !== Math.round(width * ratio)) {
      this.width = width;
      this.height = height;
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = height + "px";
    }
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.g.clearRect(0, 0, width, height);
    this.g.font = FONT;
    this.g.textBaseline = "middle";
    return this.g;
  }

  /** Where an event is, in pixels of the picture.
   * @param {MouseEvent} event */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** As much of a text as there is room for.
 * @param {CanvasRenderingContext2D} g
 * @param {string} text
 * @param {number} room */
export function fitted(g, text, room) {
  if (room < 14) return "";
  const shown = shownText(text);
  if (textWidth(g, shown) <= room) return shown;
  const letters = Array.from(shown);
  let low = 0, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(g, letters.slice(0, middle).join("") + "\u2026") <= room) low = middle; else high = middle - 1;
  }
  return low < 2 ? "" : letters.slice(0, low).join("") + "\u2026";
}

const MOST_LETTERS = 240;
/** As much of a text as can be read at a glance, and how much there is more.
 * @param {string} text */
export function beginning(text) {
  const letters = text.length > MOST_LETTERS ? Array.from(text) : [];
  return letters.length > MOST_LETTERS ? letters.slice(0, MOST_LETTERS).join("") + "\u2026 (" + (letters.length - MOST_LETTERS) + " more characters)" : text;
}

// Controls, and what changes the direction of the text behind it.
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
/** A name as people see it: what is not seen, or would change how other text is seen, is escaped.
 * @param {string} text */
export function shownText(text) {
  return text.replace(UNSHOWN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The name of a legend's entry, which may be cut: the number behind it is not.
 * @param {string} text */
export function entryName(text) {
  const made = element("span", "label", shownText(text));
  made.title = beginning(made.textContent ?? "");
  return made;
}

/** Places for labels of an axis.
 * @param {number} low
 * @param {number} high
 * @param {number} count */
export function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
  const all = [];
  // Rounded, as 3 x 0.1 is not 0.3.
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n++) all.push(Number((n * step).toPrecision(15)));
  return all;
}

/** A name of a frame: without its module, where that does not fit.
 * @param {CanvasRenderingContext2D} g
 * @param {string} name
 * @param {number} room */
export function fittedName(g, name, room) {
  const at = name.indexOf("`");
  return at > 0 && textWidth(g, name) > room ? fitted(g, name.slice(at + 1), room) : fitted(g, name, room);
}

const TIME_STEPS = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((s) => s * 1e9);
/** The same for times in ns: whole minutes and hours.
 * @param {number} low
 * @param {number} high
 * @param {number} count */
export function timeTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  if (rough <= 5e9) return ticks(low, high, count);
  const step = TIME_STEPS.find((one) => one >= rough) ?? 86400e9 * Math.ceil(rough / 86400e9);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) all.push(at);
  return all;
}

export class Tooltip {
  constructor() {
    this.box = element("div", "tooltip");
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
    document.body.append(this.box);
  }

  /** @param {{clientX: number, clientY: number}} event
   * @param {string[]} lines */
  show(event, lines) {
    this.box.replaceChildren(...lines.map((line, i) => element("div", i === 0 ? "first" : "", beginning(shownText(line)))));
    this.box.hidden = false;
    const { width, height } = this.box.getBoundingClientRect();
    const x = event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
    const y = event.clientY + 16 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 16;
    this.box.style.left = Math.max(2, x) + "px";
    this.box.style.top = Math.max(2, y) + "px";
  }

  hide() {
    this.box.hidden = true;
  }
}
