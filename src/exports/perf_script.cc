// See perf_script.h.

#include "exports/perf_script.h"

#include <fmt/core.h>

#include "support/shown.h"

namespace dt::exports {
namespace {

// Readers divide the first line at its blanks.
std::string word_of(const std::string& name) {
  std::string word = support::shown_name(name);
  for (char& c : word) {
    if (c == ' ') c = '_';
  }
  return word;
}

}  // namespace

std::string perf_script(const PerfSample& sample) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  const std::string command = word_of(sample.command);
  std::string out = fmt::format("{:<15} {:5} [{:03}] {}.{:09}: {:10} {}:\n",
                                command.empty() ? fmt::format(":{}", sample.pid) : command,
                                sample.pid, sample.cpu, sample.time_ns / kSecondNs,
                                sample.time_ns % kSecondNs, 1, word_of(sample.event));
  for (const consumer::NamedFrame& frame : sample.frames) {
    const symbol::Symbol& symbol = frame.symbol;
    std::string name = support::shown_name(symbol.name);
    if (name.empty()) {
      name = "[unknown]";
    } else if (symbol.offset != 0) {
      name += fmt::format("+0x{:x}", symbol.offset);
    }
    // A function of a script has its file instead of the module.
    const std::string& module = symbol.module.empty() ? frame.file : symbol.module;
    out += fmt::format("\t{:16x} {} ({})\n", frame.address, name,
                       module.empty() ? "[unknown]" : support::shown_name(module));
  }
  return out + "\n";
}

}  // namespace dt::exports
