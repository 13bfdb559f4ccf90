#pragma once
// What a script says of itself: its options, its arguments and how it is used (docs/d-language.md,
// "Options of a script").

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dtrace/result.h"
#include "dtrace/visibility.h"

namespace dtrace {

// `#pragma D flag` or `#pragma D argument`: in the script, $NAME is the value.
struct DTRACE_API ScriptOption {
  enum class Type : std::uint8_t {
    kInt,
    kString,
    kBool,  // a flag without a value: 1 when it is given, or 0
    kTime,  // "10ms", in the script ns; a number alone is seconds
    kSize,  // "64k", in the script bytes
  };
  char letter = '\0';  // of a flag; 0 of an argument
  std::string name;
  Type type = Type::kInt;
  std::string fallback;  // the value where none is given, as the script has it
  std::string help;

  // Whether the text is a value of this type; the error says what is.
  Status check(std::string_view text) const;
};

struct ScriptExample {
  std::string command, help;
};

struct ScriptUsage {
  std::string summary;                  // `#pragma D summary`
  std::vector<ScriptOption> flags;      // in the order of their declarations
  std::vector<ScriptOption> arguments;  // $1, $2, ... by name
  std::vector<ScriptExample> examples;  // `#pragma D example COMMAND -- HELP`
  std::size_t positional = 0;           // the highest N of a $N that the script refers to
  bool uses_target = false;             // $target: it needs a command or a process
  bool has_providers = false;           // it defines providers, for dtrace -h and -G
  std::string comment;                  // the first one of the script

  bool has_options() const { return !flags.empty() || !arguments.empty(); }
};

// What the text of a script declares. A declaration with an error is left out: the compiler reports
// it.
DTRACE_API ScriptUsage script_usage(std::string_view text);

}  // namespace dtrace
