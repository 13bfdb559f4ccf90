#include "d/meaning/foreign_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace dt::d {
namespace {

std::string_view object_of(std::string_view library) { return library == "c" ? "libc" : library; }

}  // namespace

std::string tracepoint_in_d(std::string_view group, std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kCalls[] = {{"sys_enter", "entry"},
                                                                      {"sys_exit", "return"}};
  for (const auto& [prefix, probe] : kCalls) {
    if (!name.starts_with(prefix)) continue;
    std::string_view call = name.substr(prefix.size());
    call.remove_prefix(call.starts_with('_') ? 1 : 0);
    return fmt::format("syscall::{}:{}", call == "*" ? "" : call, probe);
  }
  return fmt::format("sdt:{}::{}", group, name);
}

std::string function_in_d(std::string_view process, std::string_view library,
                          std::string_view function) {
  return fmt::format("{}:{}:{}", process, object_of(library), function);
}

std::string bcc_in_d(std::string_view pattern, bool is_function) {
  const std::size_t first = std::min(pattern.find(':'), pattern.size());
  const std::size_t last = pattern.rfind(':');
  if (first >= pattern.size()) return {};
  const std::string_view kind = pattern.substr(0, first), what = pattern.substr(last + 1);
  const std::string_view where = last > first ? pattern.substr(first + 1, last - first - 1) : "";
  const std::string end = is_function ? "" : kind == "r" ? ":return" : ":entry";
  if (last == first) return kind == "c" ? function_in_d("pid*", kind, what) + end : "";
  if (kind == "t") return tracepoint_in_d(where, what);
  // The provider's name is the program's choice.
  if (kind == "u") return fmt::format("PROVIDER*:{}::{}", object_of(where), what);
  if (kind != "p" && kind != "r") return {};
  return (where.empty() ? fmt::format("fbt::{}", what) : function_in_d("pid*", where, what)) + end;
}

}  // namespace dt::d
