#pragma once
// Options and arguments that a script declares for itself. A value takes the place of the option's
// name before the script is compiled: it is a constant, and code that it excludes does not exist.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dt::front {

struct ScriptOption {
  enum class Type : std::uint8_t {
    kInt,
    kString,
    kBool,
    kTime,
    kSize,
    kProcess,  // the number of a process or thread
    kUser,     // the number of a user; the caller knows the names
    kSignal,   // a number or a name: the name stands in the script, which knows its number
    kError,    // the same of errno
    kUint,     // a number that is not negative
    kCount,    // a number of at least 1
    kPort,     // the number of a port
    kPeriod,   // a time above 0
    // Strings; the caller knows whether there is such a thing.
    kDisk,
    kDevice,  // of the network
    kFileSystem,
    kService,
    kTerminal,
  };
  char letter = '\0';  // 0: an argument by position
  std::string name;
  Type type = Type::kInt;
  std::string fallback;  // as it stands in the declaration; empty: 0 or ""
  std::string help;
};

// A value as it stands in the script and, where it differs, as it stands in a probe description:
// `tick-$interval` is a time with its unit.
struct ScriptValue {
  std::string text;
  std::string in_description;
  bool is_string = false;
};
// What an option of the type kInt or kProcess may be besides a number: the process of -c or -p,
// whose number is known when the script is compiled.
inline constexpr std::string_view kTarget = "$target";
// Whether values of the type are strings in the script.
bool is_string(ScriptOption::Type type);
// The value that `given` is of; the error says what values there are.
Result<ScriptValue> script_value(const ScriptOption& option, std::string_view given);

// What a script says of itself.
struct ScriptUsage {
  struct Example {
    std::string command, help;
  };
  std::string summary;
  std::vector<ScriptOption> flags, arguments;
  std::vector<Example> examples;
  std::size_t positional = 0;  // the highest N of a $N outside of comments
  bool uses_target = false;    // $target, so that it needs a process
  bool has_providers = false;  // it defines providers of programs
  std::string comment;         // the first one, without its marks, as one paragraph
};

}  // namespace dt::front
