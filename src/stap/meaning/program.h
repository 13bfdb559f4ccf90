#pragma once
// Program: a checked script. Its probes have become handlers; each has the events that run it, and
// what it needs of a firing.
//
// The stages add to it one after another: make_handlers() makes handlers and events,
// resolve_names() symbols and leaves, infer_types() types, EventProbes the probes of events,
// find_origins() the memory that a firing records, find_accumulations() which handlers run in the
// kernel.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "probe/pattern.h"
#include "stap/meaning/accumulations.h"
#include "stap/meaning/functions.h"
#include "stap/meaning/program_code.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

// What kind of probe an event is: it decides which values a firing has.
enum class EventKind : std::uint8_t {
  kSyscallEntry,
  kSyscallReturn,
  kTracepoint,
  kFunctionEntry,
  kFunctionReturn,
  kMark,  // process("path").mark("name")
  kProfile,
  kRaw,  // dtrace("provider:module:function:name")
};

constexpr bool is_syscall(EventKind kind) {
  return kind == EventKind::kSyscallEntry || kind == EventKind::kSyscallReturn;
}

struct Event {
  EventKind kind = EventKind::kRaw;
  probe::Pattern pattern;
  std::string text;  // the point as the script has it, with aliases replaced
  Span span;
  Span call = {};              // of a system call: its name
  bool is_optional = false;    // "?": it may have no probe
  bool is_sufficient = false;  // "!": likewise, and if it has one, the points behind are left out
  // A pattern of programs has made several events: at least one of them must have a probe.
  bool is_alternative = false;

  std::uint64_t code_address = 0;  // of a statement: its address in the file
  std::string inlined = {};        // the inlined function to which the place belongs; or none
  std::string function = {};       // its name in the source, if that differs from the probe's

  // .callee(): only calls by one function of the program count. All are offsets in bytes from the
  // beginning of the function that is called.
  struct Caller {
    std::int64_t begin = 0;   // the code of the calling function
    std::uint64_t bytes = 0;  // its size; 0: all calls count
    std::uint32_t site = 0;   // the probe of the entry
  };
  Caller caller = {};

  // Which firings count, if the probe itself fires for more. All conditions must hold.
  struct Whose {
    std::int64_t process = 0;   // those of this process; 0: of any
    bool has_children = false;  // and of its descendants
    std::string program;        // those of processes that run this file; empty: any
    std::int64_t except = 0;    // not those of this process; 0: no exception
    std::int64_t only = 0;      // as `process`, found in the handler (stap/meaning/target_only.h)
    bool first_thread_too = true;  // false: not those of the first thread of a process
  };
  Whose whose = {};
  std::int64_t code_of = 0;  // the process whose number ends the provider's name; 0: unknown
};

enum class HandlerKind : std::uint8_t {
  kBegin,
  kEnd,
  kError,
  kNever,
  kTimer,
  kFile,   // a process reads or writes a file that the script serves (procfs)
  kInput,  // a line or a character comes at the standard input
  kEvent,  // a probe fires
};

// A value of the probe that a handler names, and that its firing records: $fd,
// user_string($filename), pointer_arg(2).
struct Leaf {
  enum class What : std::uint8_t {
    kValue,       // of an argument
    kUserText,    // the string at which an argument points in the memory of the process
    kKernelText,  // likewise in the memory of the kernel
    kReturn,      // $return
    kParms,       // $$parms
    kName,        // $$name
    kRegister,    // `argument` is its number among the words of struct pt_regs
    // A variable of a program: its address, or its value if it is in a register. `name` is that of
    // a variable at the place of the probe; of a variable outside of functions, @name@file.
    kVariable
  };
  // A step of `path`: ->member, or, if `member` is empty, [index].
  struct Step {
    std::string member;
    std::int64_t index = 0;
    Span place = {};  // of its "->" or "[", for messages; two steps that differ in it are one
    bool operator==(const Step& other) const {
      return member == other.member && index == other.index;
    }
    auto operator<=>(const Step& other) const {
      return std::tie(member, index) <=> std::tie(other.member, other.index);
    }
  };
  What what = What::kValue;
  std::string name;   // of the argument, without $; or
  int argument = -1;  // the number of the argument, from 0
  std::vector<Step> path;
  bool is_address = false;  // &$x->y
  Span span;
  bool operator==(const Leaf& other) const {
    return what == other.what && name == other.name && argument == other.argument &&
           path == other.path && is_address == other.is_address;
  }
};

// A variable that has its value from the point: name, argstr, retstr, filename.
struct Provided {
  Symbol* symbol;
  std::string name;
};

// A value that the kernel can compute when an event fires: an address, and what memory has there
// (stap/events/origins.h). `a` and `b` are indices in Handler::origins, -1 without operand.
struct Origin {
  enum class Kind : std::uint8_t {
    kConstant,  // `number`
    kLeaf,      // Handler::leaves[number]
    kTask,      // the address of the current task
    kBinary,    // a op b
    kSkipped,   // a, or 0 where a cannot be read
    kLoad,      // `size` bytes at the address a
    kText,      // the string at the address a
    kPath,      // the path of the struct path at the address a
  };
  Kind kind = Kind::kConstant;
  std::int64_t number = 0;
  std::string op = {};
  int a = -1, b = -1;
  std::uint32_t size = 0;
  bool is_signed = false, is_userland = false;
  auto operator<=>(const Origin&) const = default;
};

struct Handler {
  HandlerKind kind = HandlerKind::kNever;
  std::int64_t order = 0;                     // kBegin, kEnd, kError: they run by ascending order
  std::int64_t period_ns = 0, random_ns = 0;  // kTimer: random_ns at most is added or taken away

  // kFile: procfs("path").
  struct File {
    std::string path;
    std::uint32_t umask = 077;
    bool is_write = false;
    std::int64_t most = 0;  // bytes of a text that is read; 0: MAXSTRINGLEN
  };
  File file;
  bool is_line = false;     // kInput: it runs for each line; otherwise for each character
  Symbol* given = nullptr;  // kFile, kInput: $value, or char or line; null: the body names none

  std::vector<Event> events;
  // It also runs for the processes or threads that exist when the run begins (process.begin,
  // process.thread.begin).
  enum class Begins : std::uint8_t { kNothing, kProcess, kThread };
  Begins begins = Begins::kNothing;

  std::string text;   // the point, for pp(); events have their own
  std::string alias;  // through which a probe of the script has named it; or empty
  StmtPtr body;
  ExprPtr condition;
  Span span;
  std::vector<std::unique_ptr<Symbol>> locals;

  // What a firing records for it.
  std::vector<Leaf> leaves;
  std::vector<Origin> origins;
  std::set<int> readings;  // which origins are recorded: loads, texts and paths
  std::vector<Provided> provided;
  std::set<Fn> contexts;     // functions of Where::kContext that it may call
  bool asks_place = false;   // of a sample, where the CPU was: addr(), probefunc()
  bool names_code = false;   // it names addresses: usymname(), print_ubacktrace(), ...
  bool names_lines = false;  // and their source lines: usymline(), ...

  // A handler at a return may use values of the entry. They are kept by a handler of their own.
  int entry = -1;               // of the one at the return: the index of the other; -1: none
  bool is_entry = false;        // it is the other
  std::size_t entry_count = 0;  // of both: how many values are kept

  bool accumulates = false;      // it runs in the kernel (meaning/accumulations.h)
  std::string why_at_home;       // of the handler of an event that does not: the reason
  bool takes = false;            // it reads variables to which handlers in the kernel add
  bool may_end = false;          // it may end the run
  bool has_short_names = false;  // in the kernel, probefunc() has room for each of its functions
  // All its probes are those of execve() and execveat(), and it has not run yet.
  bool awaits_exec = false;

  // The lists of points through which it was made: that of a probe of the script, then those of the
  // aliases on the way. If a sufficient point ("!") of a list has a probe, the points behind it in
  // the list are left out.
  struct Choice {
    std::uint32_t list = 0;   // numbers all lists of the script
    std::uint32_t point = 0;  // the place in the list; or kOfPattern (handlers.h)
    bool is_sufficient = false;
  };
  std::vector<Choice> choices;
};

// What probe points depend on, but for the script itself.
struct PointWorld {
  std::int64_t jiffy_ns = 0;                            // 0: not known
  std::int64_t target = 0;                              // the process of -c or -x; 0: there is none
  std::vector<std::string> aliases = {};                // the names of all that the library has
  std::set<std::string, std::less<>> named_calls = {};  // syscall.NAME, in the script itself
  std::function<bool(const std::string& name)> is_library_function = {};
  // The names of the functions of the library, and of the kernel's system calls, for errors.
  std::function<std::vector<std::string>()> library_functions = {}, call_names = {};
  Programs programs = {};
};

// The names of variables in which a handler at a return has values of the entry begin with this
// (events/settle.h).
constexpr std::string_view kEntryPrefix = "__entry_";

// Limits that -D NAME=VALUE sets. Each has SystemTap's name, but STAP_HOME.
struct Limits {
  std::int64_t max_action = 1000, max_action_interruptible = 10000, max_errors = 0;
  bool skips_bad_variables = false;  // --skip-badvars
  bool runs_at_home = false;         // STAP_HOME: nothing accumulates in the kernel
  std::int64_t max_nesting = 1000, max_map_entries = 2048, max_string_length = 512;
  std::int64_t histogram_elision = 2;

  // How many elements the array may have.
  std::int64_t most_elements(const Symbol& array) const {
    return array.most > 0 ? array.most : max_map_entries;
  }
};

struct Program {
  Script script;  // the globals and functions that handlers use
  std::vector<Handler> handlers;
  Limits limits;
  PointWorld around;
  std::string module;         // what module_name() gives
  bool prints_unread = true;  // globals that are written but never read are printed at the end
  bool is_timed = false;      // -t: the times of handlers are reported
  bool asks_stacks = false;   // some text of the script may be a stack
  // Pictures of variables (stap/events/watched.h).
  struct Pictures {
    bool are_live = false;             // drawn while handlers run, and not only at the end
    std::set<std::string> named;       // the variables that --set view= names
    std::set<std::string> histograms;  // those whose histograms it names
  };
  Pictures pictures;
  bool names_itself = false;  // it calls stp_pid(): then firings in this process count, too
  Accumulations accumulations;
  std::vector<std::string> left_out;  // what patterns mean and is not there, and why
  bool is_listed = false;             // -L: variables of aliases stay, though no handler uses them
  // Reported when the run begins: the texts, and their places in the script.
  std::vector<std::pair<std::string, Span>> warnings;
};

}  // namespace dt::stap
