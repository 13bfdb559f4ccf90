// See usdt_notes.h.
//
// The arguments of a probe are operands as gcc writes them for the assembler (AT&T syntax), each
// with the size of its value before it; a negative size means a signed value:
//
//   -4@%edi 8@-8(%rbp) 4@$15 8@counter(%rip) 4@(%rax,%rcx,4)

#include "symbol/elf/usdt_notes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#include "machine/x86_64/register_names.h"
#include "symbol/elf/notes.h"

namespace dt::symbol {
namespace {

constexpr std::string_view kStapsdt("stapsdt\0", 8);
constexpr std::uint32_t kProbeNote = 3;
constexpr std::uint64_t kMaxSectionBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMaxNotes = 100'000;
constexpr std::size_t kMaxOperands = 10;
constexpr std::size_t kMaxProbeNameBytes = 128;
constexpr std::size_t kAddressBytes = 3 * 8;

// Bits 8-15 of a register: only these four have such names.
constexpr std::string_view kHighBytes[] = {"ah", "ch", "dh", "bh"};

// The rest of a text that is read from its front.
// Every take...() leaves the text as it was when it does not match, so alternatives can be tried
// one after another.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool starts(std::string_view text) const { return rest_.starts_with(text); }
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Decimal or 0x..., with a sign; wraps around as the assembler's does.
  std::optional<std::int64_t> number() {
    Cursor after = *this;
    const bool is_negative = after.take('-');
    if (!is_negative) after.take('+');
    int base = 10;
    if (after.starts("0x") || after.starts("0X")) {
      base = 16;
      after.rest_.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const char* const begin = after.rest_.data();
    const auto [stop, failure] = std::from_chars(begin, begin + after.rest_.size(), value, base);
    if (failure != std::errc()) return std::nullopt;
    after.rest_.remove_prefix(static_cast<std::size_t>(stop - begin));
    *this = after;
    return static_cast<std::int64_t>(is_negative ? 0 - value : value);
  }
  std::string_view word() {
    const auto is_part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '.' || c == '@';
    };
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_part);
    const std::string_view found = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(found.size());
    return found;
  }

 private:
  std::string_view rest_;
};

// "%rbp" as a part of an address. 32-bit registers are accepted: the processor computes an address
// with the prefix 0x67 from them.
bool take_base(Cursor& text, std::uint8_t& number) {
  if (!text.take('%')) return false;
  const auto found = machine::general_register(text.word());
  if (found) number = found->encoding;
  return found && found->bytes >= 4;
}

// What follows "(": "%base,%index,scale)"; "%rip)" stands for none.
bool take_address(Cursor& text, UsdtOperand& out, bool& is_rip) {
  if (text.starts("%rip)")) {
    is_rip = true;
    return text.take('%') && !text.word().empty() && text.take(')') && text.at_end();
  }
  if (text.starts("%") && !take_base(text, out.base)) return false;
  if (text.take(',')) {
    if (!take_base(text, out.index)) return false;
    if (text.take(',')) {
      const auto scale = text.number();
      if (!scale || (*scale != 1 && *scale != 2 && *scale != 4 && *scale != 8)) return false;
      out.scale = static_cast<std::uint8_t>(*scale);
    }
  }
  return text.take(')') && text.at_end();
}

// "16+sym(%rip)", "sym+16(%rip)", "-8(%rbp,%rax,4)", "sym"
bool take_memory(Cursor& text, UsdtOperand& out) {
  std::uint64_t offset = 0;
  while (!text.at_end() && !text.starts("(")) {
    if (const auto number = text.number()) {
      offset += static_cast<std::uint64_t>(*number);
      continue;
    }
    text.take('+');
    const std::string_view symbol = text.word();
    if (symbol.empty() || !out.symbol.empty()) return false;
    out.symbol = symbol;
  }
  out.value = static_cast<std::int64_t>(offset);
  bool is_rip = false;
  if (text.take('(') && !take_address(text, out, is_rip)) return false;
  const bool has_register = out.base != UsdtOperand::kNone || out.index != UsdtOperand::kNone;
  out.kind = out.symbol.empty() ? UsdtOperand::Kind::kMemory : UsdtOperand::Kind::kSymbol;
  // A symbol with registers is an array of a program at a fixed address.
  return out.symbol.empty() ? has_register && !is_rip : !has_register;
}

// "$15" a constant, "%eax" a register, everything else memory.
bool take_operand(Cursor& text, UsdtOperand& out) {
  if (text.take('$')) {
    const auto number = text.number();
    out.kind = UsdtOperand::Kind::kConstant;
    out.value = number.value_or(0);
    return number && text.at_end();
  }
  if (!text.take('%')) return take_memory(text, out);
  const std::string_view name = text.word();
  if (!text.at_end()) return false;
  out.kind = UsdtOperand::Kind::kRegister;
  const auto* const high = std::find(std::begin(kHighBytes), std::end(kHighBytes), name);
  if (high != std::end(kHighBytes)) {
    out.base = static_cast<std::uint8_t>(high - std::begin(kHighBytes));
    out.is_high = true;
    return true;
  }
  const auto found = machine::general_register(name);
  if (found) out.base = found->encoding;
  return found.has_value();
}

UsdtOperand parse_operand(std::string_view word) {
  UsdtOperand out;
  Cursor text(word);
  if (const std::size_t at = word.find('@'); at != word.npos && at <= 3) {
    const auto size = text.number();
    if (!size || (*size != 1 && *size != 2 && *size != 4 && *size != 8 && *size != -1 &&
                  *size != -2 && *size != -4 && *size != -8)) {
      return {};
    }
    out.size = static_cast<std::uint8_t>(*size < 0 ? -*size : *size);
    out.is_signed = *size < 0;
    out.is_float = text.take('f');
    if (!text.take('@')) return {};
  }
  UsdtOperand unknown = out;
  return take_operand(text, out) ? out : unknown;
}

// The text that ends with a NUL at the front of `rest`, which is taken off.
std::optional<std::string> take_text(std::string_view& rest, std::size_t most) {
  const std::size_t end = rest.find('\0');
  if (end == rest.npos || end > most) return std::nullopt;
  std::string text(rest.substr(0, end));
  rest.remove_prefix(end + 1);
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// `base`: where .stapsdt.base is now; where it was when the note was made tells how far
// the file has been moved (prelink).
std::optional<UsdtNote> read_probe_note(std::string_view body, std::uint64_t base) {
  if (body.size() < kAddressBytes) return std::nullopt;
  std::uint64_t addresses[3];
  std::memcpy(addresses, body.data(), sizeof addresses);
  body.remove_prefix(kAddressBytes);
  const std::uint64_t moved = base == 0 || addresses[1] == 0 ? 0 : base - addresses[1];
  UsdtNote note;
  note.address = addresses[0] + moved;
  note.semaphore = addresses[2] == 0 ? 0 : addresses[2] + moved;
  auto provider = take_text(body, kMaxProbeNameBytes);
  auto name = provider ? take_text(body, kMaxProbeNameBytes) : std::nullopt;
  if (!name || !is_name(*provider) || !is_name(*name)) return std::nullopt;
  note.provider = std::move(*provider);
  note.name = std::move(*name);
  note.operands = parse_usdt_operands(body.substr(0, body.find('\0')));
  return note;
}

}  // namespace

std::vector<UsdtOperand> parse_usdt_operands(std::string_view text) {
  std::vector<UsdtOperand> operands;
  while (operands.size() < kMaxOperands) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == text.npos) break;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find(' '));
    operands.push_back(parse_operand(word));
    text.remove_prefix(word.size());
  }
  return operands;
}

std::string usdt_name(std::string_view note) {
  std::string name;
  for (std::size_t i = 0; i < note.size(); ++i) {
    const bool is_dash = note[i] == '_' && i + 1 < note.size() && note[i + 1] == '_';
    name += is_dash ? '-' : note[i];
    i += is_dash ? 1 : 0;
  }
  return name;
}

std::vector<UsdtNote> read_usdt_notes(const ElfFile& elf) {
  std::vector<UsdtNote> notes;
  const Result<ElfFile::Bytes> section = elf.section(".note.stapsdt", kMaxSectionBytes);
  if (!section.ok()) return notes;
  const std::uint64_t base = elf.section_address(".stapsdt.base");
  const std::string_view all(reinterpret_cast<const char*>(section->data()), section->size());
  for (const std::string_view body : notes_of(all, kStapsdt, kProbeNote, kMaxNotes)) {
    std::optional<UsdtNote> note = read_probe_note(body, base);
    if (note) notes.push_back(std::move(*note));
  }
  return notes;
}

}  // namespace dt::symbol
