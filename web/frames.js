// What a frame is of, as people see it: its colour, its word, and the legend of a flame graph. The colours of SVG are the same
// hues (src/exports/flame_script.cc).
import { element } from "./draw.js";
import { css, mixed } from "./palette.js";

/** Of a kind of code: its word, and hue, saturation and lightness with what a shade adds, of counts and of times.
 * @type {Record<string, {word: string, warm: number[], cold: number[]}>} */
const KINDS = {
  user: { word: "program", warm: [36, 14, 88, 60, 12], cold: [190, 14, 55, 70, 9] },
  inlined: { word: "inlined", warm: [44, 6, 80, 77, 7], cold: [202, 10, 60, 84, 5] },
  interpreted: { word: "interpreted", warm: [80, 14, 52, 58, 9], cold: [100, 14, 42, 70, 8] },
  jit: { word: "JIT", warm: [160, 12, 46, 52, 9], cold: [160, 10, 46, 62, 8] },
  kernel: { word: "kernel", warm: [12, 10, 72, 62, 8], cold: [208, 14, 58, 60, 8] },
  key: { word: "keys", warm: [215, 0, 12, 78, 8], cold: [215, 0, 12, 78, 8] },
};

/** @param {string} code
 * @param {number} shade from 0 to 1: tells neighbours apart
 * @param {boolean} isCold */
function colourAt(code, shade, isCold) {
  const kind = KINDS[code] ?? KINDS.user;
  const [hue, hues, saturation, light, lights] = isCold ? kind.cold : kind.warm;
  return "hsl(" + (hue + hues * shade) + " " + saturation + "% " + (light + lights * shade) + "%)";
}

/** A name always has the same shade.
 * @param {{name: string, code: string}} frame
 * @param {boolean} isCold */
export function frameColour({ name, code }, isCold) {
  let hash = 7;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
  return colourAt(code, (hash % 17) / 17, isCold);
}

/** What is said of a frame besides its name, as its colour is not the only sign.
 * @param {string} code */
export function codeWord(code) {
  return code === "inlined" || code === "interpreted" || code === "jit" ? KINDS[code].word : "";
}

/** Orange for what has grown, blue for what has shrunk, as in SVG (src/exports/svg.cc).
 * @param {number} change from -1 to 1 */
export function changeColour(change) {
  return css(mixed([236, 236, 236], change < 0 ? [50, 110, 200] : [230, 110, 20], Math.min(1, Math.abs(change))));
}

/** Chips: what colours mean. Of one kind alone there is nothing to tell apart.
 * @param {Set<string>} codes
 * @param {boolean} isCold
 * @param {boolean} isCompared */
export function frameLegend(codes, isCold, isCompared) {
  const kinds = Object.keys(KINDS).filter((code) => codes.has(code));
  const parts = isCompared ? [["larger share", changeColour(0.7)], ["smaller share", changeColour(-0.7)]]
    : kinds.length > 1 ? kinds.map((code) => [KINDS[code].word, colourAt(code, 0.5, isCold)]) : [];
  return parts.map(([word, colour]) => {
    const swatch = element("span", "swatch");
    swatch.style.background = colour;
    return element("span", "chip", swatch, word);
  });
}
