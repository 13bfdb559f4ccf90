#pragma once
// What a program of this machine has: its file, the libraries that it is linked with, its
// functions, where the lines of its source are in its code, and its variables.
//
// The front-end opens no file: it asks by the functions of Programs and ProgramVariables, which
// src/api/ sets. Each of them may be empty (in tests, for example); then nothing is found.
//
// Programs are named by their paths. An address is that of the ELF file, as in its symbols, and not
// that of a process.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dt::stap {

// Where the code of a source line begins. A line has several such places if the compiler has
// divided or copied its code.
struct CodeLine {
  std::string function;      // the symbol there; name@address if several functions have this name
  std::uint64_t offset = 0;  // bytes from where the function begins
  std::uint64_t address = 0;
  std::string file;
  std::uint32_t line = 0;
  // If the code is that of an inlined function: its name, and a number that differs between its
  // copies.
  std::string inlined = {};
  std::uint64_t copy = 0;
  std::string label = {};  // set by find_labels alone
};

// A function of a program that has code.
struct CodeFunction {
  std::string symbol;
  std::string function;       // as CodeLine::function
  std::uint64_t address = 0;  // several functions may have one address
  bool is_exported = false;   // other files may call it
  std::uint64_t size = 0;     // bytes
};

// A function that another one of the same program calls.
struct CalledFunction {
  CodeFunction function;
  std::uint32_t site = 0;  // bytes from its beginning to the probe of its entry
  bool is_jump = false;    // reached by jumps only (a tail call): the caller has left before
};

// A variable of a program, and where it is at one place of the code.
struct ProgramVariable {
  enum class Where : std::uint8_t {
    kNowhere,   // optimized out, or at a place that cannot be read
    kRegister,  // the value is that of the register + `offset`
    kMemory,    // at the address in the register + `offset`
    kConstant,  // the value is always `offset`
  };
  std::string name;
  bool is_parameter = false;
  Where where = Where::kNowhere;
  // The register, numbered as the words of struct pt_regs; or kFunctionBegin, or kMarkSite.
  int number = 0;
  std::int64_t offset = 0;
  std::string file;        // of a variable outside of functions: the source file
  std::string whole = {};  // of the same: its name with what it is in, "heap::count"
  // The entry of its type, in the DWARF of the program or in the file that it shares with others.
  std::optional<std::uint64_t> type;
  bool is_type_shared = false;
};

// ProgramVariable::number: `offset` counts from the beginning of the function that returns.
constexpr int kFunctionBegin = -1;
// ProgramVariable::number: `offset` counts from the first of several places of one mark.
constexpr int kMarkSite = -2;

// A place in the code of a program.
struct ProgramCode {
  std::string program, function;
  std::uint64_t address = 0;  // 0: the probe of the function's entry
  std::string inlined = {};   // the place belongs to the copy of this inlined function; or none
  // Variables outside of functions are located from the beginning of the function, and not from
  // its probe.
  bool is_from_begin = false;
};

// What the debugging information of a program says of a function.
struct ProgramFunction {
  std::uint64_t entry = 0;  // the DWARF entry of the function
  bool is_shared = false;   // the entry is in the file that the program shares with others
  std::string file;         // where the source defines the function
  std::uint32_t line = 0;
  bool is_c = false;
};

// The variables of programs, by their debugging information. All results are empty if a program
// has no such information.
struct ProgramVariables {
  // The variables of a place, those of the outermost block first.
  std::function<std::vector<ProgramVariable>(const ProgramCode& code)> at = {};
  // The variables outside of functions with this name, located from the place.
  std::function<std::vector<ProgramVariable>(const ProgramCode& code, const std::string& name)>
      outside = {};
  // The names of all variables outside of functions.
  std::function<std::vector<std::string>(const std::string& program)> outside_names = {};
  // The addresses of a mark.
  std::function<std::vector<std::uint64_t>(const std::string& program, const std::string& provider,
                                           const std::string& name)>
      sites = {};
  // The function at a place.
  std::function<std::optional<ProgramFunction>(const ProgramCode& code)> function = {};
};

// Programs, and what their files have. Where nothing is found, the result is empty.
struct Programs {
  // The path of a program, from a name as a shell looks it up.
  std::function<std::string(const std::string& name)> find_program = {};
  // The paths of all programs that a pattern means; the pattern may have braces: "/usr/bin/{a,b}*".
  std::function<std::vector<std::string>(const std::string& pattern)> find_programs = {};
  // The path of a library that the program is linked with, from its name, a pattern or its path.
  std::function<std::string(const std::string& program, const std::string& name)> find_library = {};
  // All lines of the source files for which `wants` is true, by the debugging information.
  std::function<std::vector<CodeLine>(const std::string& program,
                                      const std::function<bool(const std::string& file)>& wants)>
      find_lines = {};
  // Where each copy of each inlined function begins; `file` and `line` define the function.
  std::function<std::vector<CodeLine>(const std::string& program)> find_inlined = {};
  // Where labels are.
  std::function<std::vector<CodeLine>(const std::string& program)> find_labels = {};
  std::function<std::vector<CodeFunction>(const std::string& program)> find_functions = {};
  // The functions of the same program that `by` calls, each once.
  std::function<std::vector<CalledFunction>(const std::string& program, const CodeFunction& by)>
      find_called = {};
  // The names of the functions of other files that the program calls, each once.
  std::function<std::vector<std::string>(const std::string& program)> find_linkage = {};
};

}  // namespace dt::stap
