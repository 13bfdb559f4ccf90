#pragma once
// What the person asked for: -x options (also #pragma D option) and the
// command line. options.def is the list of names.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/front_end.h"
#include "support/result.h"

namespace dt::cli {

// Exit statuses of dtrace(1).
enum ExitStatus : int { kSuccess = 0, kError = 1, kUsage = 2 };

// The values of options that are used, with DTrace's defaults.
struct Options {
  std::string dump, stop, explain, machine;
  bool stats = false;
  bool argref = false, cpp = false, defaultargs = false, droptags = false, empty = false;
  bool errtags = false, verbose = false, zdefs = false, destructive = false, quiet = false;
  std::string ctypes, dtypes;  // files to write types to
  std::string cpppath = "cpp";
  bool nolibs = false;
  std::string syslibdir;
  std::vector<std::string> libdirs;  // -L, -x libdir
  std::uint32_t version = d::kNewestVersion;
  std::optional<probe::Attributes> amin;
  std::vector<std::string> cpp_args;  // -D, -U, -I in order
  std::uint64_t aggsize = 4ULL << 20;
  std::uint64_t bufsize = 4ULL << 20;
  std::uint64_t dynvarsize = 1ULL << 20;
  std::uint32_t nspec = 1;
  std::uint64_t specsize = 32ULL << 10;
  std::uint64_t scratchsize = 16ULL << 10;
  std::uint64_t strsize = 256;
  std::uint64_t statusrate_ns = 1'000'000'000;
  std::uint32_t stackframes = 20, ustackframes = 20, jstackframes = 50;
  std::uint32_t stackindent = 14, aggsortpos = 0, aggsortkeypos = 0;
  bool aggsortkey = false, aggsortrev = false, aggzoom = false, rawbytes = false;
  bool flowindent = false, agghist = false, aggpack = false, aggpercpu = false;
  bool utf8 = false;    // encoding
  std::string oformat;  // "json", "jsonl"; empty: text
};

// Sets one option from text; "" is a flag without a value. Errors are DTrace's:
// "Invalid option name", "Invalid value for specified option", and ours for
// what is known and not supported. A misspelt name has the near one as remedy.
Status set_option(Options& options, std::string_view name, std::string_view value);

// The same for setopt(), while tracing: the dynamic options only.
Status set_dynamic_option(Options& options, std::string_view name, std::string_view value);

// "4m" -> bytes, "100hz" -> nanoseconds per interval.
Result<std::uint64_t> parse_size(std::string_view text);
Result<std::uint64_t> parse_rate_ns(std::string_view text);

// One -n, -s, -P, -m, -f or -i.
struct Program {
  d::Input::Spec spec = d::Input::Spec::kProgram;
  bool is_file = false;  // -s
  std::string text;      // the argument: a program or a file's name
};

enum class Mode : std::uint8_t { kTrace, kList, kVersion, kHelp, kSelfTest, kCompileOnly };

struct CommandLine {
  Mode mode = Mode::kTrace;
  Options options;
  std::vector<Program> programs;
  std::vector<std::string> macro_args;  // $1, $2, ...
  std::string output;                   // -o
  std::vector<std::string> commands;    // -c
  std::vector<std::int32_t> pids;       // -p
  bool disassemble = false;             // -S
};

// A refusal to go on, with the status to exit with.
struct Refusal {
  int status = kUsage;
  std::string text;  // without "dtrace: "; may be empty
  bool show_usage = false;
};

// Fills `line`; argv as main() got it. True, or false with `refusal` set.
bool parse_command_line(int argc, char** argv, CommandLine& line, Refusal& refusal);

std::string usage_line();
std::string help_text();

}  // namespace dt::cli
