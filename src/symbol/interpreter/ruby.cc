// See ruby.h.
//
// What Ruby is running is in structures of its virtual machine, whose layouts change with every
// minor version and are described nowhere in the binary. So they are read only of the version for
// which the offsets are known (kRubyVersion), as the library itself says it in ruby_api_version.

#include "symbol/interpreter/ruby.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "machine/x86_64/decoder.h"
#include "symbol/elf/dynamic_symbols.h"

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxLineTableBytes = std::uint64_t{16} << 20;
constexpr std::string_view kContext = "ruby_current_ec";
constexpr std::array<std::int32_t, 2> kRubyVersion = {3, 1};  // ruby_api_version

struct Relocations {
  std::uint64_t module = 0;             // where the loader writes its number of the library
  std::vector<std::uint64_t> pointers;  // to what is in the file
};

// `symbol` is the number of the variable.
Relocations relocations(const ElfFile& elf, std::uint32_t symbol) {
  Relocations out;
  const auto all = elf.section(".rela.dyn", kMaxLineTableBytes);
  if (!all.ok()) return out;
  for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= all->size(); at += sizeof(Elf64_Rela)) {
    Elf64_Rela one;
    std::memcpy(&one, all->data() + at, sizeof one);
    const auto type = ELF64_R_TYPE(one.r_info);
    if (type == R_X86_64_RELATIVE) out.pointers.push_back(static_cast<std::uint64_t>(one.r_addend));
    if (type == R_X86_64_DTPMOD64 && ELF64_R_SYM(one.r_info) == symbol) out.module = one.r_offset;
  }
  return out;
}

// Where functions begin: the table of .eh_frame_hdr, which is sorted, of pairs of signed
// numbers of 4 bytes, from its own beginning.
std::vector<std::uint64_t> functions(const ElfFile& elf) {
  constexpr std::uint32_t kHeader = 0x3b031b01;  // version 1, and how the rest is written
  constexpr std::size_t kCountAt = 8, kTableAt = 12, kEntryBytes = 8;
  std::vector<std::uint64_t> out;
  const auto header = elf.section(".eh_frame_hdr", kMaxLineTableBytes);
  const std::uint64_t base = elf.section_address(".eh_frame_hdr");
  if (!header.ok() || header->size() < kTableAt) return out;
  std::uint32_t first = 0, count = 0;
  std::memcpy(&first, header->data(), sizeof first);
  std::memcpy(&count, header->data() + kCountAt, sizeof count);
  if (first != kHeader) return out;
  for (std::size_t at = kTableAt; at + kEntryBytes <= header->size() && count > 0;
       at += kEntryBytes, --count) {
    std::int32_t offset = 0;
    std::memcpy(&offset, header->data() + at, sizeof offset);
    out.push_back(base + static_cast<std::uint64_t>(std::int64_t{offset}));
  }
  return out;
}

// The functions into whose middle data point, and how often. The interpreter's loop is compiled
// with computed gotos: for each instruction of Ruby's machine, the address of a label in one C
// function. No other function has so many pointers into its middle, so it is found without a
// symbol.
std::map<std::uint64_t, std::size_t> pointers_into(const std::vector<std::uint64_t>& begins,
                                                   const std::vector<std::uint64_t>& pointers) {
  std::map<std::uint64_t, std::size_t> count;
  for (const std::uint64_t address : pointers) {
    const auto next = std::upper_bound(begins.begin(), begins.end(), address);
    if (next != begins.begin() && *std::prev(next) != address) ++count[*std::prev(next)];
  }
  return count;
}

// Where in `run` the interpreter's loop returns to: `run` calls one function into whose middle so
// many pointers lead. 0 when that is not clear. A frame of Ruby is matched to a frame of the
// processor by this return address.
std::uint32_t loop_return(const ElfFile& elf, const DynamicSymbols::Symbol& run,
                          const std::vector<std::uint64_t>& pointers) {
  constexpr std::size_t kInstructions = 100, kCallBytes = 5;  // there are about 200
  constexpr std::uint64_t kMaxReadBytes = 64 << 10;
  constexpr std::uint8_t kCall = 0xe8;
  const auto count = pointers_into(functions(elf), pointers);
  const auto place = elf.offset_of(run.address);
  ElfFile::Bytes code(std::min(run.size, kMaxReadBytes));
  if (!place || !elf.read(*place, code.data(), code.size())) return 0;
  std::uint32_t found = 0;
  for (std::size_t at = 0; at + kCallBytes <= code.size(); ++at) {
    if (code[at] != kCall) continue;
    std::int32_t distance = 0;
    std::memcpy(&distance, code.data() + at + 1, sizeof distance);
    const std::size_t back = at + kCallBytes;
    const auto called =
        count.find(run.address + back + static_cast<std::uint64_t>(std::int64_t{distance}));
    if (called == count.end() || called->second < kInstructions) continue;
    if (found != 0) return 0;
    found = static_cast<std::uint32_t>(back);
  }
  return found;
}

// Finds the table of names: a word, how many there are, and kArrayBehind bytes behind it the array.
// The variable is static and has no symbol, but rb_id2str() reads it by way of another function:
// two reads with 16 bytes between them are the count and the array. 0 when it does not do so.
class NamesFinder {
 public:
  explicit NamesFinder(const ElfFile& elf) : elf_(elf) {}

  std::uint64_t find(const DynamicSymbols::Symbol& id2str) {
    constexpr int kMostInstructions = 40;
    go_to(id2str.address);
    for (int i = 0; i < kMostInstructions && at_ < code_.size(); ++i) {
      if (!decoder_.decode(std::span(code_).subspan(at_), instruction_)) return 0;
      if (const std::uint64_t array = array_read()) return array;
      if (!follow(id2str)) at_ += instruction_.length;
    }
    return 0;
  }

 private:
  static constexpr std::uint64_t kBytes = 160, kArrayBehind = 16;

  void go_to(std::uint64_t address) {
    const auto place = elf_.offset_of(address);
    address_ = address;
    at_ = 0;
    code_.assign(kBytes, 0);
    if (!place || !elf_.read(*place, code_.data(), code_.size())) code_.clear();
  }
  std::uint64_t array_read() {
    for (std::size_t i = 0; i < instruction_.shown; ++i) {
      const auto to = instruction_.address(i, address_ + at_);
      if (!to || instruction_.operands.at(i).kind != machine::Operand::Kind::kMemory) continue;
      if (read_.contains(*to - kArrayBehind)) return *to;
      read_.insert(*to);
    }
    return 0;
  }
  // Into the other function, once.
  bool follow(const DynamicSymbols::Symbol& id2str) {
    const auto to = instruction_.address(0, address_ + at_);
    const bool goes =
        instruction_.is_unconditional_jump || instruction_.mnemonic == machine::Mnemonic::kCall;
    if (!goes || !to || has_followed_ || *to - id2str.address < id2str.size) return false;
    has_followed_ = true;
    go_to(*to);
    return true;
  }

  const ElfFile& elf_;
  machine::Decoder decoder_;
  machine::Decoded instruction_;
  ElfFile::Bytes code_;
  std::uint64_t address_ = 0;
  std::size_t at_ = 0;
  std::set<std::uint64_t> read_;
  bool has_followed_ = false;
};

}  // namespace

std::optional<RubyImage> ruby_image(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64) return std::nullopt;
  // Most files need not be looked at further.
  const auto names = elf.section(".dynstr", kMaxLineTableBytes);
  if (!names.ok() ||
      std::search(names->begin(), names->end(), kContext.begin(), kContext.end()) == names->end()) {
    return std::nullopt;
  }
  const DynamicSymbols symbols(elf);
  const auto version = symbols.find("ruby_api_version"), run = symbols.find("rb_vm_exec"),
             context = symbols.find(kContext);
  if (!version || !run || !context || context->type != STT_TLS || run->type != STT_FUNC) {
    return std::nullopt;
  }
  const auto place = elf.offset_of(version->address);
  std::array<std::int32_t, 2> number{};
  if (!place || !elf.read(*place, number.data(), sizeof number) || number != kRubyVersion) {
    return std::nullopt;
  }
  const auto code = std::find_if(elf.segments().begin(), elf.segments().end(),
                                 [](const auto& segment) { return segment.is_executable; });
  // The current execution context is a variable of the thread (TLS). In a shared library it is
  // found by the module's number, which the loader writes where R_X86_64_DTPMOD64 says.
  const Relocations tables = relocations(elf, context->number);
  if (code == elf.segments().end() || tables.module == 0 || run->size > UINT32_MAX ||
      context->address > UINT32_MAX) {
    return std::nullopt;
  }
  const std::uint64_t begin = code->address - code->offset;
  RubyImage image;
  image.run = static_cast<std::int64_t>(run->address - begin);
  image.run_bytes = static_cast<std::uint32_t>(run->size);
  image.context = static_cast<std::uint32_t>(context->address);
  image.module = static_cast<std::int64_t>(tables.module - begin);
  image.loop_return = loop_return(elf, *run, tables.pointers);
  const auto id2str = symbols.find("rb_id2str");
  const std::uint64_t array = id2str ? NamesFinder(elf).find(*id2str) : 0;
  if (array != 0) image.names = static_cast<std::int64_t>(array - begin);
  return image;
}

}  // namespace dt::symbol
