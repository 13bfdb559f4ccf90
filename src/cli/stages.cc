// See stages.h.

#include "cli/stages.h"

#include <fmt/core.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace dt::cli {
namespace {

// The message about a stage that takes long; "" if standard error is no terminal.
std::string shown(std::string_view stage) {
  static constexpr std::pair<std::string_view, std::string_view> kShown[] = {
      {"start", "reading the script"}, {"front-end", "compiling"},
      {"optimise", "compiling"},       {"enable", "finding probes"},
      {"generate", "generating code"}, {"maps", "making buffers"},
      {"load", "loading programs"},    {"attach", "enabling probes"},
      {"stop", "disabling probes"},
  };
  for (const auto& [name, text] : kShown) {
    if (name == stage) {
      return std::string(text);
    }
  }
  return {};
}

}  // namespace

Stages::Stages() : progress_(STDERR_FILENO) {}

void Stages::take(const dtrace::Progress& progress) {
  if (progress.of > 0) {
    progress_.step(progress.number, progress.of);
  } else if (progress.stage.empty()) {
    stand_aside();
  } else {
    begin(std::string(progress.stage));
  }
}

void Stages::begin(std::string name) {
  progress_.begin(shown(name));
  entries_.push_back(Entry{std::move(name), Clock::now()});
}

std::string Stages::report() const {
  std::string text;
  const auto ms = [](Clock::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
  };
  for (std::size_t i = 0; i + 1 < entries_.size(); ++i) {
    text += fmt::format("{:<12}{:>10.3f} ms{:>12.3f} ms\n", entries_[i].name,  // no name
                        ms(entries_[i + 1].from - entries_[i].from),
                        ms(entries_[i + 1].from - entries_[0].from));
  }
  return text;
}

}  // namespace dt::cli
