// See stap_programs.h.

#include "api/language/stap_programs.h"

#include <fmt/core.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "api/language/stap_variables.h"
#include "machine/x86_64/instructions.h"
#include "probe/pattern.h"
#include "symbol/dwarf/source_lines.h"
#include "symbol/dwarf/variables.h"
#include "symbol/elf/needed.h"
#include "symbol/frames/functions.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/objects.h"

namespace dt::api {
namespace {

// The paths at which a shell looks for a program: a name without a slash in each directory of PATH.
std::vector<std::string> paths_of_name(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const char* const path = std::getenv("PATH");
  std::vector<std::string> out =
      symbol::directories_of(path == nullptr ? "/usr/bin:/bin" : path, "");
  for (std::string& one : out) one += "/" + name;
  return out;
}

// The first of these paths that is a file. Links are followed.
std::string find_program(const std::string& name) {
  for (const std::string& one : paths_of_name(name)) {
    std::error_code wrong;
    const std::filesystem::path whole = std::filesystem::canonical(one, wrong);
    if (!wrong && std::filesystem::is_regular_file(whole, wrong)) return whole.string();
  }
  return {};
}

// Whether a file is a program or a library. Debian installs libraries without the permission to
// execute them, so they are known by their names.
bool is_code(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".so") || name.find(".so.") != std::string::npos ||
         ::access(path.c_str(), X_OK) == 0;
}

// The kernel can run 32-bit programs, but their code is not traced here.
bool is_32_bit(const std::string& path) {
  constexpr char kMagic[] = {0x7f, 'E', 'L', 'F', 1};
  char head[sizeof kMagic] = {};
  return std::ifstream(path, std::ios::binary).read(head, sizeof head) &&
         std::equal(std::begin(head), std::end(head), std::begin(kMagic));
}

// "/usr/bin/*", and "ca*" in the directories of PATH; each file once, by its own path.
std::vector<std::string> find_programs(const std::string& pattern) {
  std::set<std::string> out;
  for (const std::string& one : paths_of_name(pattern)) {
    glob_t found = {};
    if (::glob(one.c_str(), GLOB_BRACE, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        const std::string path = find_program(found.gl_pathv[i]);
        if (!path.empty() && is_code(path)) out.insert(path);
      }
    }
    ::globfree(&found);
  }
  // A pattern means the others, as far as there are any.
  if (!std::all_of(out.begin(), out.end(), is_32_bit)) std::erase_if(out, is_32_bit);
  return {out.begin(), out.end()};
}

// "libc.so.6", "libc", "libc*" or a path, of those that the loader maps for the program.
std::string find_library(const std::string& program, const std::string& name) {
  const Result<symbol::ElfFile> elf = symbol::ElfFile::open(program);
  if (name.starts_with('/')) return find_program(name);
  if (!elf.ok()) return {};
  const std::string directory = program.substr(0, program.rfind('/'));
  for (const std::string& path : symbol::needed_libraries(*elf, directory, "")) {
    symbol::ProcessObject object;
    object.name = path.substr(path.rfind('/') + 1);
    object.path = path;
    const bool is_it = symbol::is_called(object, name) || probe::glob_match(name, object.name);
    if (is_it) return find_program(path);
  }
  return {};
}

// The symbols of a program, and its debugging information, if it has any.
struct Code {
  std::string program;
  std::optional<DebugFiles> files;
  symbol::Functions functions;
  std::set<std::uint64_t> exported;
  std::optional<std::vector<stap::CodeLine>> inlined, labels;

  // Sets the function, the offset and the address of `out`. False if no function is at the address.
  bool place(std::uint64_t address, stap::CodeLine& out) const {
    const symbol::Function* const found = functions.at(address);
    if (found == nullptr) return false;
    out.function = named(*found);
    out.offset = address - found->address;
    out.address = address;
    return true;
  }

  // Static functions of several files may share a name: one@1136.
  std::string named(const symbol::Function& function) const {
    for (const symbol::Function* other : functions.named(function.name)) {
      if (other->address != function.address) {
        return fmt::format("{}@{:x}", function.name, function.address);
      }
    }
    return function.name;
  }

  std::vector<stap::CodeLine> placed(std::vector<symbol::InlinedCode> all) const {
    std::vector<stap::CodeLine> out;
    for (symbol::InlinedCode& one : all) {
      stap::CodeLine made;
      if (!place(one.address, made)) continue;
      made.inlined = std::move(one.name);
      made.file = std::move(one.file);
      made.line = one.line;
      made.label = std::move(one.label);
      out.push_back(std::move(made));
    }
    return out;
  }
};

// The code of the program that was asked for last.
class LastCode {
 public:
  Code& of(const std::string& program) {
    if (known_ && known_->program == program) return *known_;
    known_.emplace();
    known_->program = program;
    known_->files = open_debug_files(program);
    if (known_->files) {
      const symbol::ElfFile& code = *known_->files->code;
      known_->functions = symbol::Functions::read(code, &*known_->files->debug);
      read_exported(code);
      return *known_;
    }
    const Result<symbol::ElfFile> elf = symbol::ElfFile::open(program);
    if (!elf.ok()) return *known_;
    const auto debug = symbol::find_debug_file(*elf, program, "", ".symtab");
    known_->functions = symbol::Functions::read(*elf, debug ? &*debug : nullptr);
    read_exported(*elf);
    return *known_;
  }

 private:
  void read_exported(const symbol::ElfFile& elf) {
    for (const std::uint64_t one : symbol::exported_functions(elf)) known_->exported.insert(one);
  }

  std::optional<Code> known_;
};

// By the DWARF of the program, or of the file with its stripped debugging information.
std::vector<stap::CodeLine> find_lines(const Code& code,
                                       const std::function<bool(const std::string& file)>& wants) {
  std::vector<stap::CodeLine> out;
  if (!code.files) return out;
  symbol::SourceLines lines(code.files->debug, code.files->shared);
  lines.for_rows(wants, [&](const symbol::SourceLines::Row& row) {
    stap::CodeLine made;
    if (!code.place(row.address, made)) return;
    made.file = row.path;
    made.line = row.line;
    made.inlined = row.inlined;
    made.copy = row.copy;
    out.push_back(std::move(made));
  });
  return out;
}

// What `read` finds in the DWARF of the program. It walks all of the DWARF, so `known` keeps the
// result.
std::vector<stap::CodeLine> find_once(
    Code& code, std::optional<std::vector<stap::CodeLine>>& known,
    std::vector<symbol::InlinedCode> (symbol::DwarfVariables::*read)()) {
  if (!code.files) return {};
  if (!known) {
    symbol::DwarfVariables variables(code.files->debug, code.files->shared);
    known = code.placed((variables.*read)());
  }
  return *known;
}

std::vector<stap::CodeFunction> find_functions(const Code& code) {
  std::vector<stap::CodeFunction> out;
  for (const symbol::Function& one : code.functions.all()) {
    if (one.is_resolver || one.name.ends_with(".cold")) continue;
    out.push_back(
        {one.name, code.named(one), one.address, code.exported.contains(one.address), one.size});
  }
  return out;
}

// The functions that `by` calls or jumps to, by its instructions. A function that it does both to
// counts as called.
std::vector<stap::CalledFunction> find_called(const Code& code, const std::string& program,
                                              const stap::CodeFunction& by) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  const Result<symbol::ElfFile> elf = symbol::ElfFile::open(program);
  const auto code_of = [&](std::uint64_t address, std::uint64_t size) {
    const auto offset = elf.ok() ? elf->offset_of(address) : std::nullopt;
    std::vector<std::uint8_t> bytes(offset && size <= kMostBytes ? size : 0);
    if (bytes.empty() || !elf->read(*offset, bytes.data(), bytes.size())) bytes.clear();
    return bytes;
  };
  const Result<std::vector<machine::Instruction>> all =
      machine::decode(code_of(by.address, by.size));
  if (!all.ok()) return {};
  std::map<std::uint64_t, bool> targets;  // and whether it only jumps there
  for (const machine::Instruction& one : *all) {
    const bool is_jump = one.flow == machine::Instruction::Flow::kJump ||
                         one.flow == machine::Instruction::Flow::kBranch;
    if (!one.called && !is_jump) continue;
    const std::uint64_t to =
        by.address + static_cast<std::uint64_t>(one.called ? *one.called : one.target);
    if (is_jump && to - by.address < by.size) continue;
    const auto [found, is_new] = targets.emplace(to, is_jump);
    if (!is_new) found->second = found->second && is_jump;
  }
  std::vector<stap::CalledFunction> out;
  for (const auto& [address, is_jump] : targets) {
    const symbol::Function* const found = code.functions.at(address);
    if (found == nullptr || found->address != address) continue;
    const auto site = machine::entry_site(code_of(address, found->size));
    if (!site) continue;
    out.push_back({{found->name, code.named(*found), address, false, found->size}, *site, is_jump});
  }
  return out;
}

std::vector<std::string> find_linkage(const std::string& program) {
  const Result<symbol::ElfFile> elf = symbol::ElfFile::open(program);
  std::set<std::string> out;
  if (!elf.ok()) return {};
  for (const symbol::Function& one : symbol::linkage_functions(*elf)) {
    out.insert(one.name.substr(0, one.name.rfind('@')));
  }
  return {out.begin(), out.end()};
}

}  // namespace

stap::Programs installed_programs() {
  const auto last = std::make_shared<LastCode>();
  stap::Programs out;
  out.find_program = find_program;
  out.find_programs = find_programs;
  out.find_library = find_library;
  out.find_lines = [last](const std::string& program, const auto& wants) {
    return find_lines(last->of(program), wants);
  };
  out.find_inlined = [last](const std::string& program) {
    Code& code = last->of(program);
    return find_once(code, code.inlined, &symbol::DwarfVariables::inlined);
  };
  out.find_labels = [last](const std::string& program) {
    Code& code = last->of(program);
    return find_once(code, code.labels, &symbol::DwarfVariables::labels);
  };
  out.find_functions = [last](const std::string& program) {
    return find_functions(last->of(program));
  };
  out.find_called = [last](const std::string& program, const stap::CodeFunction& by) {
    return find_called(last->of(program), program, by);
  };
  out.find_linkage = find_linkage;
  return out;
}

}  // namespace dt::api
