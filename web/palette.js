// Colours that people tell apart whatever colours they see: cividis for amounts, Okabe-Ito for keys.
// A colour is never the only sign: amounts have luminance, keys have labels.

/** Okabe-Ito, without black. */
export const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"];
export const OTHER_HUE = "#8a8f98";

// Cividis at nine places (Nunez, Anderton, Renslow 2018), from little to much.
const CIVIDIS = [[0, 32, 76], [0, 52, 110], [57, 72, 107], [87, 93, 109], [112, 113, 115], [138, 134, 120],
  [166, 157, 117], [196, 181, 108], [255, 233, 69]];

/** A colour of an amount from 0 to 1: the more there is, the further it is from the paper.
 * @param {number} level
 * @param {string} paper its colour
 * @returns {[number, number, number]} */
export function cividis(level, paper) {
  const isLight = rgb(paper).reduce((a, b) => a + b) > 3 * 128, shown = Math.max(0, Math.min(1, level));
  const at = (isLight ? 1 - shown : shown) * (CIVIDIS.length - 1);
  const i = Math.min(CIVIDIS.length - 2, Math.floor(at)), part = at - i;
  const [a, b] = [CIVIDIS[i], CIVIDIS[i + 1]];
  return mixed(a, b, part);
}

/** @param {string} hex
 * @returns {[number, number, number]} */
export function rgb(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** Between two colours.
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} part
 * @returns {[number, number, number]} */
export function mixed(a, b, part) {
  const at = (/** @type {number} */ i) => Math.round(a[i] + (b[i] - a[i]) * part);
  return [at(0), at(1), at(2)];
}

/** Letters on a colour: dark or light, whichever is further from it, as WCAG 2 measures it.
 * @param {string} hex */
export function inkOn(hex) {
  const light = rgb(hex).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > 0.18 ? "#16181d" : "#fff";
}

/** @param {number[]} colour */
export function css(colour) {
  return "rgb(" + colour.join(",") + ")";
}
