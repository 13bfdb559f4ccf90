// See process_points.h.
//
// A program is named by its path, and means every process that runs it, now or later; by a number,
// which is a process; or not at all: then it is the process of -c or -x, and where there is none,
// every process.

#include "stap/meaning/process_points.h"

#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/pattern.h"
#include "stap/meaning/code_places.h"
#include "stap/meaning/source_place.h"
#include "stap/syntax/similar.h"
#include "symbol/elf/demangle.h"
#include "symbol/elf/usdt_notes.h"

namespace dt::stap {
namespace {

class ProcessPoint {
 public:
  explicit ProcessPoint(PointReader& point) : point_(point) {}

  bool run() { return is_pattern(point_.at(0)) ? programs() : program() && rest(); }

 private:
  using Whose = Event::Whose;

  static bool is_pattern(const Component& process) {
    return process.is_string && (!probe::is_literal(process.argument) ||
                                 process.argument.find('{') != std::string::npos);
  }

  // What the aliases of the library look for, by the package of Debian 12 that has it.
  static std::string package_of(std::string_view pattern) {
    struct Package {
      std::string_view file, name;
    };
    constexpr Package kPackages[] = {{"libjvm.so", "openjdk-17-jre-headless"},
                                     {"libruby", "ruby3.1"},
                                     {"bin/python3", "python3.11"},
                                     {"bin/php", "php8.2-cli"},
                                     {"bin/postgres", "postgresql-15"}};
    for (const Package& one : kPackages) {
      if (pattern.find(one.file) == std::string_view::npos) continue;
      return fmt::format("install Debian's package {}, or name the file: process(\"/path\")",
                         one.name);
    }
    return {};
  }

  // process("/usr/bin/*"): the point of each program that has it.
  bool programs() {
    const Component& process = point_.at(0);
    constexpr std::size_t kMost = 500;
    std::vector<std::string> all;
    if (point_.around.programs.find_programs)
      all = point_.around.programs.find_programs(process.argument);
    if (all.empty()) {
      return point_.error(fmt::format("no executable matches '{}'", process.argument), process,
                          package_of(process.argument));
    }
    if (all.size() > kMost) {
      return point_.error(
          fmt::format("{} executables match '{}': name fewer", all.size(), process.argument),
          process);
    }
    point_.is_quiet = true;
    for (const std::string& path : all) of_program(process, path);
    point_.is_quiet = false;
    if (!point_.out.events.empty()) return true;
    whose_ = {0, false, all.front()};
    return rest();
  }

  void of_program(const Component& process, const std::string& path) {
    const std::size_t had = point_.out.events.size();
    whose_ = {0, false, path};
    library_.clear();
    if (!rest()) {
      point_.out.events.resize(had);
      return;
    }
    const std::string from = fmt::format("process(\"{}\")", process.argument);
    for (std::size_t i = had; i < point_.out.events.size(); ++i) {
      Event& event = point_.out.events[i];
      event.is_alternative = true;
      if (event.text.starts_with(from)) {
        event.text.replace(0, from.size(), fmt::format("process(\"{}\")", path));
      }
    }
  }

  bool rest() {
    std::size_t i = 1;
    if (point_.has(i, "library")) {
      if (!library()) return false;
      ++i;
    }
    const std::string& what = point_.at(i).name;
    if (what == "function") return function(i);
    if (what == "statement") return statement(i);
    if (what == "mark") return mark("*", i);
    if (what == "provider") return provider(i);
    if (what == "plt") return linkage(i);
    if (i == 1 && (what == "begin" || what == "end" || what == "thread")) return life();
    if (i == 1 && what == "syscall") return system_call();
    return unknown(point_.at(i));
  }

  bool unknown(const Component& what) {
    struct Refused {
      std::string_view name, why;
    };
    constexpr Refused kRefused[] = {
        {"insn", "programs are not executed step by step"},
        {"itrace", "programs are not executed step by step"},
        {"cursor", "there is no such probe point"},
    };
    for (const Refused& one : kRefused) {
      if (one.name == what.name) return point_.error(one.why, what);
    }
    return point_.error("no match", what);
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
        return point_.error(fmt::format("cannot probe pid {}: Invalid pid", process.number),
                            process);
      }
      if (::kill(static_cast<pid_t>(process.number), 0) != 0 && errno == ESRCH) {
        return point_.error(fmt::format("cannot probe pid {}: No such process", process.number),
                            process);
      }
      whose_ = {process.number, false, {}};
      is_numbered_ = true;
      return true;
    }
    whose_ = {0, false, file_of(process.argument)};
    if (whose_.program.empty()) {
      return point_.error(fmt::format("cannot find executable '{}'", process.argument), process);
    }
    return true;
  }

  std::string file_of(const std::string& name) const {
    return point_.around.programs.find_program ? point_.around.programs.find_program(name) : name;
  }

  // process("path").library("libc.so.6"): the library, in processes that run the program.
  bool library() {
    const Component& library = point_.at(1);
    library_ = library.argument;
    if (whose_.program.empty()) return true;
    if (point_.around.programs.find_library) {
      library_ = point_.around.programs.find_library(whose_.program, library.argument);
    }
    if (library_.empty()) {
      return point_.error(
          "no match", point_.at(0),
          fmt::format("{} does not ask for a library '{}'", whose_.program, library.argument));
    }
    return true;
  }

  // Of whom a probe of a function or a mark is: the file, or the object of a process.
  bool object() {
    object_whose_ = {};
    if (!whose_.program.empty()) {
      numbered_ = "*";
      module_ = library_.empty() ? whose_.program : library_;
      if (!library_.empty()) object_whose_.program = whose_.program;
      return true;
    }
    if (whose_.process == 0) {
      return point_.error("this point names no program, and there is no -c and no -x", point_.at(0),
                          "name it: process(\"path\")");
    }
    numbered_ = fmt::format("{}", whose_.process);
    module_ = library_.empty() ? "a.out" : library_;
    return true;
  }

  // .function("name"), .call, .return, .exported, .inline, .label("l"); a name may be a pattern.
  bool function(std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("expected a string", what);
    const SourcePlace place = parse_source_place(what.argument);
    const std::string variant = i + 1 < point_.count() ? point_.at(i + 1).name : "";
    if (variant == "inline") return point_.only(i + 2) && inlined(place, what);
    if (variant == "label") return label(place, i + 1);
    if (variant == "callee" || variant == "callees") return called(place, what, i + 1);
    bool is_return = false;
    if (variant == "call" || variant == "exported") {
      if (!point_.only(i + 2)) return false;
    } else if (!variant.empty() && variant != "return") {
      return unknown_variant(point_.at(i + 1));
    } else if (!point_.return_suffix(i + 1, is_return)) {
      return false;
    }
    if (!object()) return false;
    const std::size_t had = point_.out.events.size();
    // Without .call, its copies in other functions are meant, too.
    if (variant.empty() && !copies(place, what, ".function(\"{}\")")) return false;
    const bool has_copies = point_.out.events.size() > had;
    const EventKind kind = is_return ? EventKind::kFunctionReturn : EventKind::kFunctionEntry;
    const std::string name = is_return ? "return" : "entry";
    const bool is_exported = variant == "exported";
    for (const std::string& one : functions(place, is_exported, has_copies)) {
      point_.event(kind, "pid" + numbered_, module_, one, name, object_whose_);
    }
    if (point_.out.events.size() > had) return true;
    if (!place.file.empty()) return no_lines(place, what);
    return point_.error(is_exported ? fmt::format("no function '{}' is exported", what.argument)
                                    : fmt::format("no function '{}'", what.argument),
                        what);
  }

  // What is called, as the provider names them: each of several of one name is meant alone.
  std::set<std::string> functions(const SourcePlace& place, bool is_exported,
                                  bool has_copies) const {
    std::set<std::string> out, exported;
    std::vector<CodeFunction> all;
    if (point_.around.programs.find_functions)
      all = point_.around.programs.find_functions(object_path());
    for (const CodeFunction& one : all) {
      if (one.is_exported) exported.insert(one.function);
    }
    if (!place.file.empty()) {
      // name@file: those that begin there; name@file:line: those that have the line.
      for (const CodeLine& one : places().lines_of(place)) {
        const bool is_meant =
            place.lines == SourcePlace::Lines::kAll ? one.offset == 0 : has_line(place, one.line);
        if (is_meant && one.inlined.empty()) out.insert(one.function);
      }
    } else {
      bool has_symbol = false;
      std::set<std::uint64_t> taken;  // constructors of a class are two symbols at one address
      for (const CodeFunction& one : all) {
        if (is_exported || !probe::glob_match(place.function, one.symbol)) continue;
        has_symbol = true;
        taken.insert(one.address);
      }
      for (const CodeFunction& one : all) {
        if (is_function(place.function, one.symbol) && taken.insert(one.address).second) {
          out.insert(one.function);
        }
      }
      // The provider also says why there is none.
      const bool is_missing = !has_symbol && (has_copies || !out.empty());
      if (!is_exported && !is_missing) out.insert(place.function + "@*");
    }
    if (is_exported) {
      std::erase_if(out, [&](const std::string& one) { return !exported.contains(one); });
    }
    return out;
  }

  // ---- Places in the source ----

  CodePlaces places() const { return CodePlaces(point_.around, object_path()); }

  bool no_lines(const SourcePlace& place, const Component& what) {
    const CodePlaces::Refusal refusal = places().why_no_lines(place);
    return point_.error(refusal.text, what, refusal.hint);
  }

  // .statement("name@file:line"), .nearest
  bool statement(std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("statements are named by their lines", what);
    SourcePlace place = parse_source_place(what.argument);
    const bool is_nearest = point_.has(i + 1, "nearest");
    if (!point_.only(i + (is_nearest ? 2 : 1)) || !object()) return false;
    if (place.file.empty()) return point_.error("expected \"function@file:line\"", what);
    std::vector<CodeLine> all = places().lines_of(place), meant;
    if (place.lines == SourcePlace::Lines::kRelative) places().to_absolute(place, all);
    if (is_nearest || place.is_nearest) {
      std::vector<std::uint32_t> lines;
      for (const CodeLine& one : all) lines.push_back(one.line);
      to_nearest(place, lines);
    }
    for (const CodeLine& one : all) {
      if (has_line(place, one.line)) meant.push_back(one);
    }
    if (meant.empty()) return no_lines(place, what);
    const std::string stem = point_.out.text.substr(0, point_.out.text.find(".statement("));
    for (const CodeLine& one : meant) {
      Event& event = add_place(one);
      event.text =
          fmt::format("{}.statement(\"{}@{}:{}\")", stem, event.function, one.file, one.line);
    }
    return true;
  }

  // A probe where the code of a line, of a copy or of a label begins.
  Event& add_place(const CodeLine& one) {
    point_.event(EventKind::kRaw, "pid" + numbered_, module_, one.function,
                 fmt::format("{:x}", one.offset), object_whose_);
    Event& event = point_.out.events.back();
    event.code_address = one.address;
    event.function = symbol::source_name(one.inlined.empty() ? symbol_of(one) : one.inlined);
    return event;
  }

  std::string object_path() const {
    if (!library_.empty()) return library_;
    return whose_.program.empty() ? fmt::format("/proc/{}/exe", whose_.process) : whose_.program;
  }

  // Whether the place means one of the functions that were inlined.
  bool is_copy(const SourcePlace& place, const CodeLine& one,
               const std::set<std::string>& with_line) const {
    if (!is_function(place.function, one.inlined)) return false;
    if (place.file.empty()) return true;
    const bool is_all = place.lines == SourcePlace::Lines::kAll && !one.file.empty();
    return is_all ? is_source_file(place.file, one.file) : with_line.contains(one.inlined);
  }

  // Adds a probe for each place at which a function that is meant was inlined. False: refused.
  bool copies(const SourcePlace& place, const Component& what, std::string_view suffix) {
    constexpr std::size_t kMost = 1000;
    std::set<std::string> with_line;
    if (!place.file.empty()) {
      for (const CodeLine& one : places().lines_of(place)) {
        if (!one.inlined.empty() && has_line(place, one.line)) with_line.insert(one.inlined);
      }
    }
    std::set<std::pair<std::string, std::uint64_t>> had;
    const std::string stem = point_.out.text.substr(0, point_.out.text.find(".function("));
    for (const CodeLine& one : places().copies()) {
      if (!is_copy(place, one, with_line) || !had.emplace(one.inlined, one.address).second) {
        continue;
      }
      if (had.size() > kMost) {
        return point_.error(
            fmt::format("more than {} places have functions that were inlined", kMost), what,
            "name fewer functions, or add .call, which leaves these places out");
      }
      Event& event = add_place(one);
      event.inlined = one.inlined;
      event.text = stem + fmt::format(fmt::runtime(suffix), event.function);
    }
    return true;
  }

  // .function("name").inline: where the code of a function that was inlined begins.
  bool inlined(const SourcePlace& place, const Component& what) {
    const std::size_t had = point_.out.events.size();
    if (!object() || !copies(place, what, ".function(\"{}\").inline")) return false;
    return point_.out.events.size() > had ||
           point_.error(
               fmt::format("no function '{}' was inlined", what.argument), what,
               places().copies().empty() ? "the program must have been built with -g" : "");
  }

  // .function("name").label("l")
  bool label(const SourcePlace& place, std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) return point_.error("expected a string", what);
    if (!point_.only(i + 1) || !object()) return false;
    std::vector<CodeLine> all;
    if (point_.around.programs.find_labels) all = point_.around.programs.find_labels(object_path());
    const std::size_t had = point_.out.events.size();
    const std::string stem = point_.out.text.substr(0, point_.out.text.find(".function("));
    for (const CodeLine& one : all) {
      if (!is_function(place.function, one.inlined) ||
          !probe::glob_match(what.argument, one.label) ||
          (!place.file.empty() && !is_source_file(place.file, one.file))) {
        continue;
      }
      Event& event = add_place(one);
      event.text =
          fmt::format("{}.function(\"{}\").label(\"{}\")", stem, event.function, one.label);
    }
    return point_.out.events.size() > had ||
           point_.error(fmt::format("no label '{}' in '{}'", what.argument, place.function), what,
                        all.empty() ? "labels are known of programs that were built with -g" : "");
  }

  bool unknown_variant(const Component& what) {
    return point_.error("invalid suffix for probe", what);
  }

  // ---- Calls ----

  // .plt("name"): where the program calls a function of another file; .plt: of each of them.
  bool linkage(std::size_t i) {
    const Component& what = point_.at(i);
    if (point_.has(i + 1, "return")) {
      return point_.error(
          "what the program calls returns to it, and not to where it is called through",
          point_.at(i + 1), "use .library(\"LIBRARY\").function(\"NAME\").return");
    }
    if (!point_.only(i + 1) || !object()) return false;
    const std::string wanted = what.has_argument ? what.argument : "*";
    std::vector<std::string> all;
    if (point_.around.programs.find_linkage)
      all = point_.around.programs.find_linkage(object_path());
    const std::size_t had = point_.out.events.size();
    const std::size_t end = point_.out.text.find(").plt");
    const std::string stem =
        end == std::string::npos ? "process" : point_.out.text.substr(0, end + 1);
    for (const std::string& one : all) {
      if (!is_function(wanted, one)) continue;
      point_.event(EventKind::kFunctionEntry, "pid" + numbered_, module_, one + "@plt", "entry",
                   object_whose_);
      point_.out.events.back().function = one;
      point_.out.events.back().text = fmt::format("{}.plt(\"{}\")", stem, one);
    }
    if (point_.out.events.size() > had) return true;
    const auto near = similar_names(wanted, {all.begin(), all.end()});
    return point_.error(
        near.empty() ? "no match"
                     : fmt::format("no match (similar function{}: {})", near.size() > 1 ? "s" : "",
                                   fmt::join(near, ", ")),
        point_.at(0),
        fmt::format("{} calls no function '{}' through its linkage table{}", object_path(), wanted,
                    all.empty() ? ": it was linked without one, use .library().function()" : ""));
  }

  // .function("name").callee("other"), .callees, .return: other functions of the program, when they
  // are called by that one.
  bool called(const SourcePlace& place, const Component& what, std::size_t i) {
    const Component& suffix = point_.at(i);
    const bool is_all = suffix.name == "callees";
    if (!is_all && !suffix.is_string) return point_.error("expected a string", suffix);
    if (is_all && suffix.has_argument && (suffix.is_string || suffix.number != 1)) {
      return point_.error("calls within called functions are not followed: use .callees", suffix);
    }
    const bool is_call = point_.has(i + 1, "call");
    bool is_return = false;
    if (!is_call && !point_.return_suffix(i + 1, is_return)) return false;
    if ((is_call && !point_.only(i + 2)) || !object()) return false;
    std::vector<CodeFunction> all;
    if (point_.around.programs.find_functions)
      all = point_.around.programs.find_functions(object_path());
    const std::set<std::string> names = functions(place, false, false);
    const std::size_t had = point_.out.events.size();
    bool is_there = false, is_jump = false;
    std::set<std::uint64_t> callers;
    for (const CodeFunction& one : all) {
      const bool is_caller = place.file.empty() ? is_function(place.function, one.symbol)
                                                : names.contains(one.function);
      if (!is_caller || !callers.insert(one.address).second) continue;
      is_there = true;
      is_jump = calls_of(one, is_all ? "*" : suffix.argument, is_return) || is_jump;
    }
    if (point_.out.events.size() > had) return true;
    if (!is_there) return point_.error(fmt::format("no function '{}'", what.argument), what);
    if (is_all) return point_.error(fmt::format("'{}' calls nothing", what.argument), suffix);
    return point_.error(
        fmt::format("'{}' calls no function '{}' of its program", what.argument, suffix.argument),
        suffix,
        is_jump ? "it leaves by a jump to it, which nothing can tell from a call of its caller: "
                  "build it with -fno-optimize-sibling-calls"
                : "an inlined copy is .function().inline, and a function of another file .plt()");
  }

  // Whether one that is meant is only jumped to.
  bool calls_of(const CodeFunction& by, const std::string& wanted, bool is_return) {
    if (!point_.around.programs.find_called) return false;
    bool is_jump = false;
    const std::string text = point_.out.text;
    const std::string stem = text.substr(0, text.find(".function("));
    for (const CalledFunction& one : point_.around.programs.find_called(object_path(), by)) {
      const CodeFunction& to = one.function;
      if (!is_function(wanted, to.symbol)) continue;
      if (one.is_jump) {
        is_jump = true;
        continue;
      }
      point_.event(is_return ? EventKind::kFunctionReturn : EventKind::kFunctionEntry,
                   "pid" + numbered_, module_, to.function, is_return ? "return" : "entry",
                   object_whose_);
      Event& event = point_.out.events.back();
      event.caller = {static_cast<std::int64_t>(by.address - to.address), by.size, one.site};
      event.text =
          fmt::format("{}.function(\"{}\").callee(\"{}\"){}", stem, symbol::source_name(by.symbol),
                      symbol::source_name(to.symbol), is_return ? ".return" : "");
    }
    return is_jump;
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
    if (!point_.only(i + 1) || !object()) return false;
    std::string name = symbol::usdt_name(what.argument);
    if (numbered_ != "*") provider.replace(provider.size() - 1, 1, numbered_);
    if (numbered_ != "*" && provider == numbered_) provider = "*" + numbered_;
    point_.event(EventKind::kMark, provider, module_, "", name, object_whose_);
    if (numbered_ != "*") point_.out.events.back().code_of = whose_.process;
    return true;
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
    // The first thread of a process is the process itself.
    whose_.first_thread_too = !is_thread;
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
  std::string numbered_, module_;  // of object()
  Whose object_whose_;
};

}  // namespace

bool resolve_process_point(PointReader& point) { return ProcessPoint(point).run(); }

}  // namespace dt::stap
