#pragma once
// PointReader: what the families of probe points share: the components of a point, what is wrong
// with it, and the event that it means.

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

class PointReader {
 public:
  PointReader(const ProbePoint& point, const PointWorld& world, Messages& messages, Handler& made)
      : around(world), out(made), point_(point), messages_(messages) {}

  const PointWorld& around;
  Handler& out;

  const Component& at(std::size_t i) const { return point_.components[i]; }
  const Component& last() const { return point_.components.back(); }
  std::size_t count() const { return point_.components.size(); }
  bool has(std::size_t i, std::string_view name) const { return i < count() && at(i).name == name; }

  // While one of several alternatives is tried, its errors are not reported.
  bool is_quiet = false;

  // With the place of the component, unless it is the first one, which the message has anyway.
  bool error(std::string_view text, const Component& where, std::string_view hint = {}) {
    return &where == &at(0) ? report(text, std::nullopt, hint) : placed_error(text, where, hint);
  }
  bool placed_error(std::string_view text, const Component& where, std::string_view hint = {}) {
    return report(text, where.span, hint);
  }

  // Whether no component stands behind the first `most`.
  bool only(std::size_t most) {
    return count() <= most || error("invalid suffix for probe", at(most));
  }

  bool end_of(HandlerKind kind) {
    out.kind = kind;
    return true;
  }

  // .return, .return.maxactive(N), from the component `from` on; nothing may follow.
  bool return_suffix(std::size_t from, bool& is_return) {
    is_return = has(from, "return");
    const std::size_t next = from + (is_return ? 1 : 0);
    if (is_return && has(next, "maxactive")) return only(next + 1);
    return only(next);
  }

  // Adds an event for the probes of this description (four fields, as in D).
  bool event(EventKind kind, std::string provider, std::string module, std::string function,
             std::string name, Event::Whose whose = {}) {
    Event made;
    made.kind = kind;
    made.pattern.provider = std::move(provider);
    made.pattern.module = std::move(module);
    made.pattern.function = std::move(function);
    made.pattern.name = std::move(name);
    made.pattern.text = made.text = to_text(point_);
    made.span = point_.span;
    made.is_optional = point_.is_optional;
    made.is_sufficient = point_.is_sufficient;
    made.whose = std::move(whose);
    out.events.push_back(std::move(made));
    return end_of(HandlerKind::kEvent);
  }

 private:
  bool report(std::string_view text, std::optional<Span> where, std::string_view hint) {
    if (is_quiet || point_.is_optional || point_.is_sufficient) return false;
    // What is wrong with the components behind an alias is wrong where the alias is named.
    const bool is_suffix =
        where && point_.suffix_of && *where != at(0).span && is_behind_alias(*where);
    messages_.point_error(text, is_suffix ? *point_.suffix_of : at(0).span, where, hint);
    return false;
  }
  bool is_behind_alias(Span where) const {
    for (std::size_t i = point_.own_count; i < count(); ++i) {
      if (at(i).span == where) return true;
    }
    return false;
  }

  const ProbePoint& point_;
  Messages& messages_;
};

}  // namespace dt::stap
