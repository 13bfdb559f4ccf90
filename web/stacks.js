// Trees of stacks, with exact numbers.
import { sum } from "./exact.js";

/** @typedef {import("./exact.js").Exact} Exact */
/** @typedef {{frame: number, total: Exact, self: Exact, parent: Node | null, children: Map<number, Node>, depth: number, sorted?: Node[], isByWeight?: boolean}} Node */

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

/** @param {Node} node */
export function pathOf(node) {
  /** @type {number[]} */ const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.frame);
  return path;
}
