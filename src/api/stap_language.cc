// See stap_language.h.

#include "api/stap_language.h"

#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "api/handler_tables.h"
#include "api/installed.h"
#include "api/stap_variables.h"
#include "dtrace/tracer.h"
#include "kernel/configuration.h"
#include "machine/x86_64/instructions.h"
#include "probe/pattern.h"
#include "stap/front_end.h"
#include "support/file.h"
#include "symbol/dwarf/source_lines.h"
#include "symbol/dwarf/variables.h"
#include "symbol/elf/needed.h"
#include "symbol/frames/functions.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/objects.h"
#include "view/plan.h"

namespace dt::api {

namespace {

// Where a shell looks for a name: a name without a slash in each directory of PATH.
std::vector<std::string> places(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const char* const path = std::getenv("PATH");
  std::vector<std::string> out =
      symbol::directories_of(path == nullptr ? "/usr/bin:/bin" : path, "");
  for (std::string& one : out) one += "/" + name;
  return out;
}

// The first that is a file. Links are followed.
std::string find_program(const std::string& name) {
  for (const std::string& one : places(name)) {
    std::error_code wrong;
    const std::filesystem::path whole = std::filesystem::canonical(one, wrong);
    if (!wrong && std::filesystem::is_regular_file(whole, wrong)) return whole.string();
  }
  return {};
}

// Debian installs libraries so that nobody may execute them.
bool is_code(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".so") || name.find(".so.") != std::string::npos ||
         ::access(path.c_str(), X_OK) == 0;
}

// "/usr/bin/*", and "ca*" in the directories of PATH; each file once, by its own path.
std::vector<std::string> find_programs(const std::string& pattern) {
  std::set<std::string> out;
  for (const std::string& one : places(pattern)) {
    glob_t found = {};
    if (::glob(one.c_str(), GLOB_BRACE, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        const std::string path = find_program(found.gl_pathv[i]);
        if (!path.empty() && is_code(path)) out.insert(path);
      }
    }
    ::globfree(&found);
  }
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

// The symbols of a program, and its debugging information, which it may be without. Of the last
// one that was asked of, as points of one script mostly mean one program.
struct Code {
  std::string program;
  std::optional<DebugFiles> files;
  symbol::Functions functions;
  std::set<std::uint64_t> exported;
  std::optional<std::vector<stap::CodeLine>> inlined, labels;

  // False: no function is there.
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

class Codes {
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

// By the DWARF of the program, or of what was stripped off it.
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

// What `read` finds in the DWARF of the program; once, as all of it is walked for that.
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

// Functions that one calls or jumps to, by its instructions; each once, as a call if there is one.
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

// What the language asks of the code of programs.
void find_code(stap::Options& out) {
  const auto codes = std::make_shared<Codes>();
  out.find_lines = [codes](const std::string& program, const auto& wants) {
    return find_lines(codes->of(program), wants);
  };
  out.find_inlined = [codes](const std::string& program) {
    Code& code = codes->of(program);
    return find_once(code, code.inlined, &symbol::DwarfVariables::inlined);
  };
  out.find_labels = [codes](const std::string& program) {
    Code& code = codes->of(program);
    return find_once(code, code.labels, &symbol::DwarfVariables::labels);
  };
  out.find_functions = [codes](const std::string& program) {
    return find_functions(codes->of(program));
  };
  out.find_called = [codes](const std::string& program, const stap::CodeFunction& by) {
    return find_called(codes->of(program), program, by);
  };
  out.find_linkage = find_linkage;
}

// The first of a name; of indices all together.
std::optional<stap::LibraryFile> library_file(const std::vector<std::string>& directories,
                                              std::string_view name) {
  const bool is_index = name.find('.') != std::string_view::npos;
  std::optional<stap::LibraryFile> out;
  for (const std::string& directory : directories) {
    const std::string path = fmt::format("{}{}{}", directory, name, is_index ? "" : ".stp");
    Result<std::string> text = support::read_file(path);
    if (!text.ok()) continue;
    if (!out) {
      out = stap::LibraryFile{path, std::move(*text)};
      if (!is_index) return out;
    } else {
      out->text += *text;
    }
  }
  return out;
}

// CONFIG_* of the kernel, whose file is read when a script asks for the first; absent if there is
// no such file, but for CONFIG_HZ, which a clock tells.
std::function<std::optional<std::string>(std::string_view)> kernel_config() {
  return [known = std::shared_ptr<kernel::Configuration>()](
             std::string_view name) mutable -> std::optional<std::string> {
    if (known == nullptr) {
      known = std::make_shared<kernel::Configuration>(
          kernel::Configuration::of(dtrace::kernel_release()));
    }
    if (!known->is_known() && name == "CONFIG_HZ") {
      return std::to_string(kernel::ticks_per_second());
    }
    if (!known->is_known()) return std::nullopt;
    return known->value(name).value_or("undefined");
  };
}

// The files of a directory of -I, in the order of their names; what cannot be read is said.
void find_files(const std::string& directory, stap::Options& out) {
  std::error_code wrong;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory, wrong)) {
    paths.insert(entry.path());
  }
  if (wrong) out.warnings.push_back(fmt::format("-I {}: {}", directory, wrong.message()));
  for (const std::filesystem::path& path : paths) {
    const bool is_macros = path.extension() == ".stpm";
    if (path.extension() != ".stp" && !is_macros) continue;
    Result<std::string> text = support::read_file(path.string());
    if (!text.ok()) {
      out.warnings.push_back(fmt::format("a file of -I is left out: {}", text.error().text));
    } else if (is_macros) {
      out.macros.push_back({path.string(), std::move(*text)});
    } else {
      out.always.push_back(path.stem().string());
    }
  }
}

// The files of -I are part of each script; behind their directories stands our own, of which what
// is used is read.
void find_libraries(const LanguageRequest& from, stap::Options& out) {
  std::vector<std::string> directories;
  for (const auto& [name, value] : from.request.named_arguments) {
    if (!name.starts_with("-I")) continue;
    directories.push_back(value + "/");
    find_files(value, out);
  }
  directories.push_back(system_library_directory(from.options) + "/stap/");
  out.library = [directories](std::string_view name) { return library_file(directories, name); };
}

// "-list" has one of these words.
void take_listing(std::string_view word, stap::Options& out) {
  using stap::Listing;
  constexpr std::pair<std::string_view, Listing> kListings[] = {{"points", Listing::kPoints},
                                                                {"variables", Listing::kVariables},
                                                                {"aliases", Listing::kAliases},
                                                                {"functions", Listing::kFunctions},
                                                                {"types", Listing::kTypes}};
  for (const auto& [known, listing] : kListings) {
    if (known == word) out.listing = listing;
  }
}

// Named arguments of a script in this language are the options of its command; -I is
// find_libraries()'s.
void take_named_arguments(const LanguageRequest& from, stap::Options& out) {
  for (const auto& [name, value] : from.request.named_arguments) {
    if (name == "-times") {
      out.is_timed = true;
    } else if (name == "-guru") {
      out.is_guru = true;
    } else if (name == "-strict") {
      out.is_strict = true;
    } else if (name == "-no-globals") {
      out.prints_unread = false;
    } else if (name == "-module") {
      out.module = value;
    } else if (name == "-list") {
      take_listing(value, out);
    } else if (!name.starts_with("-I")) {
      std::vector<std::string>& list = name.starts_with("-D") ? out.definitions : out.globals;
      list.push_back(name.substr(2) + "=" + value);
    }
  }
}

}  // namespace

std::unique_ptr<front::FrontEnd> make_stap_front_end(const LanguageRequest& from) {
  stap::Options out;
  out.arguments = from.request.arguments;
  out.target = from.target.value_or(0);
  out.kernel_release = dtrace::kernel_release();
  out.kernel_config = kernel_config();
  out.argument_names = [&probes = from.probes](const probe::Probe& probe) {
    return probes.argument_names(probe);
  };
  out.find_program = find_program;
  out.find_programs = find_programs;
  out.find_library = find_library;
  find_code(out);
  out.variables = program_variables();
  find_libraries(from, out);
  take_named_arguments(from, out);
  out.pictures.are_live = are_live(from.options);
  for (const std::string& hint : from.options.views) {
    const view::HintSubject subject = view::subject_of(hint);
    const std::string name = subject.name.substr(subject.name.starts_with('@') ? 1 : 0);
    if (name.empty()) continue;
    out.pictures.named.insert(name);
    if (subject.is_histogram) out.pictures.histograms.insert(name);
  }
  out.names_stacks = shows_variables(from.options.oformat) || out.pictures.are_live ||
                     !from.options.record.empty();
  out.tells_who_fires = from.options.oformat == "jsonl" || !from.options.record.empty();
  from.options.quiet = true;  // what handlers print is all there is
  return stap::make_front_end(std::move(out));
}

}  // namespace dt::api
