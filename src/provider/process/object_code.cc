// See object_code.h.

#include "provider/process/object_code.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "symbol/code/starts.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/object_path.h"

namespace dt::provider {
namespace {

using machine::Instruction;
using symbol::CallConvention;
using symbol::Function;

constexpr std::uint64_t kMaxFunctionBytes = 16 << 20;

constexpr std::size_t kMaxInstructionBytes = 15;
// Functions that a description names are few; all functions of an object are asked for once.
constexpr std::size_t kMaxKept = 256;

// These reasons are shown to the person who asked for the probe, so each names the function and
// says what is known instead.
Error refused(std::string text) { return Error::of(std::move(text)); }

// A function, or a part of one that the compiler has put elsewhere.
struct Part {
  const Function* function;
  std::vector<std::uint8_t> code;
};

bool is_in(std::uint64_t address, const std::vector<Part>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    return address - part.function->address < part.code.size();
  });
}

// Each ret, and each jump to another function, which is a call whose return is
// also that of this one.
bool leaves(const Instruction& one, const Part& part, const std::vector<Part>& parts) {
  if (one.flow == Instruction::Flow::kReturn) return true;
  return one.flow == Instruction::Flow::kJump &&
         !is_in(part.function->address + static_cast<std::uint64_t>(one.target), parts);
}

}  // namespace

Result<std::unique_ptr<Image>> Image::open(const symbol::ProcessObject& object) {
  DT_ASSIGN(symbol::ElfFile elf, symbol::ElfFile::open(symbol::path_of(object)));
  std::optional<symbol::ElfFile> debug;
  if (!elf.has(".symtab")) {
    const std::size_t pid_end = object.open_path.find('/', std::strlen("/proc/"));
    debug = symbol::find_debug_file(elf, object.path, object.open_path.substr(0, pid_end) + "/root",
                                    ".symtab");
  }
  std::optional<symbol::GoTable> go = symbol::GoTable::read(elf);
  symbol::Functions functions =
      symbol::Functions::read(elf, debug ? &*debug : nullptr, go ? &*go : nullptr);
  const bool is_stripped = !elf.has(".symtab") && !debug;
  return std::unique_ptr<Image>(
      new Image(std::move(elf), std::move(go), std::move(functions), is_stripped, object.name));
}

bool Image::complete(symbol::Debuginfod& servers) {
  if (!is_stripped_ || std::exchange(is_asked_for_, true)) return false;
  const std::optional<symbol::ElfFile> debug = servers.fetch(elf_.build_id(), name_);
  if (!debug || !debug->has(".symtab")) return false;
  functions_ = symbol::Functions::read(elf_, &*debug, go_ ? &*go_ : nullptr);
  returns_.clear();
  is_stripped_ = false;
  return true;
}

const std::vector<Function>& Image::linkage() const {
  if (!linkage_) linkage_ = symbol::linkage_functions(elf_);
  return *linkage_;
}

CallConvention Image::convention(const Function& function) const {
  return go_ ? go_->convention(function.address, function.name) : CallConvention::kC;
}

Result<std::vector<std::uint8_t>> Image::code(const Function& function) const {
  const std::string& name = function.name;
  if (function.is_resolver) {
    return refused(fmt::format(
        "'{}' chooses a function when the program starts (an IFUNC), and its object does not tell "
        "which",
        name));
  }
  if (function.size == 0) {
    return refused(fmt::format("the symbol table does not say how large '{}' is", name));
  }
  std::vector<std::uint8_t> bytes(function.size <= kMaxFunctionBytes ? function.size : 0);
  if (bytes.empty() || !elf_.read(function.offset, bytes.data(), bytes.size())) {
    return refused(fmt::format("the code of '{}' cannot be read", name));
  }
  if (!map_->begins(function.address)) {
    return refused(fmt::format(
        "the symbol table has '{}' at 0x{:x}, where it cannot be shown that an instruction begins",
        name, function.address));
  }
  return bytes;
}

Result<std::vector<Instruction>> Image::instructions(const Function& function) const {
  DT_ASSIGN(const std::vector<std::uint8_t> bytes, code(function));
  Result<std::vector<Instruction>> all = machine::decode(bytes);
  if (!all.ok()) {
    return refused(
        fmt::format("'{}' holds something other than code: {}", function.name, all.error().text));
  }
  if (!all->empty()) map_->begins(function.address + all->back().offset);  // reads all at once
  for (const Instruction& one : *all) {
    if (map_->begins(function.address + one.offset)) continue;
    return refused(fmt::format(
        "the symbol table says that '{}' has 0x{:x} bytes, but from 0x{:x} on they are none of its "
        "code",
        function.name, function.size, one.offset));
  }
  return all;
}

Result<CodeSite> Image::entry(const Function& function) const {
  DT_ASSIGN(const std::vector<std::uint8_t> bytes, code(function));
  const auto site = machine::entry_site(bytes, convention(function) != CallConvention::kC);
  if (site && map_->begins(function.address + *site))
    return CodeSite{function.offset + *site, *site};
  return refused(
      fmt::format("no breakpoint may stand on the first instruction of '{}'", function.name));
}

Result<std::vector<CodeSite>> Image::returns(const Function& function) const {
  std::pair key(function.address, function.name);
  const auto known = returns_.find(key);
  if (known != returns_.end()) return known->second;
  Result<std::vector<CodeSite>> sites = find_returns(function);
  if (returns_.size() < kMaxKept) returns_.emplace(std::move(key), sites);
  return sites;
}

Result<std::vector<CodeSite>> Image::find_returns(const Function& function) const {
  std::vector<Part> parts;
  DT_ASSIGN(std::vector<std::uint8_t> first, code(function));
  parts.push_back({&function, std::move(first)});
  for (const Function* part : functions_.named(function.name + ".cold")) {
    Result<std::vector<std::uint8_t>> bytes = code(*part);
    if (bytes.ok()) parts.push_back({part, std::move(*bytes)});
  }
  std::vector<CodeSite> sites;
  for (const Part& part : parts) {
    DT_ASSIGN(const std::vector<Instruction> all, instructions(*part.function));
    for (const Instruction& one : all) {
      if (!leaves(one, part, parts) || one.is_forbidden) continue;
      const std::uint64_t address = part.function->address + one.offset;
      sites.push_back({part.function->offset + one.offset,
                       static_cast<std::uint32_t>(address - function.address)});
    }
  }
  if (!sites.empty()) return sites;
  return refused(fmt::format("'{}' has no instruction that returns", function.name));
}

Result<std::uint64_t> Image::usdt_site(const symbol::UsdtNote& note) const {
  constexpr std::uint64_t kCounterBytes = sizeof(std::uint16_t);
  const auto offset = elf_.offset_of(note.address);
  if (!offset || !may_break_at(*offset)) {
    return refused(
        fmt::format("no breakpoint may stand at 0x{:x}, where its note has it", note.address));
  }
  if (note.semaphore != 0 && (!elf_.is_in(".probes", note.semaphore, kCounterBytes) ||
                              note.semaphore % kCounterBytes != 0)) {
    return refused(
        fmt::format("its note has a counter at 0x{:x}, which is not in .probes", note.semaphore));
  }
  return *offset;
}

std::uint64_t Image::counter_at(std::uint64_t offset) const {
  if (!counters_) {
    counters_.emplace();
    for (const symbol::UsdtNote& note : symbol::read_usdt_notes(elf_)) {
      const auto counter = elf_.offset_of(note.semaphore);
      const Result<std::uint64_t> site = usdt_site(note);
      if (note.semaphore != 0 && counter && site.ok()) counters_->emplace(*site, *counter);
    }
  }
  const auto found = counters_->find(offset);
  return found == counters_->end() ? 0 : found->second;
}

bool Image::may_break_at(std::uint64_t offset) const {
  const auto address = elf_.address_of(offset);
  if (!address || !map_->begins(*address)) return false;
  std::vector<std::uint8_t> bytes(kMaxInstructionBytes);
  while (!bytes.empty() && !elf_.read(offset, bytes.data(), bytes.size())) bytes.pop_back();
  const auto first = machine::decode_to(bytes, 0);
  return first.ok() && !first->empty() && !first->front().is_forbidden;
}

// Code is read from the start of a function on: from its middle on, other bytes
// look like instructions, too.
Result<CodeSite> Image::instruction_at(std::uint64_t offset) const {
  const auto address = elf_.address_of(offset);
  Function known;
  if (const Function* found = address ? functions_.at(*address) : nullptr) {
    known = *found;
  } else if (address) {
    const std::vector<std::uint64_t> starts = symbol::code_starts(elf_);
    const auto after = std::upper_bound(starts.begin(), starts.end(), *address);
    if (after != starts.begin()) {
      known.name = fmt::format("the code at 0x{:x}", *std::prev(after));
      known.address = *std::prev(after);
      known.offset = offset - (*address - known.address);
      // One byte more than the address, and the rest of its instruction.
      known.size = after != starts.end() ? *after - known.address : *address - known.address + 16;
    }
  }
  if (known.size == 0) {
    return refused(
        "no function is known there, so that it is not known where its instructions "
        "begin");
  }
  DT_ASSIGN(const std::vector<std::uint8_t> bytes, code(known));
  const auto at = static_cast<std::uint32_t>(*address - known.address);
  const Result<std::vector<Instruction>> all = machine::decode_to(bytes, at);
  if (!all.ok()) return refused(fmt::format("{}: {}", known.name, all.error().text));
  const Instruction& last = all->back();
  if (last.offset != at) {
    return refused(fmt::format("it is inside of the instruction at offset 0x{:x} of {}",
                               last.offset, known.name));
  }
  if (last.is_forbidden) return refused("no breakpoint may stand on that instruction");
  if (!map_->begins(*address)) {
    return refused(
        fmt::format("it cannot be shown that an instruction of {} begins there", known.name));
  }
  return CodeSite{offset, at};
}

}  // namespace dt::provider
