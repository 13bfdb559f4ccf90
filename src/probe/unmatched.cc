// The words for a probe description that matches nothing.

#include "probe/unmatched.h"

#include <fmt/core.h>

namespace dt::probe {

namespace {

constexpr std::size_t kNearMatches = 3;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

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

}  // namespace

Diagnostic& report_unmatched(const Catalog& probes, std::string_view description, Span span,
                             Diagnostics& diagnostics) {
  const auto parsed = is_number(description) ? std::nullopt : parse_pattern(description);
  if (const auto refused = parsed ? probes.refusal(*parsed) : std::nullopt) {
    Diagnostic& error = diagnostics.error(refused->tag, span, refused->text);
    error.hint = refused->hint;
    return error;
  }
  // A shortened description is shown with all its fields, as DTrace does.
  const std::string shown = parsed ? fmt::format("{}:{}:{}:{}", parsed->provider, parsed->module,
                                                 parsed->function, parsed->name)
                                   : std::string(description);
  Diagnostic& error = diagnostics.error(
      "D_PDESC_ZERO", span, fmt::format("probe description {} does not match any probes", shown));
  if (!parsed) {
    return error;
  }
  if (const std::string why = probes.why_not(*parsed); !why.empty()) {
    error.notes.push_back({span, why});
  }
  if (const std::string_view hint = foreign_kind(description); !hint.empty()) {
    error.hint = hint;
    return error;
  }
  std::string near;
  for (const Description& one : probes.near(*parsed, kNearMatches)) {
    near += fmt::format("{}'{}'", near.empty() ? "" : " or ", to_string(one));
  }
  if (!near.empty()) {
    error.hint = fmt::format("did you mean {}?", near);
  }
  return error;
}

}  // namespace dt::probe
