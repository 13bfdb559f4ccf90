// dt_elf_soak: damaged ELF files, through all of ours that reads files of programs.
//
//   dt_elf_soak [--seed N] [--count N] [--seconds N] [--jobs N] [--samples DIRECTORY]
//               [--keep DIRECTORY] [--write DIRECTORY]
//
// Files are made of those in the directory of samples. Without --seed, seeds are 1, 2, 3, ...;
// with --seconds and without --count, they begin at random and go on until the time is over. Of
// a file that crashes a worker, or takes too long or too much memory, the seed is said, it is kept,
// and the rest goes on; the exit status is 1. With --write, nothing is read: files whose programs
// can still be executed are made of samples that are linked statically.

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>

#include "campaign.h"

namespace dt::elf {
namespace {

bool parse_options(int argc, char** argv, Options& options) {
  const std::array<std::pair<std::string_view, std::uint64_t*>, 4> numbers = {
      {{"--seed", &options.seed},
       {"--count", &options.count},
       {"--seconds", &options.seconds},
       {"--jobs", &options.jobs}}};
  const std::array<std::pair<std::string_view, std::string*>, 3> texts = {
      {{"--samples", &options.samples}, {"--keep", &options.keep}, {"--write", &options.write}}};
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return false;
    const std::string_view value = argv[i + 1];
    bool is_known = false;
    for (const auto& [name, number] : numbers) {
      if (argv[i] != name) continue;
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), *number);
      if (value.empty() || parsed.ptr != value.data() + value.size()) return false;
      is_known = true;
    }
    for (const auto& [name, text] : texts) {
      if (argv[i] != name) continue;
      *text = value;
      is_known = true;
    }
    if (!is_known) return false;
  }
  return options.jobs > 0;
}

}  // namespace
}  // namespace dt::elf

int main(int argc, char** argv) {
  dt::elf::Options options;
  options.samples = DT_ELF_SAMPLES;
  if (!dt::elf::parse_options(argc, argv, options)) {
    fmt::print(stderr,
               "usage: {} [--seed N] [--count N] [--seconds N] [--jobs N] [--samples DIRECTORY] "
               "[--keep DIRECTORY] [--write DIRECTORY]\n",
               argv[0]);
    return 2;
  }
  return dt::elf::run_campaign(options);
}
