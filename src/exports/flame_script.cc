// See flame_script.h.

#include "exports/flame_script.h"

namespace dt::exports {

std::string flame_style(bool is_cold) {
  constexpr std::string_view kAll = R"(
text { font: 11px Verdana, sans-serif; fill: #111; pointer-events: none; }
.ground { fill: #fff; }
.title { font-size: 15px; text-anchor: middle; }
#reset, #search { pointer-events: auto; cursor: pointer; fill: #555; }
#reset { visibility: hidden; }
g rect { stroke: #fff; stroke-width: 0.5; cursor: pointer; }
g rect.thin { stroke: none; }
g rect:hover { stroke: #000; }
.outer { opacity: 0.5; } .hidden { display: none; }
.k { fill: #d9d9d9; } .more { fill: #e66e14; } .less { fill: #326ec8; } .legend { fill: #555; }
.h1 { fill-opacity: 0.84; } .h2 { fill-opacity: 0.68; }
#search { text-decoration: underline; }
)";
  constexpr std::string_view kWarm =
      ".u { fill: #f2b134; } .i { fill: #f5d98c; } .p { fill: #a3cf62; } .j { fill: #56c0a4; } "
      ".s { fill: #e2724a; } .found { fill: #b366cc; }\n";
  constexpr std::string_view kCold =
      ".u { fill: #8ec5e8; } .i { fill: #c4def0; } .p { fill: #a9d69c; } .j { fill: #7fd0c4; } "
      ".s { fill: #5b94cf; } .found { fill: #e5a3d8; }\n";
  return std::string(kAll).append(is_cold ? kCold : kWarm);
}

std::string_view flame_script() {
  return R"("use strict";
(function () {
  const { side, inner, letter, margin, least } = Object.fromEntries(
    Object.entries(document.getElementById("boxes").dataset).map(([name, text]) => [name, Number(text)]));
  const groups = ["boxes", "before"].map((id) => document.getElementById(id)).filter((group) => group !== null);
  const sets = groups.map((group) => Array.from(group.children).map((g) => {
    const title = g.querySelector("title").textContent;
    return { g, n: BigInt(g.dataset.n), before: BigInt(g.dataset.b), depth: Number(g.dataset.d),
             name: title.slice(0, title.lastIndexOf(": ")),
             rect: g.querySelector("rect"), text: g.querySelector("text") };
  }));
  let boxes = sets[0], all = boxes[0];
  const reset = document.getElementById("reset"), found = document.getElementById("found");
  const share = (part, whole) => whole === 0n ? 0 : Number(part * 1000000n / whole) / 1000000;

  function show(focus) {
    const end = focus.before + focus.n;
    for (const box of boxes) {
      const isOuter = box.depth < focus.depth && box.before <= focus.before && box.before + box.n >= end;
      const isInner = box.depth >= focus.depth && box.before >= focus.before && box.before + box.n <= end;
      box.g.classList.toggle("hidden", !isOuter && !isInner);
      box.g.classList.toggle("outer", isOuter);
      if (!isOuter && !isInner) continue;
      const x = isOuter ? side : side + inner * share(box.before - focus.before, focus.n);
      const width = isOuter ? inner : inner * share(box.n, focus.n);
      box.rect.setAttribute("x", x.toFixed(2));
      box.rect.setAttribute("width", width.toFixed(2)), box.rect.classList.toggle("thin", width < 2);
      box.text.setAttribute("x", (x + margin / 2).toFixed(2));
      const room = Math.floor((width - margin) / letter), quote = box.name.indexOf("`");
      const label = box.name.length > room && quote > 0 ? box.name.slice(quote + 1) : box.name, name = Array.from(label);
      box.text.textContent = room < least ? "" : name.length <= room ? label
        : name.slice(0, room - 2).join("") + "..";
    }
    reset.style.visibility = focus === all ? "hidden" : "visible";
  }

  function search(word) {
    let sum = 0n, until = -1n;
    const hits = [];
    for (const box of boxes) {
      const hit = word !== "" && box !== all && box.name.toLowerCase().includes(word.toLowerCase());
      box.rect.classList.toggle("found", hit);
      if (hit) hits.push(box);
    }
    hits.sort((a, b) => a.before < b.before ? -1 : a.before > b.before ? 1 : a.depth - b.depth);
    for (const box of hits) {
      if (box.before >= until) { sum += box.n; until = box.before + box.n; }
    }
    found.textContent = word === "" ? "" :
      "matched: " + String(sum).replace(/\B(?=(\d{3})+$)/g, ",") + ", " + (100 * share(sum, all.n)).toFixed(2) + " %";
  }

  function ask() {
    const word = prompt("Frames whose name contains:", "");
    if (word !== null) search(word);
  }

  // Before and now.
  function swap() {
    if (sets.length < 2) return;
    search("");
    boxes = boxes === sets[0] ? sets[1] : sets[0];
    all = boxes[0];
    groups.forEach((group, i) => group.classList.toggle("hidden", sets[i] !== boxes));
    show(all);
  }

  for (const box of sets.flat()) box.g.addEventListener("click", () => show(box));
  reset.addEventListener("click", () => show(all));
  document.getElementById("search").addEventListener("click", ask);
  window.addEventListener("keydown", (e) => {
    if (e.key === "/" || (e.ctrlKey && e.key === "f")) { e.preventDefault(); ask(); }
    if (e.key === "d" && !e.ctrlKey && !e.altKey && !e.metaKey) swap();
    if (e.key === "Escape") { search(""); show(all); }
  });
  window.flame = { show: (i) => show(boxes[i]), search, swap };
})();
)";
}

}  // namespace dt::exports
