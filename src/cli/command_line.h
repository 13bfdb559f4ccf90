#pragma once
// What the person asked for: the command line of dtrace(1).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dtrace/script.h"
#include "dtrace/tracer.h"

namespace dt::cli {

// Exit statuses of dtrace(1).
enum ExitStatus : int { kSuccess = 0, kError = 1, kUsage = 2 };

enum class Mode : std::uint8_t {
  kTrace,
  kList,
  kVersion,     // -V
  kOwnVersion,  // --version
  kHelp,
  kSelfTest,
  kCompileOnly,
  kSave,         // -A
  kClaim,        // -a
  kClaimAndEnd,  // -ae
  kServe,        // --anonymous
  kHeader,       // -h with a program
  kObject,       // -G
  kTools,        // --tools
  kScriptHelp,   // -h behind a script that declares options
};

struct CommandLine {
  Mode mode = Mode::kTrace;
  dtrace::Options options;
  std::vector<dtrace::Program> programs;
  std::vector<std::string> macro_args;  // $1, $2, ...
  // Options that the script declares, by name.
  std::vector<std::pair<std::string, std::string>> named_args;
  dtrace::ScriptUsage script;         // of the last script,
  std::string script_path;            // and its file
  std::string output;                 // -o
  std::string recording;              // -r
  std::vector<std::string> commands;  // -c
  std::vector<std::int32_t> pids;     // -p
  bool disassemble = false;           // -S
  bool unbuffered = false;            // -B
};

inline bool is_script(const dtrace::Program& program) {
  return program.kind == dtrace::Program::Kind::kScript;
}

// A refusal to go on, with the status to exit with.
struct Refusal {
  int status = kUsage;
  std::string text;  // without "dtrace: "; may be empty
  bool show_usage = false;
  std::string hint = {};  // without "hint: "; may be empty
  // The usage and the name of the script, instead of those of dtrace.
  std::string usage = {};
  std::string speaker = {};
};

// Fills `line`; argv as main() got it. True, or false with `refusal` set.
bool parse_command_line(int argc, char** argv, CommandLine& line, Refusal& refusal);

// A tracer of what the command line names, which nothing has been done with.
dtrace::Tracer make_tracer(const CommandLine& line);

}  // namespace dt::cli
