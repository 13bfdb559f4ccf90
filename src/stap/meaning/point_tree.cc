// See point_tree.h.

#include "stap/meaning/point_tree.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "stap/syntax/similar.h"

namespace dt::stap {
namespace {

constexpr std::string_view kAny = "*";  // of a form: any word

// What stands in front of the points of functions, and what of them: N is a number, S a string.
constexpr std::string_view kHeadsOfFunctions[] = {"kernel",
                                                  "module(S)",
                                                  "process",
                                                  "process(N)",
                                                  "process(S)",
                                                  "process.library(S)",
                                                  "process(N).library(S)",
                                                  "process(S).library(S)"};
constexpr std::string_view kFunctionPoints[] = {"function(N)",
                                                "function(N).call",
                                                "function(N).exported",
                                                "function(N).return",
                                                "function(S)",
                                                "function(S).call",
                                                "function(S).callees",
                                                "function(S).callees(N)",
                                                "function(S).callee(S)",
                                                "function(S).inline",
                                                "function(S).label(S)",
                                                "function(S).callee(S).call",
                                                "function(S).return",
                                                "function(S).exported",
                                                "function(S).callee(S).return",
                                                "statement(N)",
                                                "statement(N).nearest",
                                                "statement(S)",
                                                "statement(S).nearest"};
constexpr std::string_view kHeadsOfMarks[] = {"process",
                                              "process(N)",
                                              "process(S)",
                                              "process.library(S)",
                                              "process(N).library(S)",
                                              "process(S).library(S)"};
constexpr std::string_view kMarks[] = {"mark(S)", "provider(S).mark(S)", "plt", "plt.return",
                                       "plt(S)",  "plt(S).return"};
constexpr std::string_view kHeadsOfLives[] = {"process", "process(N)", "process(S)"};
constexpr std::string_view kLives[] = {"begin",      "end",     "thread.begin",
                                       "thread.end", "syscall", "syscall.return"};
constexpr std::string_view kHeadsOfFiles[] = {"procfs", "procfs(S)"};
constexpr std::string_view kFiles[] = {"read",           "read.maxsize(N)",
                                       "umask(N).read",  "umask(N).read.maxsize(N)",
                                       "umask(N).write", "write"};
constexpr std::string_view kHeadsOfTimers[] = {
    "timer.jiffies(N)", "timer.ms(N)",  "timer.msec(N)", "timer.ns(N)",  "timer.nsec(N)",
    "timer.s(N)",       "timer.sec(N)", "timer.us(N)",   "timer.usec(N)"};
constexpr std::string_view kTimers[] = {"", "randomize(N)"};
constexpr std::string_view kOthers[] = {"begin",
                                        "begin(N)",
                                        "end",
                                        "end(N)",
                                        "error",
                                        "error(N)",
                                        "never",
                                        "input.char",
                                        "input.line",
                                        "timer.hz(N)",
                                        "timer.profile",
                                        "timer.profile.tick",
                                        "kernel.data(N).length(N).rw",
                                        "kernel.data(N).length(N).write",
                                        "kernel.data(N).rw",
                                        "kernel.data(N).write",
                                        "kernel.data(S).rw",
                                        "kernel.data(S).write",
                                        "kernel.mark(S)",
                                        "kernel.mark(S).format(S)",
                                        "kernel.trace(S)",
                                        "kernel.function(N).return.maxactive(N)",
                                        "kernel.function(S).return.maxactive(N)",
                                        "module(S).function(N).return.maxactive(N)",
                                        "module(S).function(S).return.maxactive(N)",
                                        "kernel.statement(N).absolute",
                                        "process(N).statement(N).absolute",
                                        "process(N).statement(N).absolute.return",
                                        "process(N).insn",
                                        "process(N).insn.block",
                                        "process(S).insn",
                                        "process(S).insn.block",
                                        "kprobe.function(S)",
                                        "kprobe.function(S).call",
                                        "kprobe.function(S).return",
                                        "kprobe.function(S).return.maxactive(N)",
                                        "kprobe.module(S).function(S)",
                                        "kprobe.module(S).function(S).call",
                                        "kprobe.module(S).function(S).return",
                                        "kprobe.module(S).function(S).return.maxactive(N)",
                                        "kprobe.statement(N).absolute",
                                        "perf.type(N).config(N)",
                                        "perf.type(N).config(N).counter(S)",
                                        "perf.type(N).config(N).hz(N)",
                                        "perf.type(N).config(N).process",
                                        "perf.type(N).config(N).process(S)",
                                        "perf.type(N).config(N).process(S).counter(S)",
                                        "perf.type(N).config(N).sample(N)",
                                        "syscall_any",
                                        "syscall_any.return",
                                        "nd_syscall_any",
                                        "nd_syscall_any.return",
                                        "syscall.*",
                                        "syscall.*.return",
                                        "nd_syscall.*",
                                        "nd_syscall.*.return",
                                        "tp_syscall.*",
                                        "tp_syscall.*.return",
                                        "dw_syscall.*",
                                        "dw_syscall.*.return"};
// Points that are here, too, and that no list names.
constexpr std::string_view kUnlisted[] = {"procfs.maxsize(N).read.umask(N)",
                                          "procfs.maxsize(N).write.umask(N)",
                                          "procfs.write.umask(N).maxsize(N)",
                                          "procfs.write.maxsize(N).umask(N)",
                                          "procfs(S).maxsize(N).read.umask(N)",
                                          "procfs(S).maxsize(N).write.umask(N)",
                                          "procfs(S).write.umask(N).maxsize(N)",
                                          "procfs(S).write.maxsize(N).umask(N)",
                                          "procfs.maxsize(N).read",
                                          "procfs.maxsize(N).write",
                                          "procfs.read.umask(N)",
                                          "procfs.write.umask(N)",
                                          "procfs.write.maxsize(N)",
                                          "procfs.umask(N).maxsize(N).read",
                                          "procfs.umask(N).maxsize(N).write",
                                          "procfs.maxsize(N).umask(N).read",
                                          "procfs.maxsize(N).umask(N).write",
                                          "procfs.read.umask(N).maxsize(N)",
                                          "procfs.read.maxsize(N).umask(N)",
                                          "procfs.umask(N).write.maxsize(N)",
                                          "procfs(S).maxsize(N).read",
                                          "procfs(S).maxsize(N).write",
                                          "procfs(S).read.umask(N)",
                                          "procfs(S).write.umask(N)",
                                          "procfs(S).write.maxsize(N)",
                                          "procfs(S).umask(N).maxsize(N).read",
                                          "procfs(S).umask(N).maxsize(N).write",
                                          "procfs(S).maxsize(N).umask(N).read",
                                          "procfs(S).maxsize(N).umask(N).write",
                                          "procfs(S).read.umask(N).maxsize(N)",
                                          "procfs(S).read.maxsize(N).umask(N)",
                                          "procfs(S).umask(N).write.maxsize(N)",
                                          "dtrace(S)",
                                          "kernel.tracepoint(S)",
                                          "timer.profile.freq.hz(N)",
                                          "syscall.*.return.maxactive(N)",
                                          "nd_syscall.*.return.maxactive(N)",
                                          "tp_syscall.*.return.maxactive(N)",
                                          "dw_syscall.*.return.maxactive(N)",
                                          "syscall_any.return.maxactive(N)",
                                          "process.library(S).function(S).return.maxactive(N)",
                                          "process(N).library(S).function(S).return.maxactive(N)",
                                          "process(S).library(S).function(S).return.maxactive(N)",
                                          "process.function(S).callee(S).return.maxactive(N)",
                                          "process(N).function(S).callee(S).return.maxactive(N)",
                                          "process(S).function(S).callee(S).return.maxactive(N)",
                                          "process(S).function(S).return.maxactive(N)",
                                          "process.function(S).return.maxactive(N)",
                                          "process(N).function(S).return.maxactive(N)",
                                          "perf.type(N).config(N).sample(N).process(S)",
                                          "perf.hw.*",
                                          "perf.hw.*.sample(N)",
                                          "perf.hw.*.process(S)",
                                          "perf.hw.*.sample(N).process(S)",
                                          "perf.sw.*",
                                          "perf.sw.*.sample(N)",
                                          "perf.sw.*.process(S)",
                                          "perf.sw.*.sample(N).process(S)",
                                          "perf.hw.*.counter(S)",
                                          "perf.hw.*.hz(N)",
                                          "perf.sw.*.hz(N)",
                                          "perf.sw.*.counter(S)"};

bool is_pattern(const Component& one) {
  return one.name.find_first_of("*?[{") != std::string::npos;
}

}  // namespace

PointTree::Given PointTree::given(const Component& one) {
  if (!one.has_argument) return Given::kNothing;
  return one.is_string ? Given::kString : Given::kNumber;
}

PointTree::PointTree() {
  const auto add_all = [this](auto& heads, auto& tails) {
    for (const std::string_view head : heads) {
      for (const std::string_view tail : tails) {
        add(fmt::format("{}{}{}", head, tail.empty() ? "" : ".", tail), true);
      }
    }
  };
  add_all(kHeadsOfFunctions, kFunctionPoints);
  add_all(kHeadsOfMarks, kMarks);
  add_all(kHeadsOfLives, kLives);
  add_all(kHeadsOfFiles, kFiles);
  add_all(kHeadsOfTimers, kTimers);
  for (const std::string_view one : kOthers) add(one, true);
  for (const std::string_view one : kUnlisted) add(one, false);
}

void PointTree::add_call(std::string_view name) {
  for (const std::string_view family : {"syscall", "nd_syscall", "tp_syscall", "dw_syscall"}) {
    for (const std::string_view side : {"", ".return"}) {
      add(fmt::format("{}.{}{}", family, name, side), true).is_call = true;
    }
    add(fmt::format("{}.{}.return.maxactive(N)", family, name), false);
  }
}

PointTree::Node& PointTree::add(std::string_view form, bool is_listed) {
  Node* at = &root_;
  bool is_call = false;
  while (!form.empty()) {
    const std::size_t end = std::min(form.find('.'), form.size());
    std::string_view word = form.substr(0, end);
    form.remove_prefix(std::min(end + 1, form.size()));
    Given argument = Given::kNothing;
    if (word.ends_with("(N)") || word.ends_with("(S)")) {
      argument = word.ends_with("(N)") ? Given::kNumber : Given::kString;
      word.remove_suffix(std::string_view("(N)").size());
    }
    is_call = word == kAny;
    at = &at->below[{std::string(word), argument}];
    at->is_unlisted = at->is_unlisted && !is_listed;
  }
  at->is_end = true;
  at->is_call = at->is_call || is_call;
  return *at;
}

// "begin end function(number) function(string)"
std::string PointTree::follow(const Node& node) {
  std::vector<std::string> out;
  for (const auto& [key, below] : node.below) {
    if (below.is_unlisted || key.first == kAny) continue;
    constexpr std::string_view kGiven[] = {"", "(number)", "(string)"};
    out.push_back(key.first + std::string(kGiven[static_cast<std::size_t>(key.second)]));
  }
  return fmt::format("{}", fmt::join(out, " "));
}

std::vector<std::string_view> PointTree::words(const Node& node) {
  std::vector<std::string_view> out;
  for (const auto& [key, below] : node.below) {
    if (!below.is_unlisted && key.first != kAny) out.push_back(key.first);
  }
  return out;
}

std::optional<PointTree::Misfit> PointTree::misfit(const ProbePoint& point) const {
  const Node* at = &root_;
  for (std::size_t i = 0; i < point.components.size(); ++i) {
    const Component& one = point.components[i];
    const bool has_pattern = is_pattern(one);
    auto found = at->below.find({one.name, given(one)});
    if (found == at->below.end()) found = at->below.find({std::string(kAny), given(one)});
    if (found == at->below.end()) {
      if (at->is_end && !at->is_call && i > 0) return Misfit{"invalid suffix for probe", i};
      return Misfit{fmt::format("probe point mismatch{}{}",
                                has_pattern ? ": didn't find any wildcard matches" : "",
                                similar(one.name, words(*at))),
                    i};
    }
    at = &found->second;
  }
  if (at->is_end) return std::nullopt;
  const std::string below = follow(*at);
  return Misfit{fmt::format("probe point truncated{}",
                            below.empty() ? "" : fmt::format(" (follow:  {})", below)),
                point.components.size() - 1};
}

}  // namespace dt::stap
