#pragma once
// The options, arguments, summary and examples that a script declares (docs/d-language.md, "Options
// of a script").

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
    kBool,     // a flag without a value: 1 in the script when it is given, otherwise 0
    kTime,     // "10ms": nanoseconds in the script; a number without a unit is seconds
    kSize,     // "64k": bytes in the script
    kProcess,  // the number of a process or thread
    kUser,     // the number of a user; the command also takes a name
    kSignal,   // "9", "SIGKILL" or "KILL"
    kError,    // "2" or "ENOENT"
    kUint,     // a number that is not negative
    kCount,    // a number of at least 1
    kPort,     // the number of a port: 1 to 65535
    kPeriod,   // a time above 0
    // Strings that name something of this machine. The command refuses what is not there, but for a
    // service, of which it warns.
    kDisk,        // "sda"
    kDevice,      // of the network: "eth0"
    kFileSystem,  // a type: "ext4"
    kService,     // a unit of systemd: "nginx.service"
    kTerminal,    // "/dev/pts/0"
  };
  char letter = '\0';  // of a flag; 0 of an argument
  std::string name;
  Type type = Type::kInt;
  std::string fallback;  // the default, as text of the script
  std::string help;

  // An error that describes the type when the text is no value of it.
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
  std::string comment;                  // the first comment of the script

  bool has_options() const { return !flags.empty() || !arguments.empty(); }
};

// The declarations in the text of a script. A declaration with an error is left out; compile()
// reports it.
DTRACE_API ScriptUsage script_usage(std::string_view text);

// The description in D of one in the form of bcc: "sdt:sched::sched_switch" of
// "t:sched:sched_switch"; empty: it has no such form. With `is_function`, the probe has no name.
DTRACE_API std::string description_of_bcc(std::string_view pattern, bool is_function);

}  // namespace dtrace
