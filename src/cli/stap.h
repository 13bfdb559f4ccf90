#pragma once
// stap(1): the command under its second name, for scripts in the SystemTap language.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dt::cli {

enum class StapMode : std::uint8_t { kRun, kList, kHelp, kVersion };

struct StapLine {
  StapMode mode = StapMode::kRun;
  std::string listing;  // kList: what is listed
  int last_pass = 5;    // -p
  int verbose = 0;      // -v
  bool no_warnings = false;
  std::string script, name;       // its text, and how messages call it
  std::vector<std::string> more;  // -E
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> settings;  // -D and -G
  std::string output, command;                                // -o, -c
  std::int32_t pid = 0;                                       // -x
  std::int64_t seconds = 0;                                   // -T
  std::string buffer;                                         // -s
};

// False: `error` is what to print before exiting with 1.
bool parse_stap_line(int argc, char** argv, StapLine& out, std::string& error);
std::string stap_help();

// The whole command.
int run_stap(int argc, char** argv);

}  // namespace dt::cli
