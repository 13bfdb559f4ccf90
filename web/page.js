// The page: a card for each view, one axis of time, one pause, one search. It is given view lines by the
// document that it is in, or by the page process (dtrace -x listen).
import { duration, grouped } from "./exact.js";
import { Model, unitOf } from "./model.js";
import { button, element, forgetTheme, shownText, Tooltip } from "./draw.js";
import { TimeAxis } from "./axis.js";
import { FlameGraph } from "./flame.js";
import { HeatMap } from "./heat.js";
import { Histograms, LineChart } from "./charts.js";
import { AggregationTable, Events, SortedTable } from "./table.js";
import { Scope, Timeline } from "./timeline.js";
import { literal, Narrow } from "./narrow.js";

/** What a person has chosen in a picture, as words.
 * @typedef {Record<string, string>} Choices */
/** @typedef {{draw: () => void, table: () => {columns: string[], rows: any[]}, search?: (word: string) => void, key?: (key: string) => boolean,
 *   choices?: () => Choices, choose?: (choices: Choices) => void,
 *   selection?: () => {keys?: Map<number, import("./exact.js").Exact | string>, bucket?: number | null}}} Picture */
/** @typedef {{spec: import("./model.js").Spec, index: number, kind: string, card: HTMLElement, body: HTMLElement, picture: Picture, numbers: SortedTable | null, narrow: Narrow | null, press: () => void}} Card */

/** The kinds that show the same data.
 * @param {string} kind */
function kindsFor(kind) {
  switch (kind) {
    case "flame": return ["flame", "table"];
    case "heat": case "hist": return ["heat", "hist", "table"];
    case "line": case "table": return ["line", "table"];
    case "scope": return ["scope", "events"];
    case "timeline": return ["timeline", "events"];
    default: return [kind];
  }
}

const KEYS = [
  ["Space", "pause: nothing moves until you press it again"], ["/", "search in all pictures"],
  ["drag", "over a picture with time: shows this range in all"], ["+  \u2212", "zoom in and out of time"],
  ["[  ]", "earlier and later"], ["Esc", "all of the time; all of a flame graph"],
  ["arrows, Enter", "select in the picture that has the focus; zoom"], ["c", "colours of a heat map: log, linear, rank"],
  ["l", "linear or logarithmic axis"], ["i  o  s  d", "flame graph: flip, order, sandwich; compare, and swap what is compared"],
  ["t", "numbers of the picture as a table"], ["n", "the program, narrowed to what is selected"], ["w", "save this page as a file"], ["?", "this help"],
];

export class Page {
  constructor() {
    this.model = new Model();
    this.axis = new TimeAxis(this);
    this.tooltip = new Tooltip();
    /** @type {Card[]} */ this.cards = [];
    this.isPaused = false;
    this.isCursorDue = false;
    this.isLive = false;
    this.first = 0;
    /** Lines that came while paused.
     * @type {string[]} */ this.waiting = [];
    this.isDue = false;
    this.literal = literal;  // for tests
    this.token = "";
    this.state = "";
    this.title = element("h1", "");
    this.where = element("p", "where");
    this.badge = element("span", "badge");
    this.badge.setAttribute("role", "status");
    this.dropBadge = element("span", "badge drops");
    this.pauseButton = button("Pause", "Stops and goes on (Space)", () => this.pause());
    this.saveButton = button("Save", "Saves this page with its data as one file (w)", () => this.save());
    this.rangeText = element("span", "range");
    this.rangeButton = button("All of the time", "Shows all of the time again (Esc)", () => this.axis.set(null));
    this.searchBox = /** @type {HTMLInputElement} */ (element("input", ""));
    this.searchBox.type = "search";
    this.searchBox.placeholder = "Search (/)";
    this.searchBox.setAttribute("aria-label", "Search in all pictures");
    this.searchBox.addEventListener("input", () => this.search(this.searchBox.value));
    this.help = this.helpBox();
    this.main = element("main", "");
    this.build();
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.isToRemember = false;
    for (const kind of ["click", "mouseup", "keyup", "change", "input"]) document.addEventListener(kind, () => this.remember());
    window.addEventListener("hashchange", () => this.choose());
    window.addEventListener("resize", () => this.changed());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { forgetTheme(); this.changed(); });
  }

  build() {
    const tools = element("div", "bar-tools", this.rangeText, this.rangeButton, this.searchBox, this.pauseButton, this.saveButton,
      button("?", "Keys", () => this.help.showModal()));
    const header = element("header", "", element("div", "names", this.title, this.where), element("div", "badges", this.badge, this.dropBadge), tools);
    document.body.prepend(header, this.main, this.help);
    this.saveButton.hidden = this.pauseButton.hidden = true;
  }

  helpBox() {
    const rows = KEYS.map(([key, what]) => element("tr", "", element("td", "", element("kbd", "", key)), element("td", "", what)));
    const box = /** @type {HTMLDialogElement} */ (element("dialog", "help", element("h2", "", "Keys"), element("table", "", element("tbody", "", ...rows)),
      element("form", "", element("button", "", "Close"))));
    /** @type {HTMLFormElement} */ (box.querySelector("form")).method = "dialog";
    box.setAttribute("aria-label", "Keys");
    return box;
  }

  /** @param {string} text lines */
  take(text) {
    const lines = text.split("\n");
    if (this.isPaused) { for (const line of lines) this.waiting.push(line); return; }
    for (const line of lines) this.model.addText(line);
    this.changed();
  }

  pause() {
    this.isPaused = !this.isPaused;
    if (!this.isPaused) this.take(this.waiting.splice(0).join("\n"));
    this.pauseButton.textContent = this.isPaused ? "Go on" : "Pause";
    this.changed();
  }

  changed() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.draw(); });
  }

  /** The pointer is elsewhere: pictures with time show where. */
  moved() {
    if (this.isCursorDue) return;
    this.isCursorDue = true;
    requestAnimationFrame(() => { this.isCursorDue = false; this.axis.drawCursors(); });
  }

  draw() {
    if (this.cards.length === 0 && this.model.views.length > 0) { this.makeCards(); this.choose(); }
    this.drawHeader();
    for (const card of this.cards) {
      this.drawCard(card);
    }
    this.axis.drawCursors();
  }

  /** @param {Card} card */
  drawCard(card) {
    if (card.picture instanceof FlameGraph) {
      const aggregation = this.model.aggregations[card.spec.aggregations[0]];
      card.picture.setTotals(aggregation, this.axis.range);
    } else {
      card.picture.draw();
    }
    if (card.numbers) {
      const { columns, rows } = card.picture.table();
      card.numbers.set(columns, rows, false);
    }
    // Of an address: the values that it names may have come now.
    if (card.narrow?.program === "") card.narrow.draw();
  }

  drawHeader() {
    const { model } = this, seconds = duration(Math.max(0, model.end));
    this.title.textContent = shownText(model.title.replace(/\s+/g, " ")) || "dtrace";
    document.title = "dtrace \u2013 " + shownText(model.title.replace(/\s+/g, " ")).slice(0, 60);
    const start = model.start === 0n ? "" : new Date(Number(model.start / 1000000n)).toLocaleString();
    this.where.textContent = [shownText(model.host), model.kernel && "Linux " + shownText(model.kernel), start, seconds].filter((text) => text).join("  \u00b7  ");
    const state = this.isPaused ? "paused" : this.state || (model.isOver ? "ended" : this.isLive ? "live" : "incomplete");
    this.badge.textContent = state + (this.isPaused && this.waiting.length > 0 ? ", " + grouped(this.waiting.length) + " lines wait" : "");
    this.badge.dataset.state = state;
    const dropped = model.dropped();
    const kinds = model.drops.length > 0 ? Object.entries(model.drops[model.drops.length - 1].kinds) : [];
    this.dropBadge.textContent = dropped === 0 ? "0 dropped" : grouped(dropped) + " dropped (" + kinds.map(([kind, n]) => kind + " " + grouped(/** @type {any} */ (n))).join(", ") + ")";
    this.dropBadge.dataset.state = dropped === 0 ? "none" : "some";
    this.rangeText.textContent = this.axis.range ? duration(this.axis.range[0]) + " to " + duration(this.axis.range[1]) : "";
    this.rangeButton.hidden = this.axis.range === null;
    this.pauseButton.hidden = this.saveButton.hidden = !this.isLive;
  }

  makeCards() {
    this.model.views.forEach((spec, index) => {
      const body = element("div", "body");
      const title = element("h2", "", shownText(spec.title));
      const head = element("div", "head", title);
      const card = element("section", "card", head, body);
      card.setAttribute("aria-label", spec.kind + ": " + shownText(spec.title));
      const made = /** @type {Card} */ ({ spec, index, kind: spec.kind, card, body, picture: /** @type {any} */ (null), numbers: null, narrow: null, press: () => {} });
      const kinds = kindsFor(spec.kind);
      const tabs = kinds.map((kind) => {
        const tab = button(kind, "Shows it as " + kind, () => { this.show(made, kind); this.changed(); });
        return tab;
      });
      made.press = () => kinds.forEach((kind, i) => tabs[i].setAttribute("aria-pressed", String(kind === made.kind)));
      const numbers = button("Numbers", "As a table (t)", () => this.numbers(made));
      const shown = spec.aggregations.length === 1 ? this.model.aggregations[spec.aggregations[0]] : undefined;
      const narrow = shown && shown.pieces.length > 0 ? [button("Narrow", "The program for less of it, or by one key more (n)", () => this.narrow(made))] : [];
      tabs.forEach((tab, i) => { tab.className = i === tabs.length - 1 ? "tab last" : "tab"; });
      head.append(element("div", "kinds", ...(kinds.length > 1 ? tabs : []), ...narrow, numbers));
      this.main.append(card);
      this.show(made, spec.kind);
      this.cards.push(made);
    });
  }

  /** @param {Card} card
   * @param {string} kind */
  show(card, kind) {
    card.kind = kind;
    card.numbers = card.narrow = null;
    card.body.replaceChildren();
    card.picture = this.made(card, kind);
    card.press();
    if (this.searchBox.value !== "") card.picture.search?.(this.searchBox.value);
  }

  /** @param {Card} card
   * @param {string} kind
   * @returns {Picture} */
  made(card, kind) {
    const { spec, body } = card;
    switch (kind) {
      case "flame": {
        const aggregation = this.model.aggregations[spec.aggregations[0]];
        return /** @type {any} */ (new FlameGraph(this, body, { label: "Flame graph of " + spec.title, isCold: aggregation.function === "sum", aggregation: spec.aggregations[0],
          unit: aggregation.isHistogram ? undefined : unitOf(spec, aggregation), valueUnit: unitOf(spec, aggregation), root: spec.root,
          comparisons: [...(aggregation.isCompared ? ["base"] : []), "rest"] }));
      }
      case "heat": return new HeatMap(this, body, spec);
      case "hist": return new Histograms(this, body, spec);
      case "line": return new LineChart(this, body, spec);
      case "timeline": return new Timeline(this, body, spec, card.index);
      case "scope": return new Scope(this, body, spec);
      case "events": return new Events(this, body, spec);
      default: return new AggregationTable(this, body, spec);
    }
  }

  /** @param {Card} card */
  numbers(card) {
    if (card.numbers) {
      card.numbers = null;
      card.body.querySelector(".numbers")?.remove();
    } else {
      const into = element("div", "numbers");
      card.body.append(into);
      card.numbers = new SortedTable(into, "Numbers of " + card.spec.title);
    }
    this.drawCard(card);
  }

  /** @param {Card} card */
  narrow(card) {
    const aggregation = this.model.aggregations[card.spec.aggregations[0]];
    if (card.narrow) {
      card.narrow = null;
      card.body.querySelector(".narrow")?.remove();
    } else if (card.spec.aggregations.length === 1 && aggregation.pieces.length > 0) {
      const into = element("div", "narrow");
      card.body.append(into);
      card.narrow = new Narrow(into, aggregation, unitOf(card.spec, aggregation));
      card.narrow.select(card.picture.selection?.() ?? {});
    }
  }

  /** A person has selected something else in a picture.
   * @param {any} picture */
  selected(picture) {
    const card = this.cards.find((one) => one.picture === picture);
    card?.narrow?.select(card.picture.selection?.() ?? {});
  }

  /** What sums of a range are of: it ends where the aggregation was read. Without anything that was counted, that.
   * @param {import("./model.js").Aggregation} aggregation */
  rangeNote(aggregation) {
    if (!aggregation.columns.some((column) => column.rows.size > 0)) return "nothing was counted" + (this.model.isOver ? "" : " so far");
    if (this.axis.range === null) return "";
    const columns = aggregation.within(this.axis.range);
    if (columns.length === 0) return "not read in this range";
    return "added from " + this.model.clock(columns[0].since) + " to " + this.model.clock(columns[columns.length - 1].time);
  }

  /** @param {import("./model.js").Aggregation} aggregation
   * @param {number} bucket
   * @param {string} [unit] */
  bucketName(aggregation, bucket, unit) {
    return aggregation.bucketLabel(bucket, unit);
  }

  /** @param {string} word */
  search(word) {
    for (const card of this.cards) card.picture.search?.(word);
  }

  /** The card in which the focus is, or the first. */
  focused() {
    return this.cards.find((card) => card.card.contains(document.activeElement)) ?? this.cards[0];
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target === this.searchBox) {
      if (event.key === "Escape") { this.searchBox.value = ""; this.search(""); this.searchBox.blur(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|INPUT)$/.test(target.tagName)) return;
    if (event.key === " " && target.tagName === "BUTTON") return;
    switch (event.key) {
      case " ": if (this.isLive) this.pause(); break;
      case "/": this.searchBox.focus(); break;
      case "?": this.help.showModal(); break;
      case "w": if (this.isLive) this.save(); break;
      case "+": case "=": this.axis.zoom(0.5, this.middle()); break;
      case "-": this.axis.zoom(2, this.middle()); break;
      case "[": this.axis.move(-0.25); break;
      case "]": this.axis.move(0.25); break;
      case "t": { const card = this.focused(); if (card) this.numbers(card); break; }
      case "n": { const card = this.focused(); if (card) this.narrow(card); break; }
      case "Escape": if (this.help.open) return; this.axis.set(null); break;
      default: return;
    }
    event.preventDefault();
  }

  middle() {
    const [from, to] = this.axis.shown();
    return this.axis.cursor ?? (from + to) / 2;
  }

  // ---- The fragment of the address ----

  /** The address is as what is shown, soon. */
  remember() {
    if (this.isToRemember) return;
    this.isToRemember = true;
    setTimeout(() => {
      this.isToRemember = false;
      if (this.cards.length === 0) return;
      const chosen = "#" + this.chosen();
      if (chosen !== (location.hash || "#")) history.replaceState(null, "", chosen);
    }, 200);
  }

  /** All that was chosen; of each view what is not as at the start. */
  chosen() {
    const out = new URLSearchParams();
    if (this.token !== "") out.set("token", this.token);
    if (this.axis.range) out.set("range", this.axis.range.join(".."));
    if (this.searchBox.value !== "") out.set("search", this.searchBox.value);
    for (const card of this.cards) {
      if (card.kind !== card.spec.kind) out.set(card.index + ".kind", card.kind);
      if (card.numbers) out.set(card.index + ".numbers", "1");
      for (const [word, value] of Object.entries(card.narrow?.choices() ?? {})) out.set(card.index + "." + word, value);
      for (const [word, value] of Object.entries(card.picture.choices?.() ?? {})) if (value !== "") out.set(card.index + "." + word, value);
    }
    return out.toString();
  }

  /** Shows what the fragment says, and nothing else. */
  choose() {
    const said = new URLSearchParams(location.hash.slice(1));
    if (this.cards.length === 0) return;
    const range = /^(-?\d+)\.\.(-?\d+)$/.exec(said.get("range") ?? "");
    this.axis.set(range ? [Number(range[1]), Number(range[2])] : null);
    for (const card of this.cards) {
      const before = card.index + ".", kind = said.get(before + "kind") ?? card.spec.kind;
      this.show(card, kindsFor(card.spec.kind).includes(kind) ? kind : card.spec.kind);
      /** @type {Choices} */ const choices = {};
      for (const [word, value] of said) if (word.startsWith(before)) choices[word.slice(before.length)] = value;
      card.picture.choose?.(choices);
      if (said.get(before + "numbers") === "1") this.numbers(card);
      if (choices.narrow === "1") {
        this.narrow(card);
        card.narrow?.choose(choices);
      }
    }
    this.searchBox.value = said.get("search") ?? "";
    this.search(this.searchBox.value);
    this.changed();
  }

  // ---- Where lines come from ----

  /** The data that the document has: gzip, in base64.
   * @param {string} text */
  async takeDocument(text) {
    if (!("DecompressionStream" in window)) { this.fail("This browser cannot unpack the data of this page: it needs DecompressionStream, which browsers have since 2023."); return; }
    const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const lines = await new Response(new Blob([bytes]).stream().pipeThrough(new /** @type {any} */ (window).DecompressionStream("gzip"))).text();
    this.take(lines);
  }

  /** Lines of the page process, until it ends.
   * @param {string} token */
  async listen(token) {
    this.isLive = true;
    this.token = token;
    for (let wait = 250; ; wait = Math.min(5000, wait * 2)) {
      try {
        const answer = await fetch("/lines", { headers: { Authorization: "Bearer " + token }, cache: "no-store" });
        if (answer.status === 401) { this.fail("The token of this address is not that of the run."); return; }
        if (answer.ok && answer.body) { wait = 250; await this.read(answer.body); }
        if (this.model.isOver) return;
        this.state = answer.status === 503 ? "busy: too many pages" : "reconnecting";
      } catch { this.state = "reconnecting"; }
      if (this.model.isOver) { this.state = ""; this.changed(); return; }
      this.changed();
      await new Promise((resolve) => { setTimeout(() => resolve(null), wait); });
    }
  }

  /** Events of a server: "data: LINE", and "event: state" where all begins anew.
   * @param {ReadableStream<Uint8Array>} body */
  async read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) continue;
      /** @type {string[]} */ const lines = [];
      for (const part of rest.slice(0, end).split("\n")) {
        if (part.startsWith("data: ")) lines.push(part.slice(6));
        else if (part === "event: state") { lines.length = 0; this.restart(); }
      }
      rest = rest.slice(end + 2);
      this.state = "";
      if (lines.length > 0) this.take(lines.join("\n"));
    }
  }

  /** A whole state follows. Pictures keep what people have chosen. */
  restart() {
    const before = this.model;
    this.waiting = [];
    if (before.views.length === 0) return;
    if (this.cards.length > 0) history.replaceState(null, "", "#" + this.chosen());
    this.model = new Model();
    this.cards = [];
    this.main.replaceChildren();
  }

  /** @param {string} text */
  fail(text) {
    this.state = "no access";
    this.main.replaceChildren(element("p", "failure", text));
    this.changed();
  }

  async save() {
    const answer = await fetch("/save", { headers: { Authorization: "Bearer " + this.token } });
    if (!answer.ok) { this.fail("The page could not be saved: " + answer.status); return; }
    const link = /** @type {HTMLAnchorElement} */ (element("a", ""));
    link.href = URL.createObjectURL(await answer.blob());
    link.download = "dtrace.html";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function start() {
  const page = new Page();
  /** @type {any} */ (window).dtracePage = page;
  const data = document.getElementById("data");
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (data) page.takeDocument(data.textContent ?? "").catch((error) => page.fail("The data of this page is damaged: " + error));
  else if (token) page.listen(token);
  else page.fail("This address has no token: open the one that dtrace has printed.");
}

start();
