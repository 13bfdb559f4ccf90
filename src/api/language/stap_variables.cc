// See stap_variables.h.

#include "api/language/stap_variables.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "machine/x86_64/instructions.h"
#include "machine/x86_64/registers.h"
#include "support/integer_text.h"
#include "symbol/dwarf/variables.h"
#include "symbol/elf/usdt_notes.h"
#include "symbol/frames/call_frames.h"
#include "symbol/frames/functions.h"
#include "symbol/process/debug_file.h"

namespace dt::api {
namespace {

using symbol::VariableLocation;
using Where = stap::ProgramVariable::Where;

// The number of a word of struct pt_regs, from its offset in bytes.
int word_of(std::int32_t offset) { return offset / machine::kSavedWordBytes; }

class DebuggedProgram {
 public:
  explicit DebuggedProgram(DebugFiles files)
      : files_(std::move(files)), variables_(files_.debug, files_.shared) {}

  std::vector<stap::ProgramVariable> at(const stap::ProgramCode& code) {
    const std::optional<std::uint64_t> address = address_of(code);
    if (!address) return {};
    return located(variables_.at(*address, code.inlined), *address);
  }

  std::vector<stap::ProgramVariable> outside(const stap::ProgramCode& code,
                                             const std::string& name) {
    const std::optional<std::uint64_t> address = address_of(code);
    if (!address) return {};
    std::vector<stap::ProgramVariable> out = located(variables_.outside(name), *address);
    for (stap::ProgramVariable& one : out) {
      const bool is_in_memory = one.where == Where::kMemory;
      if (code.is_from_begin && is_in_memory) one.number = stap::kFunctionBegin;
    }
    return out;
  }

  std::vector<std::string> outside_names() { return variables_.outside_names(); }

  // `provider` and `name` as probes have them: two underscores of a name are a dash there.
  std::vector<std::uint64_t> sites(const std::string& provider, const std::string& name) {
    if (!notes_) notes_ = symbol::read_usdt_notes(*files_.code);
    std::vector<std::uint64_t> out;
    for (const symbol::UsdtNote& one : *notes_) {
      const bool is_it = one.provider == provider && symbol::usdt_name(one.name) == name;
      if (is_it) out.push_back(one.address);
    }
    return out;
  }

  std::optional<stap::ProgramFunction> function(const stap::ProgramCode& code) {
    const std::optional<std::uint64_t> address = address_of(code);
    if (!address) return std::nullopt;
    std::optional<symbol::DwarfFunction> found = variables_.function_at(*address);
    if (!found) return std::nullopt;
    return stap::ProgramFunction{found->entry.offset, found->entry.in_alt, std::move(found->file),
                                 found->line, found->is_c};
  }

 private:
  std::optional<std::uint64_t> address_of(const stap::ProgramCode& code) {
    if (code.address != 0) return code.address;
    const auto [found, is_new] = entries_.try_emplace(code.function);
    if (is_new) found->second = entry_of(code.function);
    if (!found->second) return std::nullopt;
    return code.is_from_begin ? found->second->begin : found->second->site;
  }

  // Where a function begins, and where the probe of its entry stands, which may be behind the first
  // instruction.
  struct EntryPlace {
    std::uint64_t begin = 0, site = 0;
  };

  // "one", "one@1136".
  std::optional<EntryPlace> entry_of(const std::string& text) {
    if (files_.code->has(".gopclntab")) return std::nullopt;  // begins in another way
    if (!functions_) functions_ = symbol::Functions::read(*files_.code, &*files_.debug);
    const std::size_t mark = text.rfind('@');
    const auto at =
        mark == std::string::npos ? std::nullopt : support::hexadecimal(text.substr(mark + 1));
    std::vector<const symbol::Function*> all = functions_->named(text.substr(0, mark));
    if (at) std::erase_if(all, [&](const symbol::Function* one) { return one->address != *at; });
    if (all.size() != 1) return std::nullopt;
    const symbol::Function& function = *all.front();
    constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
    std::vector<std::uint8_t> bytes(function.size <= kMostBytes ? function.size : 0);
    if (bytes.empty() || !files_.code->read(function.offset, bytes.data(), bytes.size())) {
      return std::nullopt;
    }
    const std::optional<std::uint32_t> site = machine::entry_site(bytes);
    if (!site) return std::nullopt;
    return EntryPlace{function.address, function.address + *site};
  }

  std::vector<stap::ProgramVariable> located(const std::vector<symbol::DwarfVariable>& all,
                                             std::uint64_t address) {
    std::vector<stap::ProgramVariable> out;
    for (const symbol::DwarfVariable& one : all) {
      stap::ProgramVariable& made = out.emplace_back();
      made.name = one.name;
      made.is_parameter = one.is_parameter;
      made.file = one.file;
      made.whole = one.whole;
      if (one.type) {
        made.type = one.type->offset;
        made.is_type_shared = one.type->in_alt;
      }
      locate(one.location, address, made);
      const bool is_computed = one.location.is_value && made.where == Where::kMemory;
      if (is_computed) made.where = Where::kRegister;
    }
    return out;
  }

  void locate(const VariableLocation& location, std::uint64_t address, stap::ProgramVariable& out) {
    switch (location.kind) {
      case VariableLocation::Kind::kUnknown:
        return;
      case VariableLocation::Kind::kConstant:
        out.where = Where::kConstant;
        out.offset = location.offset;
        return;
      case VariableLocation::Kind::kRegister:
      case VariableLocation::Kind::kAtRegister:
        out.where =
            location.kind == VariableLocation::Kind::kRegister ? Where::kRegister : Where::kMemory;
        out.number = word_of(machine::kSavedByDwarf[location.number]);
        out.offset = location.offset;
        return;
      // The program may be loaded anywhere, but the distance between two of its addresses is fixed.
      case VariableLocation::Kind::kAddress:
        out.where = Where::kMemory;
        out.number = word_of(machine::kSavedIp);
        out.offset = location.offset - static_cast<std::int64_t>(address);
        return;
      case VariableLocation::Kind::kFrame:
        from_frame(location.offset, address, out);
        return;
    }
  }

  void from_frame(std::int64_t offset, std::uint64_t address, stap::ProgramVariable& out) {
    const symbol::FrameRule rule = rule_at(address);
    switch (rule.base) {
      case symbol::FrameRule::Base::kStackPointer:
        out.number = word_of(machine::kSavedSp);
        break;
      case symbol::FrameRule::Base::kFramePointer:
        out.number = word_of(machine::kSavedBp);
        break;
      case symbol::FrameRule::Base::kRegister:
        if (rule.number >= machine::kSavedByDwarf.size()) return;
        out.number = word_of(machine::kSavedByDwarf[rule.number]);
        break;
      default:
        return;
    }
    out.where = Where::kMemory;
    out.offset = rule.offset + offset;
  }

  // How the CFA (DWARF's name for the caller's stack pointer) follows from a register there.
  symbol::FrameRule rule_at(std::uint64_t address) {
    if (!frames_) {
      Result<symbol::FrameTable> read = symbol::frame_table(*files_.code);
      frames_ = read.ok() ? std::move(*read) : symbol::FrameTable();
    }
    const std::optional<std::uint64_t> offset = files_.code->offset_of(address);
    const auto& rows = frames_->rows;
    const auto after = std::upper_bound(
        rows.begin(), rows.end(), offset.value_or(0),
        [](std::uint64_t value, const symbol::FrameTable::Row& row) { return value < row.offset; });
    return !offset || after == rows.begin() ? symbol::FrameRule()
                                            : frames_->rules[std::prev(after)->rule];
  }

  DebugFiles files_;
  symbol::DwarfVariables variables_;
  std::optional<symbol::FrameTable> frames_;
  std::optional<symbol::Functions> functions_;
  std::map<std::string, std::optional<EntryPlace>> entries_;
  std::optional<std::vector<symbol::UsdtNote>> notes_;
};

// The programs that a script asks for, each opened once.
class DebuggedPrograms {
 public:
  DebuggedProgram* find(const std::string& path) {
    const auto [found, is_new] = all_.try_emplace(path);
    if (is_new) {
      if (auto files = open_debug_files(path)) {
        found->second = std::make_unique<DebuggedProgram>(std::move(*files));
      }
    }
    return found->second.get();
  }

 private:
  std::map<std::string, std::unique_ptr<DebuggedProgram>> all_;
};

}  // namespace

std::optional<DebugFiles> open_debug_files(const std::string& program) {
  Result<symbol::ElfFile> opened = symbol::ElfFile::open(program);
  if (!opened.ok()) return std::nullopt;
  DebugFiles out;
  out.code = std::make_shared<const symbol::ElfFile>(std::move(*opened));
  out.debug = out.code;
  if (!out.code->has(".debug_info")) {
    std::optional<symbol::ElfFile> apart =
        symbol::find_debug_file(*out.code, program, "", ".debug_info");
    if (!apart) return std::nullopt;
    out.debug = std::make_shared<const symbol::ElfFile>(std::move(*apart));
  }
  std::optional<symbol::ElfFile> shared = symbol::find_shared_file(*out.debug, program, "");
  if (shared) out.shared = std::make_shared<const symbol::ElfFile>(std::move(*shared));
  return out;
}

stap::ProgramVariables program_variables() {
  const auto programs = std::make_shared<DebuggedPrograms>();
  stap::ProgramVariables out;
  out.at = [programs](const stap::ProgramCode& code) {
    DebuggedProgram* const program = programs->find(code.program);
    return program == nullptr ? std::vector<stap::ProgramVariable>() : program->at(code);
  };
  out.outside = [programs](const stap::ProgramCode& code, const std::string& name) {
    DebuggedProgram* const program = programs->find(code.program);
    return program == nullptr ? std::vector<stap::ProgramVariable>() : program->outside(code, name);
  };
  out.outside_names = [programs](const std::string& path) {
    DebuggedProgram* const program = programs->find(path);
    return program == nullptr ? std::vector<std::string>() : program->outside_names();
  };
  out.sites = [programs](const std::string& path, const std::string& provider,
                         const std::string& name) {
    DebuggedProgram* const program = programs->find(path);
    return program == nullptr ? std::vector<std::uint64_t>() : program->sites(provider, name);
  };
  out.function = [programs](const stap::ProgramCode& code) {
    DebuggedProgram* const program = programs->find(code.program);
    return program == nullptr ? std::nullopt : program->function(code);
  };
  return out;
}

}  // namespace dt::api
