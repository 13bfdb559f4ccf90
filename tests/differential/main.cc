// dt_differential: random D scripts, run in three ways that must agree.
//
//   dt_differential [--seed N] [--count N] [--seconds N] [--jobs N] [--progress N]
//                   [--two-way] [--print] [--code] [--all]
//
// Without --seed, seeds are 1, 2, 3, ...; with --seconds and without --count,
// they begin at random and go on until the time is over. A failure is made
// smaller, printed with its seed, and ends the run with status 1.

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>

#include "campaign.h"

namespace dt::differential {
namespace {

bool parse_options(int argc, char** argv, Options& options) {
  const std::array<std::pair<std::string_view, bool*>, 4> flags = {{{"--two-way", &options.two_way},
                                                                    {"--print", &options.print},
                                                                    {"--code", &options.code},
                                                                    {"--all", &options.all}}};
  const std::array<std::pair<std::string_view, std::uint64_t*>, 5> numbers = {
      {{"--seed", &options.seed},
       {"--count", &options.count},
       {"--seconds", &options.seconds},
       {"--jobs", &options.jobs},
       {"--progress", &options.progress}}};
  for (int i = 1; i < argc; ++i) {
    bool is_known = false;
    for (const auto& [name, value] : flags) {
      if (argv[i] != name) continue;
      *value = is_known = true;
    }
    for (const auto& [name, value] : numbers) {
      if (is_known || argv[i] != name || i + 1 == argc) continue;
      const std::string_view text = argv[++i];
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *value);
      if (text.empty() || parsed.ptr != text.data() + text.size()) return false;
      is_known = true;
    }
    if (!is_known) return false;
  }
  return options.jobs > 0;
}

}  // namespace
}  // namespace dt::differential

int main(int argc, char** argv) {
  dt::differential::Options options;
  if (!dt::differential::parse_options(argc, argv, options)) {
    fmt::print(stderr,
               "usage: {} [--seed N] [--count N] [--seconds N] [--jobs N] [--progress N] "
               "[--two-way] [--print] [--code] [--all]\n",
               argv[0]);
    return 2;
  }
  return dt::differential::run_campaign(options);
}
