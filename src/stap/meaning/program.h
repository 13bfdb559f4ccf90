#pragma once
// A checked script: handlers whose points are known, and what each needs of a firing.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/pattern.h"
#include "stap/meaning/accumulations.h"
#include "stap/meaning/functions.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

// How an event of the kernel or a process passes what it knows.
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

struct Event {
  EventKind kind = EventKind::kRaw;
  probe::Pattern pattern;
  std::string text;  // as the script has it, with what aliases stand for
  Span span;
  bool is_optional = false, is_sufficient = false;
  // One of several that a pattern of programs has made: one of them at least must be there.
  bool is_alternative = false;
  std::uint64_t code_address = 0;  // of a statement: where it is, as the file has addresses
  std::string inlined = {};        // of a function that was inlined there: its name
  std::string function = {};       // as the source calls it, if the probe is called otherwise
  // Only the calls by a function of the program count: where its code is, from the beginning of the
  // probe's function on. 0 bytes: all calls.
  struct Caller {
    std::int64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint32_t site = 0;  // where the probe of the entry stands, as far from there
  };
  Caller caller = {};
  // Whose firings count, where the probe itself does not say: those of a process (0: of any), also
  // of those that descend from it; those of processes that run a program.
  struct Whose {
    std::int64_t process = 0;
    bool has_children = false;
    std::string program;  // its path; empty: any
    // Whose do not: those of a process (0: of none).
    std::int64_t except = 0;
    std::int64_t only = 0;  // nothing happens in another process (stap/meaning/target_only.h)
    bool first_thread_too = true;  // otherwise those of the other threads alone
  };
  Whose whose = {};
  std::int64_t code_of = 0;  // the process whose number ends the provider's name; 0: not known
};

// kFile: a program reads or writes a file of the script's; kInput: something comes at the standard
// input.
enum class HandlerKind : std::uint8_t {
  kBegin,
  kEnd,
  kError,
  kNever,
  kTimer,
  kFile,
  kInput,
  kEvent
};

// A value of the probe that a handler names: $fd, user_string($filename), pointer_arg(2).
struct Leaf {
  // kRegister: of the program; `argument` is its number, as in struct pt_regs.
  enum class What : std::uint8_t {
    kValue,
    kUserText,
    kKernelText,
    kReturn,
    kParms,
    kName,
    kRegister,
    // Where a variable of a program is, or the value of one that is in a register. `name` is that
    // of one at the place of the probe; of one outside of functions, @name@file.
    kVariable
  };
  // ->name, or the element of that number.
  struct Step {
    std::string member;
    std::int64_t index = 0;
    auto operator<=>(const Step&) const = default;
  };
  What what = What::kValue;
  std::string name;   // of the argument, without $; or
  int argument = -1;  // its number, from 0
  std::vector<Step> path;
  bool is_address = false;  // &$x->y
  Span span;
  bool operator==(const Leaf& other) const {
    return what == other.what && name == other.name && argument == other.argument &&
           path == other.path && is_address == other.is_address;
  }
};

// A variable that the point gives: name, argstr, retstr, filename.
struct Provided {
  Symbol* symbol;
  std::string name;
};

// A value that an event can compute by itself: what it reads memory at, and what it reads there.
// Operands are the numbers of others of the same handler.
struct Origin {
  enum class Kind : std::uint8_t {
    kConstant,  // number
    kLeaf,      // number: of Handler::leaves
    kTask,      // the current task
    kBinary,    // op, a, b
    kLoad,      // at a: size bytes
    kText,      // at a
    kPath,      // at a: a struct path
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
  std::int64_t order = 0;  // begin, end and error: ascending
  std::int64_t period_ns = 0, random_ns = 0;
  // Of kFile: procfs("path").
  struct File {
    std::string path;
    std::uint32_t umask = 077;
    bool is_write = false;
    std::int64_t most = 0;  // bytes that are read of it; 0: as of any string
  };
  File file;
  bool is_line = false;     // of kInput: input.line; otherwise each character
  Symbol* given = nullptr;  // $value of a file; char or line of the input; null: nothing names it
  std::vector<Event> events;
  // process.begin, process.thread.begin: it also runs for those that there are when the run begins.
  enum class Begins : std::uint8_t { kNothing, kProcess, kThread };
  Begins begins = Begins::kNothing;
  std::string text;   // its point, for pp(); of events each has its own
  std::string alias;  // of the library or the script, through which it was named; or empty
  StmtPtr body;
  ExprPtr condition;
  Span span;
  std::vector<std::unique_ptr<Symbol>> locals;
  std::vector<Leaf> leaves;
  std::vector<Origin> origins;
  std::set<int> readings;  // the origins that are recorded: loads and texts
  std::vector<Provided> provided;
  // At a return: the number of the handler that keeps values of the entry; of it, is_entry.
  int entry = -1;
  bool is_entry = false;
  std::size_t entry_count = 0;
  std::set<Fn> contexts;     // functions of Where::kContext that it may call
  bool asks_place = false;   // addr(), probefunc(): of a sample, where the CPU was
  bool names_code = false;   // usymname(), umodname(), print_ubacktrace(), ...
  bool names_lines = false;  // usymline(), print_ubacktrace_fileline(), ...
  // What it does is done in the kernel (meaning/accumulations.h); of another handler of an event,
  // why not.
  bool accumulates = false;
  // The names of the functions of all its probes are whole where the kernel has them.
  bool has_short_names = false;
  // It looks at what others accumulate; it may end the run.
  bool takes = false, may_end = false;
  // Its probes are those of execve() and execveat() alone, and it has not run yet.
  bool awaits_exec = false;
  std::string why_at_home;
  // Which point of which list it is of: that of a probe of the script, and those of the aliases on
  // the way. Once a sufficient point (`!`) is there, those behind it in its list are not wanted.
  struct Choice {
    std::uint32_t list = 0, point = 0;
    bool is_sufficient = false;
  };
  std::vector<Choice> choices;
};

// A line of the source of a program: where in which function the code of it begins, and at which
// address of the file.
struct CodeLine {
  std::string function;  // of several of one name, name@address
  std::uint64_t offset = 0, address = 0;
  std::string file;
  std::uint32_t line = 0;
  // The function that was inlined there, and which one of its copies; or none.
  std::string inlined = {};
  std::uint64_t copy = 0;
  std::string label = {};  // of find_labels
};

// A function of a program that has code: its symbol, which of several of one name it is, as
// CodeLine::function says it, and whether other files may call it.
struct CodeFunction {
  std::string symbol, function;
  std::uint64_t address = 0;  // functions of several names are at one
  bool is_exported = false;
  std::uint64_t size = 0;
};

// What a function calls, by its code: another one of the program.
struct CalledFunction {
  CodeFunction function;
  std::uint32_t site = 0;  // behind its beginning, where the probe of its entry stands
  bool is_jump = false;    // it never comes back: the caller has left before
};

// A variable of a program. Registers are numbered as in struct pt_regs.
struct ProgramVariable {
  enum class Where : std::uint8_t {
    kNowhere,   // it was optimized out, or is where it is not read
    kRegister,  // its value is that of the register + `offset`
    kMemory,    // at the register + `offset`
    kConstant,  // its value is always `offset`
  };
  std::string name;
  bool is_parameter = false;
  Where where = Where::kNowhere;
  int number = 0;
  std::int64_t offset = 0;
  std::string file;  // of one outside of functions: its source
  // The entry that describes its type, in the DWARF of the program or in what that shares.
  std::optional<std::uint64_t> type;
  bool is_type_shared = false;
};

// A place of a program's code: `address` is that of the file, 0: where the function begins.
struct ProgramCode {
  std::string program, function;
  std::uint64_t address = 0;
  std::string inlined = {};  // the function that was inlined there, where one is meant
  // Variables outside of functions are found from where the function begins, and not from where its
  // probe stands.
  bool is_from_begin = false;
};

// What the debugging information of a program says of a function: the entry that describes it, and
// where the source defines it.
struct ProgramFunction {
  std::uint64_t entry = 0;
  bool is_shared = false;
  std::string file;
  std::uint32_t line = 0;
  bool is_c = false;
};
// ProgramVariable::number of what is found from where the function begins that returns.
constexpr int kFunctionBegin = -1;
// The same of what is found from the first of several places that have one mark.
constexpr int kMarkSite = -2;

// The variables of programs, by their debugging information.
struct ProgramVariables {
  // Those at a place, from the outermost on.
  std::function<std::vector<ProgramVariable>(const ProgramCode& code)> at = {};
  // Those outside of functions that have the name, as they are found from that place.
  std::function<std::vector<ProgramVariable>(const ProgramCode& code, const std::string& name)>
      outside = {};
  // Where a mark is, as the file has addresses.
  std::function<std::vector<std::uint64_t>(const std::string& program, const std::string& provider,
                                           const std::string& name)>
      sites = {};
  // The function that is at a place.
  std::function<std::optional<ProgramFunction>(const ProgramCode& code)> function = {};
};

// What points ask about the machine.
struct PointWorld {
  std::int64_t jiffy_ns = 0;              // 0: not known
  std::int64_t target = 0;                // of -c or -x; 0: there is none
  std::vector<std::string> aliases = {};  // all that the library has
  // The file that a name means, as a shell finds it; empty: there is none.
  std::function<std::string(const std::string& name)> find_program = {};
  // Those that a pattern means, with braces, too.
  std::function<std::vector<std::string>(const std::string& pattern)> find_programs = {};
  // The file of a library that a program asks for, by the library's name, a pattern of it, or path.
  std::function<std::string(const std::string& program, const std::string& name)> find_library = {};
  // All lines of the files that are wanted, by the debugging information of the program.
  std::function<std::vector<CodeLine>(const std::string& program,
                                      const std::function<bool(const std::string& file)>& wants)>
      find_lines = {};
  // Where in which functions those begin that were inlined, which `file` and `line` define.
  std::function<std::vector<CodeLine>(const std::string& program)> find_inlined = {};
  // Where labels are in which functions.
  std::function<std::vector<CodeLine>(const std::string& program)> find_labels = {};
  std::function<std::vector<CodeFunction>(const std::string& program)> find_functions = {};
  std::function<std::vector<CalledFunction>(const std::string& program, const CodeFunction& by)>
      find_called = {};
  // The functions of other files that it calls, without repetitions.
  std::function<std::vector<std::string>(const std::string& program)> find_linkage = {};
};

// The variables of a handler at a return that a handler at the entry has kept (events/settle.h).
constexpr std::string_view kEntryPrefix = "__entry_";

// What may be set with -D.
struct Limits {
  std::int64_t max_action = 1000, max_action_interruptible = 10000, max_errors = 0;
  bool runs_at_home = false;  // STAP_HOME: nothing accumulates in the kernel
  std::int64_t max_nesting = 1000, max_map_entries = 2048, max_string_length = 512;
  std::int64_t histogram_elision = 2;

  // How many elements an array may have.
  std::int64_t most_elements(const Symbol& array) const {
    return array.most > 0 ? array.most : max_map_entries;
  }
};

struct Program {
  Script script;  // globals and functions that handlers use
  std::vector<Handler> handlers;
  Limits limits;
  PointWorld around;
  std::string module;         // as module_name() has it
  bool prints_unread = true;  // globals that are written and never read, at the end
  bool is_timed = false;      // -t
  bool asks_stacks = false;   // some text may be a stack
  // Pictures of variables (stap/events/watched.h).
  struct Pictures {
    bool are_live = false;        // made while handlers run, and not only at the end
    std::set<std::string> named;  // the variables that --set view= names; their histograms, too
    std::set<std::string> histograms;
  };
  Pictures pictures;
  bool names_itself = false;  // stp_pid(): what this process does is meant, too
  Accumulations accumulations;
  bool is_listed = false;  // -L: what aliases compute stays, though nothing uses it
  // What is unusual about it: reported when it begins to run. The place is the text's.
  std::vector<std::pair<std::string, Span>> warnings;
};

}  // namespace dt::stap
