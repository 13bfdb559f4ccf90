#pragma once
// The command line of dwatch(1), as a value.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace dt::dwatch {

enum class Mode : std::uint8_t { kWatch, kListProbes, kListProfiles, kHelp, kVersion };

// Which field of a probe a word on the command line names.
enum class Field : std::uint8_t { kAny, kProvider, kModule, kFunction, kName };

struct Request {
  Mode mode = Mode::kWatch;
  Field field = Field::kAny;  // -P -m -f -n
  std::string profile;        // -X
  std::vector<std::string> words;

  // Which events: each list is a choice, and all lists must agree.
  std::vector<std::string> users, groups, zones, names, pids;  // -u -g -j -k -p
  std::vector<std::string> tests;                              // -t
  std::string block_pattern, process_pattern;                  // -r -z
  std::string cgroup;                                          // --cgroup

  // What an event shows.
  std::vector<std::string> details;               // -E
  bool has_tree = false;                          // -R, without -1 behind it
  bool has_probe_id = false;                      // -x
  bool is_flow = false;                           // -F
  bool is_console = false;                        // -y
  std::size_t most_words = 64;                    // -B
  std::optional<std::uint64_t> most_directories;  // -K
  std::vector<std::string> commands;              // -O

  // $target: it runs from the beginning to the end of tracing, or is traced until it ends.
  std::string target_command;         // -c
  std::vector<std::int32_t> targets;  // -p behind --

  // When it ends, and what it does instead of tracing.
  std::uint64_t most_events = 0;                                      // -N
  std::string duration;                                               // -T, as D writes it: "5s"
  bool shows_script = false;                                          // -d
  bool only_compiles = false;                                         // -e
  std::string output;                                                 // -o
  bool is_quiet = false, is_verbose = false, is_destructive = false;  // -q -v -w
};

// An error says which option, and what it wants.
Result<Request> parse_request(int argc, char** argv);

// What -h prints.
std::string usage_text();

}  // namespace dt::dwatch
