// See process_points.h.
//
// A program is named by its path, and means every process that runs it, now or later; by a number,
// which is a process; or not at all: then it is the process of -c or -x, and where there is none,
// every process.

#include "stap/meaning/process_points.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "probe/pattern.h"
#include "support/nearest.h"

namespace dt::stap {
namespace {

class ProcessPoint {
 public:
  explicit ProcessPoint(PointReader& point) : point_(point) {}

  bool run() {
    if (point_.count() < 2) return point_.error("probe point truncated", point_.at(0));
    if (!program()) return false;
    std::size_t i = 1;
    if (point_.has(i, "library")) {
      if (!library()) return false;
      if (++i >= point_.count()) return point_.error("probe point truncated", point_.last());
    }
    const std::string& what = point_.at(i).name;
    if (what == "function") return function(i);
    if (what == "mark") return mark("*", i);
    if (what == "provider") return provider(i);
    if (i == 1 && (what == "begin" || what == "end" || what == "thread")) return life();
    if (i == 1 && what == "syscall") return system_call();
    return unknown(point_.at(i));
  }

 private:
  using Whose = Event::Whose;

  bool unknown(const Component& what) {
    struct Refused {
      std::string_view name, why;
    };
    constexpr Refused kRefused[] = {
        {"statement", "statements of programs are not found by their lines: use function()"},
        {"plt", "entries of the procedure linkage table have no probes: use library().function()"},
        {"insn", "programs are not executed step by step"},
        {"itrace", "programs are not executed step by step"},
        {"cursor", "there is no such probe point"},
    };
    for (const Refused& one : kRefused) {
      if (one.name == what.name) return point_.error(one.why, what);
    }
    const std::vector<std::string_view> known = {"function", "mark", "provider", "library",
                                                 "begin",    "end",  "thread",   "syscall"};
    const std::string near = support::nearest(what.name, known);
    return point_.error(fmt::format("probe point mismatch{}",
                                    near.empty() ? "" : fmt::format(" (similar: {})", near)),
                        what);
  }

  // process, process(1234), process("path")
  bool program() {
    const Component& process = point_.at(0);
    whose_.process = point_.around.target;
    whose_.has_children = whose_.process != 0;
    if (!process.has_argument) return true;
    if (!process.is_string) {
      constexpr std::int64_t kMost = 0x7fffffff;
      if (process.number <= 0 || process.number > kMost) {
        return point_.error("invalid number of a process", process);
      }
      whose_ = {process.number, false, {}};
      is_numbered_ = true;
      return true;
    }
    if (!probe::is_literal(process.argument)) {
      return point_.error("programs are not selected by patterns: name one", process);
    }
    whose_ = {0, false, file_of(process.argument)};
    if (whose_.program.empty()) {
      return point_.error(fmt::format("cannot find executable '{}'", process.argument), process);
    }
    return true;
  }

  std::string file_of(const std::string& name) const {
    return point_.around.find_program ? point_.around.find_program(name) : name;
  }

  // process("path").library("libc.so.6"): the library, in processes that run the program.
  bool library() {
    const Component& library = point_.at(1);
    if (!library.is_string) return point_.error("expected a string", library);
    library_ = library.argument;
    if (whose_.program.empty()) return true;
    if (point_.around.find_library) {
      library_ = point_.around.find_library(whose_.program, library.argument);
    }
    if (library_.empty()) {
      return point_.error(
          fmt::format("{} does not ask for a library '{}'", whose_.program, library.argument),
          library);
    }
    return true;
  }

  // Of whom a probe of a function or a mark is: the file, or the object of a process.
  bool object(std::string& numbered, std::string& module, Whose& whose) {
    if (!whose_.program.empty()) {
      numbered = "*";
      module = library_.empty() ? whose_.program : library_;
      if (!library_.empty()) whose.program = whose_.program;
      return true;
    }
    if (whose_.process == 0) {
      return point_.error("which program is meant: there is no -c and no -x", point_.at(0),
                          "name it: process(\"path\")");
    }
    numbered = fmt::format("{}", whose_.process);
    module = library_.empty() ? "a.out" : library_;
    return true;
  }

  // .function("name"), .call, .return; a name may be a pattern.
  bool function(std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("expected a string", what);
    if (what.argument.find('@') != std::string::npos) {
      return point_.error("functions are not selected by their source files", what,
                          "name the function alone");
    }
    bool is_return = false;
    if (point_.has(i + 1, "call")) {
      if (!point_.only(i + 2)) return false;
    } else if (i + 1 < point_.count() && point_.at(i + 1).name != "return") {
      return variant(point_.at(i + 1));
    } else if (!point_.return_suffix(i + 1, is_return)) {
      return false;
    }
    std::string numbered, module;
    Whose whose;
    if (!object(numbered, module, whose)) return false;
    return point_.event(is_return ? EventKind::kFunctionReturn : EventKind::kFunctionEntry,
                        "pid" + numbered, module, what.argument, is_return ? "return" : "entry",
                        std::move(whose));
  }

  bool variant(const Component& what) {
    const bool is_known = what.name == "inline" || what.name == "exported" ||
                          what.name == "callee" || what.name == "callees" || what.name == "label";
    return point_.error(
        is_known
            ? fmt::format("functions of programs have no .{} here: use .call or .return", what.name)
            : std::string("probe point mismatch"),
        what);
  }

  bool provider(std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("expected a string", what);
    if (!point_.has(i + 1, "mark")) return point_.error("expected .mark()", point_.last());
    return mark(what.argument + "*", i + 1);
  }

  // What sys/sdt.h has put into the program. Two underscores are a dash in our names.
  bool mark(std::string provider, std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("expected a string", what);
    std::string numbered, module, name;
    Whose whose;
    if (!point_.only(i + 1) || !object(numbered, module, whose)) return false;
    for (std::size_t at = 0; at < what.argument.size(); ++at) {
      const bool is_dash = what.argument.compare(at, 2, "__") == 0;
      name += is_dash ? '-' : what.argument[at];
      at += is_dash ? 1 : 0;
    }
    if (numbered != "*") provider.replace(provider.size() - 1, 1, numbered);
    if (numbered != "*" && provider == numbered) provider = "*" + numbered;
    return point_.event(EventKind::kMark, provider, module, "", name, std::move(whose));
  }

  // .begin, .end, .thread.begin, .thread.end
  bool life() {
    const bool is_thread = point_.at(1).name == "thread";
    const std::size_t i = is_thread ? 2 : 1;
    const bool is_begin = point_.has(i, "begin");
    if (!is_begin && !point_.has(i, "end")) {
      return point_.error("expected .begin or .end", point_.last());
    }
    if (!point_.only(i + 1)) return false;
    if (!is_begin) {
      return point_.event(EventKind::kRaw, "proc", "", "", is_thread ? "lwp-exit" : "exit", whose_);
    }
    // A process begins when it is made, and when it executes another program.
    if (!point_.event(EventKind::kRaw, "proc", "", "", is_thread ? "lwp-start" : "start", whose_)) {
      return false;
    }
    const bool is_made = is_thread || whose_.program.empty();
    if (!is_made) point_.event(EventKind::kRaw, "proc", "", "", "exec-success", whose_);
    point_.out.begins = is_thread ? Handler::Begins::kThread : Handler::Begins::kProcess;
    return true;
  }

  // .syscall, .syscall.return: every system call, with $syscall, $arg1 ... and $return.
  bool system_call() {
    bool is_return = false;
    if (!point_.return_suffix(2, is_return)) return false;
    return point_.event(is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry, "syscall",
                        "", "", is_return ? "return" : "entry", whose_);
  }

  PointReader& point_;
  Whose whose_;
  bool is_numbered_ = false;
  std::string library_;
};

}  // namespace

bool resolve_process_point(PointReader& point) { return ProcessPoint(point).run(); }

}  // namespace dt::stap
