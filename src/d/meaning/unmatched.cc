// See unmatched.h.

#include "d/meaning/unmatched.h"

#include <fmt/core.h>

#include <string_view>

namespace dt::d {
namespace {

// What other tracers call kinds of probes, and what is meant by them here.
std::string_view foreign_kind(std::string_view description) {
  struct Kind {
    std::string_view word, hint;
  };
  constexpr std::string_view kFunction =
      "functions of the kernel are fbt::NAME:entry and fbt::NAME:return";
  constexpr std::string_view kUser =
      "functions of a program are pid$target:OBJECT:NAME:entry and :return, under -p or -c";
  constexpr Kind kKinds[] = {
      {"kprobe", kFunction},
      {"kretprobe", kFunction},
      {"kfunc", kFunction},
      {"kretfunc", kFunction},
      {"fentry", kFunction},
      {"fexit", kFunction},
      {"uprobe", kUser},
      {"uretprobe", kUser},
      {"tracepoint",
       "tracepoints are sdt:::NAME, and system calls syscall::NAME:entry and :return"},
      {"rawtracepoint", "tracepoints with their raw arguments are rawtp:::NAME"},
      {"interval", "a probe that fires every second is tick-1s, and one every 10 ms tick-10ms"},
      {"usdt", "static probes of a program are PROVIDER$target:::NAME, under -p or -c"},
      {"software", "samples of every CPU are profile-97"},
      {"hardware", "samples of every CPU are profile-97"},
  };
  const std::string_view first = description.substr(0, description.find(':'));
  for (const Kind& kind : kKinds) {
    if (kind.word == first) return kind.hint;
  }
  return {};
}

// A shortened description is shown with all its fields, as DTrace does.
std::string shown(const probe::Point& point) {
  const probe::Pattern& pattern = point.pattern;
  return point.id || !probe::parse_pattern(pattern.text)
             ? pattern.text
             : fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function,
                           pattern.name);
}

}  // namespace

Diagnostic& report_unmatched(const probe::Unmatched& unmatched, Diagnostics& diagnostics) {
  const Span span = unmatched.point.span;
  if (unmatched.refusal) {
    Diagnostic& error = diagnostics.error(unmatched.refusal->tag, span, unmatched.refusal->text);
    error.hint = unmatched.refusal->hint;
    return error;
  }
  Diagnostic& error = diagnostics.error(
      "D_PDESC_ZERO", span,
      fmt::format("probe description {} does not match any probes", shown(unmatched.point)));
  if (!unmatched.why.empty()) {
    error.notes.push_back({span, unmatched.why});
  }
  if (const std::string_view hint = foreign_kind(unmatched.point.pattern.text); !hint.empty()) {
    error.hint = hint;
    return error;
  }
  std::string near;
  for (const probe::Description& one : unmatched.near) {
    near += fmt::format("{}'{}'", near.empty() ? "" : " or ", probe::to_string(one));
  }
  if (!near.empty()) {
    error.hint = fmt::format("did you mean {}?", near);
  }
  return error;
}

}  // namespace dt::d
