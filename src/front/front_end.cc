// The plain words for what later stages refuse.

#include "front/front_end.h"

#include <fmt/core.h>

namespace dt::front {

void FrontEnd::report(const probe::Unmatched& unmatched, Diagnostics& diagnostics) const {
  const Span span = unmatched.point.span;
  if (unmatched.refusal) {
    diagnostics.error("", span, unmatched.refusal->text).hint = unmatched.refusal->hint;
    return;
  }
  Diagnostic& error = diagnostics.error(
      "", span, fmt::format("no probe matches {}", probe::to_string(unmatched.point)));
  if (!unmatched.why.empty()) {
    error.notes.push_back({span, unmatched.why});
  }
  if (!unmatched.near.empty()) {
    error.hint = fmt::format("the nearest is {}", probe::to_string(unmatched.near.front()));
  }
}

FrontEnd::Words FrontEnd::words(const ir::Refusal& refusal) const {
  return {"", ir::plain_text(refusal, ir::name_of(refusal.asks)), ""};
}

std::string FrontEnd::advice(const probe::Catalog&, ProbeId, std::uint32_t) const { return ""; }

}  // namespace dt::front
