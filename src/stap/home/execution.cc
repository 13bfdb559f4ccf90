// See execution.h.

#include "stap/home/execution.h"

#include <fmt/core.h>

#include <utility>

namespace dt::stap {

Execution::Execution(Program& of, Surroundings with)
    : program(of), surroundings(std::move(with)), globals(of.script.globals.size()) {
  for (const auto& symbol : program.script.globals) {
    if (symbol->initial == nullptr) continue;
    Value& value = global(*symbol).value;
    value.number = symbol->initial->number;
    value.text = symbol->initial->text;
    value.is_own = true;
  }
}

void Execution::begin(Handler& of, const Firing* by, const Firing* asked_by) {
  handler = &of;
  firing = by;
  caller = asked_by;
  error.clear();
  is_aborted = false;
  frames.clear();
  frames.emplace_back(of.locals.size());
}

bool Execution::fail(std::string text, Span place) {
  error = fmt::format("{} near {}", text, surroundings.place(place));
  is_read_fault = false;
  return false;
}

std::string Execution::overflow(const Symbol& array, Span place) const {
  const std::string limit =
      array.most > 0 ? fmt::format("size limit ({})", array.most) : "MAXMAPENTRIES";
  return fmt::format("Array overflow, check {} near {}", limit, surroundings.place(place));
}

void Execution::cut(std::string& text, std::int64_t longest) const {
  const auto most =
      static_cast<std::size_t>(longest > 0 ? longest : program.limits.max_string_length - 1);
  if (text.size() > most) text.resize(most);
}

}  // namespace dt::stap
