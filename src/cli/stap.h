#pragma once
// stap(1): the command under its second name, for scripts in the SystemTap language; staprun(8),
// which runs what `stap -p4` has kept; and stap-prep, which has nothing to prepare.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::cli {

enum class StapMode : std::uint8_t { kRun, kList, kHelp, kVersion, kCheckVersion };

struct StapLine {
  StapMode mode = StapMode::kRun;
  std::string listing;                       // kList: what is listed
  int last_pass = 5;                         // -p
  int verbose = 0;                           // -v
  int verbose_of[5] = {};                    // --vp, besides
  bool no_warnings = false, strict = false;  // -w, -W
  bool keeps = false;                        // -k
  bool shows_times = false;                  // -t
  bool is_daemon = false;                    // -F
  std::string script, name;                  // its text, and how messages call it
  std::string recording;                     // -r, instead of a script
  std::vector<std::string> more;             // -E
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> settings;  // -D, -G and -I
  std::vector<std::pair<std::string, std::string>> options;   // --set
  std::string output, command;                                // -o, -c
  std::string module;                                         // -m
  std::int32_t pid = 0;                                       // -x
  std::int64_t seconds = 0;                                   // -T
  std::string buffer;                                         // -s
  std::int64_t file_megabytes = 0, files = 0;                 // -S SIZE,N
  std::vector<std::string> notes;  // warnings about options that are taken and do nothing
};

// NAME=VALUE or NAME of --set; false: it is neither.
bool add_stap_option(std::string_view word, StapLine& out);

// False: `error` is what to print before exiting with 1.
bool parse_stap_line(int argc, char** argv, StapLine& out, std::string& error);
bool parse_staprun_line(int argc, char** argv, StapLine& out, std::string& error);
std::string stap_help();
std::string staprun_help();

// The script of a line as a file for staprun, and back. A path and why it is none, or "".
std::string module_name(const StapLine& line);
std::string write_module(const StapLine& line, const std::string& path);
std::string read_module(const std::string& path, StapLine& out);

// The whole commands.
int run_stap(int argc, char** argv);
int run_staprun(int argc, char** argv);
int run_stap_prep();

}  // namespace dt::cli
