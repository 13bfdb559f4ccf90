// What the kernel refuses is known beforehand as far as it says so: functions that
// it lists as forbidden, traps, and instructions that it changes itself, of which it
// keeps tables:
//
//   jump labels    struct { s32 code, target; long key; }     of a branch that it turns
//   static calls   struct { s32 code, key; }                  of a call that it redirects
//
// `code` is relative to itself. The kernel's own tables are each between two symbols; those of
// a module are where its struct module says.

#include "provider/mechanism/kernel_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>

#include "machine/x86_64/disassembly.h"
#include "support/lines.h"
#include "types/place.h"

namespace dt::provider {
namespace {

constexpr std::string_view kVmlinux = "vmlinux";
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMostTableBytes = 16U << 20;
// So many zeros are no code; a module's text ends with them.
constexpr std::size_t kZeros = 16;
// The kernel changes an instruction behind a breakpoint, which stands for some milliseconds
// on its first byte while the others are written: the code is looked at again, for a second.
constexpr int kMostLooks = 100;

// A table of places: its symbols in the kernel, its members in struct module.
struct Table {
  const char* begin;
  const char* end;
  const char* pointer;
  const char* count;
  std::size_t entry_bytes;
};
constexpr std::array<Table, 2> kTables = {{
    {"__start___jump_table", "__stop___jump_table", "jump_entries", "num_jump_entries", 16},
    {"__start_static_call_sites", "__stop_static_call_sites", "static_call_sites",
     "num_static_call_sites", 8},
}};

// A number in hexadecimal at the start of the text, which it takes off; 0 without one.
std::uint64_t take_hex(std::string_view& text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return value;
}

// Without what stands between functions.
void trim(std::vector<std::uint8_t>& bytes, std::vector<machine::Instruction>& instructions) {
  while (!instructions.empty() && instructions.back().is_filler) {
    bytes.resize(instructions.back().offset);
    instructions.pop_back();
  }
}

// int3 stands where nothing goes on: behind what returns or jumps. Elsewhere it is
// a breakpoint, and what it replaces is not known. Up to what is no instruction.
std::optional<std::uint32_t> find_breakpoint(std::span<const std::uint8_t> code) {
  constexpr std::uint8_t kInt3 = 0xcc;
  bool ends = false;
  for (std::uint32_t at = 0; at < code.size();) {
    const auto one = machine::first_instruction(code.subspan(at));
    if (!one) break;
    const bool is_int3 = one->length == 1 && code[at] == kInt3;
    if (is_int3 && !ends) return at;
    ends = is_int3 || one->flow != machine::Instruction::Flow::kNext;
    at += one->length;
  }
  return std::nullopt;
}

Status decode(KernelBody& body) {
  auto instructions = machine::decode(body.bytes);
  if (!instructions.ok()) {
    return std::move(instructions.error()).with(fmt::format("the code of '{}'", body.name));
  }
  body.instructions = std::move(*instructions);
  trim(body.bytes, body.instructions);
  return {};
}

Error is_patched(const KernelBody& body, std::uint64_t offset) {
  return {fmt::format("the instructions of '{}' cannot be read while another tracer has a "
                      "breakpoint at offset {} (0x{:x})",
                      body.name, offset, offset),
          0, "", ""};
}

}  // namespace

Status KernelCode::read_symbols() {
  if (symbols_ != nullptr) return {};
  DT_ASSIGN(kallsyms_, source_.symbols());
  auto symbols = std::make_unique<symbol::KernelSymbols>(kallsyms_, source_.modules());
  if (symbols->hidden() || symbols->size() == 0) {
    return Error::of("/proc/kallsyms hides the addresses of the kernel's functions",
                     "set kernel.kptr_restrict to 0 or 1, and run as root");
  }
  symbols_ = std::move(symbols);
  return {};
}

std::string KernelCode::near(const std::string& name) {
  return read_symbols().ok() ? symbols_->near(name) : std::string();
}

Result<std::vector<std::shared_ptr<const KernelBody>>> KernelCode::named(
    const std::string& name, const IsWanted& is_wanted) {
  DT_TRY(read_symbols());
  std::vector<std::shared_ptr<const KernelBody>> bodies;
  Status failed;
  for (const symbol::KernelSymbols::Extent& extent : symbols_->named(name)) {
    if (!is_wanted(extent.module)) continue;
    auto body = read_body(name, extent);
    if (body.ok()) {
      bodies.push_back(std::move(*body));
    } else if (failed.ok()) {
      failed = std::move(body.error());
    }
  }
  if (bodies.empty() && !failed.ok()) return std::move(failed.error());
  return bodies;
}

Result<std::shared_ptr<const KernelBody>> KernelCode::read_body(
    const std::string& name, const symbol::KernelSymbols::Extent& extent) {
  auto body = std::make_shared<KernelBody>();
  body->module = extent.module;
  body->name = name;
  body->address = extent.begin.value;
  std::optional<std::uint32_t> breakpoint;
  Status decoded;
  for (int look = 0; look < kMostLooks; ++look) {
    if (look > 0) source_.wait();
    // Before and behind: a breakpoint may come and go.
    DT_TRY(check_unpatched(*body, extent.end.value));
    DT_TRY(read_bytes(*body, extent.end.value));
    DT_TRY(check_unpatched(*body, extent.end.value));
    decoded = decode(*body);
    breakpoint = find_breakpoint(body->bytes);
    if (!breakpoint) break;
  }
  DT_TRY(std::move(decoded));
  if (breakpoint) return is_patched(*body, *breakpoint);
  forbid(*body);
  return std::shared_ptr<const KernelBody>(std::move(body));
}

// Up to what cannot be read, but for the first page.
Status KernelCode::read_bytes(KernelBody& body, std::uint64_t end) const {
  std::vector<std::uint8_t>& bytes = body.bytes;
  bytes.clear();
  for (std::uint64_t at = body.address; at < end;) {
    const std::uint64_t in_page = kPageBytes - at % kPageBytes;
    const std::uint64_t size = std::min(end - at, in_page);
    bytes.resize(bytes.size() + size);
    Status read = source_.read(at, std::span(bytes).last(size));
    if (!read.ok() && at == body.address) {
      return std::move(read.error()).with(fmt::format("the code of '{}'", body.name));
    }
    if (!read.ok()) {
      bytes.resize(bytes.size() - size);
      break;
    }
    at += size;
  }
  static constexpr std::array<std::uint8_t, kZeros> kNothing = {};
  bytes.erase(std::search(bytes.begin(), bytes.end(), kNothing.begin(), kNothing.end()),
              bytes.end());
  return {};
}

// "ffffffff81234567  k  vfs_read+0x5    [OPTIMIZED]": one that uses the function
// tracer changes no instruction, nor does one that is switched off.
Status KernelCode::check_unpatched(const KernelBody& body, std::uint64_t end) const {
  const Result<std::string> list = source_.debugfs("kprobes/list");
  Status status;
  if (!list.ok()) return status;
  support::for_lines(*list, [&](std::string_view line) {
    const bool is_harmless =
        line.find("[FTRACE]") != line.npos || line.find("[DISABLED]") != line.npos;
    const std::uint64_t address = take_hex(line);
    if (is_harmless || address < body.address || address >= end) return;
    if (status.ok()) status = is_patched(body, address - body.address);
  });
  return status;
}

// "0xffffffff81001000-0xffffffff81001040\tasm_exc_nmi".
const std::vector<KernelCode::Range>& KernelCode::blacklist() {
  if (blacklist_) return *blacklist_;
  blacklist_.emplace();
  const Result<std::string> text = source_.debugfs("kprobes/blacklist");
  if (!text.ok()) return *blacklist_;
  support::for_lines(*text, [&](std::string_view line) {
    Range range;
    range.begin = take_hex(line);
    if (!line.starts_with("-")) return;
    line.remove_prefix(1);
    range.end = take_hex(line);
    blacklist_->push_back(std::move(range));
  });
  return *blacklist_;
}

void KernelCode::forbid(KernelBody& body) {
  const std::unordered_set<std::uint64_t>& changes = patched(body.module);
  for (const machine::Instruction& one : body.instructions) {
    const std::uint64_t address = body.address + one.offset;
    const auto& ranges = blacklist();
    const bool is_listed = std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
      return address >= range.begin && address < range.end;
    });
    const char* why = is_listed                   ? "the kernel needs this code for probes"
                      : one.is_trap               ? "it is a trap"
                      : changes.contains(address) ? "the kernel changes it while it runs"
                                                  : nullptr;
    if (why != nullptr) body.forbidden.emplace(one.offset, why);
  }
}

// Of a symbol that is no function, which most kernels list, too; 0 without one.
std::uint64_t KernelCode::object(std::string_view name, std::string_view module) const {
  const std::string end =
      module == kVmlinux ? fmt::format(" {}\n", name) : fmt::format(" {}\t[{}]", name, module);
  const std::size_t found = kallsyms_.find(end);
  if (found == kallsyms_.npos) return 0;
  const std::size_t before = kallsyms_.rfind('\n', found);
  std::string_view line = kallsyms_.substr(before == kallsyms_.npos ? 0 : before + 1);
  return take_hex(line);
}

// A member of the structure that describes a module, which is at `module`; 0 without one.
std::uint64_t KernelCode::module_word(std::uint64_t module, const std::string& member) const {
  const auto found = types::find_place(types_, "module", member);
  std::uint64_t value = 0;
  if (!found.ok() || module == 0) return value;
  std::array<std::uint8_t, sizeof value> bytes = {};
  const std::size_t size = std::min<std::size_t>(types_.size_of(found->type), bytes.size());
  if (!source_.read(module + found->offset, std::span(bytes).first(size)).ok()) return 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

const std::unordered_set<std::uint64_t>& KernelCode::patched(const std::string& module) {
  const auto [at, is_new] = patched_.try_emplace(module);
  if (!is_new) return at->second;
  const bool is_own = module == kVmlinux;
  const std::uint64_t described = is_own ? 0 : object("__this_module", module);
  for (const Table& table : kTables) {
    const std::uint64_t begin =
        is_own ? object(table.begin, kVmlinux) : module_word(described, table.pointer);
    const std::uint64_t bytes = is_own ? object(table.end, kVmlinux) - begin
                                       : module_word(described, table.count) * table.entry_bytes;
    if (begin == 0 || bytes > kMostTableBytes) continue;
    std::vector<std::uint8_t> entries(bytes);
    if (!source_.read(begin, entries).ok()) continue;
    for (std::size_t i = 0; i + table.entry_bytes <= entries.size(); i += table.entry_bytes) {
      std::int32_t code = 0;
      std::memcpy(&code, entries.data() + i, sizeof code);
      at->second.insert(begin + i + static_cast<std::uint64_t>(std::int64_t{code}));
    }
  }
  return at->second;
}

std::string KernelCode::text(const KernelBody& body, std::uint32_t offset) {
  const auto name = [this, &body](std::uint64_t address) {
    symbol::Symbol symbol;
    if (address >= body.address && address < body.address + body.bytes.size()) {
      return fmt::format("{}+0x{:x}", body.name, address - body.address);
    }
    if (!symbols_->find(KernelAddr(address), symbol) || symbol.name.empty()) return std::string();
    return symbol.offset == 0 ? symbol.name : fmt::format("{}+0x{:x}", symbol.name, symbol.offset);
  };
  return machine::disassemble(std::span(body.bytes).subspan(offset), body.address + offset, name);
}

}  // namespace dt::provider
