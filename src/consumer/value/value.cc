// How each kind of field is shown.

#include "consumer/value/value.h"

#include <algorithm>
#include <cstring>

#include "consumer/value/fixed.h"
#include "record/kernel_stack.h"
#include "record/own_symbol.h"
#include "support/check.h"
#include "support/shown.h"
#include "symbol/process/process.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

constexpr std::size_t kRowColumns = 33;
constexpr std::size_t kKeyColumns = 50;
// Canonical addresses remembered before the table starts afresh.
constexpr std::size_t kMaxCanonical = 1U << 20;

// The widths are DTrace's, and scripts that cut its output into columns rely on them.
std::size_t int_columns(std::uint32_t size) {
  switch (size) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 8;
    default:
      return 16;
  }
}

bool is_symbolic(FieldKind kind) { return form_of(kind) == ValueForm::kSymbol; }

std::uint64_t tgid_of(const Value& value) {
  const std::uint64_t word = is_user(value.type->kind) ? load_u64(value.bytes, 0) : 0;
  return value.type->kind == FieldKind::kUaddr ? static_cast<std::uint32_t>(word) : word;
}

std::uint64_t address_of(const Value& value) {
  return load_u64(value.bytes, is_user(value.type->kind) ? 8 : 0);
}

bool is_stack(FieldKind kind) { return form_of(kind) == ValueForm::kFrames; }

void append_int(std::string& out, const Number& number, std::size_t columns) {
  if (number.is_signed) {
    append_signed(out, static_cast<std::int64_t>(number.bits), columns);
  } else {
    append_unsigned(out, number.bits, columns);
  }
}

// Without a format, numbers of 4 and 8 bytes print as %d and %lld print them in C, signed whatever
// their type is: so do other DTraces.
void append_default_int(std::string& out, Number number, bool quiet) {
  std::size_t columns = 0;
  if (!quiet) {
    out += ' ';
    columns = int_columns(number.size);
  }
  if (number.size == 4) {
    number.bits = static_cast<std::uint64_t>(static_cast<std::int32_t>(number.bits));
  }
  number.is_signed = number.is_signed || number.size >= 4;
  append_int(out, number, columns);
}

long double float_of(const Value& value) {
  switch (value.bytes.size()) {
    case 4: {
      float result = 0;
      std::memcpy(&result, value.bytes.data(), sizeof result);
      return result;
    }
    case 8: {
      double result = 0;
      std::memcpy(&result, value.bytes.data(), sizeof result);
      return result;
    }
    case 16: {
      long double result = 0;
      std::memcpy(&result, value.bytes.data(), std::min<std::size_t>(sizeof result, 16));
      return result;
    }
    default:
      return 0;
  }
}

}  // namespace

bool is_user(FieldKind kind) {
  return kind == FieldKind::kUaddr || kind == FieldKind::kUsym || kind == FieldKind::kUmod ||
         kind == FieldKind::kUstack;
}

FieldKind kind_of(const Value& value) {
  const FieldKind kind = value.type->kind;
  return kind == FieldKind::kUaddr ? record::own_kind_of(load_u64(value.bytes, 0)) : kind;
}

bool is_probe_part(FieldKind kind) {
  return kind == FieldKind::kProbeProv || kind == FieldKind::kProbeMod ||
         kind == FieldKind::kProbeFunc || kind == FieldKind::kProbeName;
}

std::size_t column_width(const record::FieldType& type) {
  return type.kind == FieldKind::kInt ? int_columns(type.size) : 16;
}

bool is_kernel_stack(const Value& value) {
  return value.type->kind == FieldKind::kStack || tgid_of(value) == record::kKernelStack;
}

std::uint64_t load_u64(Bytes bytes, std::size_t offset) {
  std::uint64_t result = 0;
  if (offset < bytes.size()) {
    std::memcpy(&result, bytes.data() + offset, std::min<std::size_t>(8, bytes.size() - offset));
  }
  return result;
}

ValueForm form_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInt:
      return ValueForm::kNumber;
    case FieldKind::kBytes:
      return ValueForm::kBytes;
    case FieldKind::kStack:
    case FieldKind::kUstack:
      return ValueForm::kFrames;
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return ValueForm::kSymbol;
    case FieldKind::kString:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return ValueForm::kText;
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
}

std::string type_name(const record::FieldType& type) {
  if (type.kind == FieldKind::kInt) {
    return fmt::format("{}int{}", type.is_signed ? "" : "u", type.size * 8);
  }
  return is_probe_part(type.kind) || is_named_number(type.kind) ? "string"
                                                                : record::kind_name(type.kind);
}

namespace {

template <typename Signed>
Number number_as(Bytes bytes, bool is_signed) {
  Signed value = 0;
  if (bytes.size() >= sizeof value) {
    std::memcpy(&value, bytes.data(), sizeof value);  // of a size that is known here: one load
  } else {
    value = static_cast<Signed>(load_u64(bytes, 0));
  }
  return {is_signed ? static_cast<std::uint64_t>(value)
                    : static_cast<std::make_unsigned_t<Signed>>(value),
          sizeof value, is_signed};
}

}  // namespace

Value value_of(const record::Field& field, Bytes record) {
  return {&field.type, record.subspan(field.offset, field.type.size)};
}

Number number_of(const Value& value) {
  const bool is_signed = value.type->kind == FieldKind::kInt && value.type->is_signed;
  switch (value.type->size) {
    case 1:
      return number_as<std::int8_t>(value.bytes, is_signed);
    case 2:
      return number_as<std::int16_t>(value.bytes, is_signed);
    case 4:
      return number_as<std::int32_t>(value.bytes, is_signed);
    default:
      return number_as<std::int64_t>(value.bytes, is_signed);
  }
}

FieldText::FieldText(const record::Schema& schema, symbol::Resolver& resolver,
                     const Options& options, const std::function<void(std::string_view)>& error)
    : schema_(schema),
      resolver_(resolver),
      options_(options),
      error_(error),
      number_names_(options.syscall_name) {}

void FieldText::append_foreign(std::string& out, std::string_view text) const {
  if (options_.to_terminal) {
    append_for_terminal(out, text);
  } else {
    out.append(text);
  }
}

void FieldText::append_name(std::string& out, std::string_view name) const {
  if (options_.exact_names) {
    out.append(name);
  } else {
    support::append_name(out, name);
  }
}

void FieldText::append_shown(std::string& out, const Value& value) {
  if (value.type->kind == FieldKind::kString || value.type->kind == FieldKind::kBytes) {
    append_foreign(out, c_string(value.bytes));
  } else {
    append_name(out, plain(value));
  }
}

// A provider of a process is not in the table of names: it is made of a stem and the process's
// number, "pid" and 1234.
std::string FieldText::probe_text(FieldKind kind, std::uint64_t id) const {
  if (kind == FieldKind::kProbeProv && (id & record::kOfProcess) != 0) {
    const std::uint64_t stem = (id & ~std::uint64_t{record::kOfProcess}) >> record::kStemShift;
    if (stem >= schema_.stems.size()) {
      return "<unknown>";
    }
    return fmt::format("{}{}", schema_.stems[stem], id & ((1U << record::kStemShift) - 1));
  }
  const record::ProbeNames* names =
      record::find_probe(schema_, ProbeId(static_cast<std::uint32_t>(id)));
  if (names == nullptr) {
    return "<unknown>";
  }
  switch (kind) {
    case FieldKind::kProbeProv:
      return names->provider;
    case FieldKind::kProbeMod:
      return names->module;
    case FieldKind::kProbeFunc:
      return names->function;
    default:
      return names->name;
  }
}

void FieldText::report_notice() {
  const std::string notice = resolver_.take_notice();
  if (!notice.empty()) {
    error_(notice);
  }
}

std::string FieldText::symbol_text(FieldKind kind, std::uint64_t tgid, std::uint64_t address,
                                   bool with_offset) {
  const auto pid = static_cast<std::int32_t>(tgid);
  std::string text;
  if (kind == FieldKind::kMod || kind == FieldKind::kUmod) {
    symbol::Symbol symbol;
    const bool found = kind == FieldKind::kMod ? resolver_.kernel(KernelAddr(address), symbol)
                                               : resolver_.user(pid, UserAddr(address), symbol);
    text = found ? symbol.module : fmt::format("0x{:x}", address);  // shown
  } else if (is_user(kind)) {
    text = symbol::user_text(resolver_, pid, UserAddr(address), with_offset);
  } else {
    text = symbol::kernel_text(resolver_, KernelAddr(address), with_offset);
  }
  report_notice();
  return text;
}

std::string FieldText::plain(const Value& value) {
  const FieldKind kind = value.type->kind;
  switch (kind) {
    case FieldKind::kInt: {
      std::string out;
      append_int(out, number_of(value), 0);
      return out;
    }
    case FieldKind::kString:
    case FieldKind::kBytes:
      return std::string(c_string(value.bytes));
    case FieldKind::kStack:
    case FieldKind::kUstack: {
      std::string out;
      append_stack(out, value, 0, nullptr);
      return out;
    }
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return symbol_text(kind, tgid_of(value), address_of(value), false);
    case FieldKind::kUaddr: {
      const FieldKind own = kind_of(value);
      return symbol_text(own, tgid_of(value), address_of(value), own == kind);
    }
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      return probe_text(kind, number_of(value).bits);
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return number_names_.name(kind, static_cast<std::int64_t>(number_of(value).bits));
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
}

void FieldText::append_stack(std::string& out, const Value& value, std::uint32_t indent,
                             const Piece* piece) {
  out += '\n';
  each_named_frame(value, [&](const NamedFrame& frame) {
    out.append(indent, ' ');
    std::string text;
    append_name(text, frame.text());
    if (piece != nullptr) {
      append_text(out, *piece, text);
    } else {
      out += text;
    }
    out += '\n';
  });
}

void FieldText::append_printm(std::string& out, Bytes bytes) const {
  append_bytes(out, bytes, kKeyColumns, options_.quiet);
}

void FieldText::append_bytes(std::string& out, Bytes bytes, std::size_t columns, bool quiet) const {
  const Look look = options_.raw_bytes ? Look::kBinary : look_of(bytes);
  if (look == Look::kBinary) {
    append_hex_dump(out, bytes);
    return;
  }
  std::string text;
  append_foreign(text, c_string(bytes));
  if (quiet && look == Look::kTerminated) {
    out += text;
    return;
  }
  out += "  ";
  append_padded(out, text, columns, true);
}

void FieldText::append_column(std::string& out, const Value& value) {
  std::string text;
  append_shown(text, value);
  out += ' ';
  append_padded(out, text, column_width(*value.type), false);
}

void FieldText::append_default(std::string& out, const Value& value, Place place) {
  const FieldKind kind = value.type->kind;
  const bool quiet = place == Place::kRow && options_.quiet;
  if (kind == FieldKind::kInt) {
    append_default_int(out, number_of(value), quiet);
    return;
  }
  if (is_stack(kind)) {
    append_stack(out, value, options_.stack_indent, nullptr);
    return;
  }
  if (kind == FieldKind::kBytes || (kind == FieldKind::kString && options_.raw_bytes)) {
    append_bytes(out, value.bytes, place == Place::kKey ? kKeyColumns : kRowColumns, quiet);
    return;
  }
  std::string text;
  append_shown(text, value);
  if (quiet && !is_symbolic(kind)) {
    out += text;
    return;
  }
  out += "  ";
  const bool wide = place == Place::kKey || is_symbolic(kind);
  append_padded(out, text, wide ? kKeyColumns : kRowColumns, true);
}

void FieldText::append_conversion(std::string& out, const Piece& piece, const Value& value) {
  const FieldKind kind = value.type->kind;
  if (piece.divisor != 0 && kind == FieldKind::kInt) {
    const Number number = number_of(value);
    append_fixed(out, piece,
                 {number.is_signed ? Quotient128{static_cast<std::int64_t>(number.bits)}
                                   : Quotient128{number.bits},
                  1});
    return;
  }
  // What nearly all conversions are: the output's speed is that of these.
  if (kind == FieldKind::kInt && is_integer_conversion(piece.conversion)) {
    append_number(out, piece, number_of(value));
    return;
  }
  if (kind == FieldKind::kString && piece.conversion == 's' && !options_.to_terminal) {
    append_text(out, piece, c_string(value.bytes));
    return;
  }
  if (is_stack(kind)) {
    // %k overrides the indentation: none, or the width of %-Nk.
    append_stack(out, value, piece.left ? static_cast<std::uint32_t>(piece.width) : 0,
                 piece.left ? nullptr : &piece);
    return;
  }
  if (is_float_conversion(piece.conversion) &&
      (kind == FieldKind::kInt || kind == FieldKind::kBytes)) {
    append_float(out, piece, float_of(value));
    return;
  }
  const bool is_address = piece.conversion == 'a' || piece.conversion == 'A';
  if (is_address && append_address(out, piece, value)) return;
  if (kind == FieldKind::kInt && piece.conversion == 'c') {
    std::string text;
    const auto c = static_cast<char>(number_of(value).bits);
    append_foreign(text, {&c, 1});
    append_padded(out, text, static_cast<std::size_t>(piece.width), piece.left);
    return;
  }
  if (kind == FieldKind::kInt) {
    append_number(out, piece, number_of(value));
    return;
  }
  if (is_symbolic(kind) &&
      std::string_view("diuoxXp").find(piece.conversion) != std::string_view::npos) {
    append_number(out, piece, Number{address_of(value), 8, false});
    return;
  }
  append_as_text(out, piece, value);
}

// %a is a name of the kernel and %A one of the process, unless the value says whose it is. A number
// has no process, so %A shows it as it is. False for values that are no addresses.
bool FieldText::append_address(std::string& out, const Piece& piece, const Value& value) {
  const FieldKind kind = value.type->kind;
  const bool from_user = is_user(kind) || piece.conversion == 'A';
  if (kind_of(value) != kind) {
    append_as_text(out, piece, value);
    return true;
  }
  if (is_symbolic(kind) || (kind == FieldKind::kInt && !from_user)) {
    std::string text;
    append_name(text, symbol_text(from_user ? FieldKind::kUaddr : FieldKind::kSym, tgid_of(value),
                                  address_of(value), true));
    append_text(out, piece, text);
    return true;
  }
  if (kind != FieldKind::kInt) return false;
  append_text(out, piece, fmt::format("0x{:x}", number_of(value).bits));
  return true;
}

// %s and its relatives: %I a host's name, %S a string as C writes it.
void FieldText::append_as_text(std::string& out, const Piece& piece, const Value& value) {
  std::string text;
  if (piece.conversion == 'I') {
    append_name(text, host_text(plain(value)));
  } else if (piece.conversion == 'S') {
    append_c_escaped(text, plain(value));
  } else {
    append_shown(text, value);
  }
  append_text(out, piece, text);
}

bool FieldText::is_named(const record::FieldType& type) {
  return is_stack(type.kind) || is_symbolic(type.kind) || is_named_number(type.kind);
}

void FieldText::learn(const Value& value) {
  if (is_stack(value.type->kind)) {
    each_named_frame(value, [](const NamedFrame&) {});
  } else if (is_named(*value.type)) {
    plain(value);
  }
}

std::size_t FieldText::PlaceHash::operator()(const Place64& place) const noexcept {
  std::uint64_t hash = place.address * 0x9e3779b97f4a7c15ULL;
  hash ^= (place.tgid + static_cast<std::uint64_t>(place.kind) * 0x100000001b3ULL) *
          0xc2b2ae3d27d4eb4fULL;
  return static_cast<std::size_t>(hash ^ (hash >> 29));
}

FieldText::Place64 FieldText::place_of(const Value& value) const {
  const FieldKind kind = kind_of(value);
  const bool symbolic = is_symbolic(kind);
  const std::uint64_t bits = symbolic ? address_of(value) : number_of(value).bits;
  return {kind, symbolic ? tgid_of(value) : 0, bits};
}

const std::string& FieldText::order_name(const Value& value) {
  const Place64 place = place_of(value);
  const auto known = names_.find(place);
  return known != names_.end() ? known->second : names_.emplace(place, plain(value)).first->second;
}

std::uint64_t FieldText::canonical(const Value& value) {
  const Place64 place = place_of(value);
  const std::uint64_t bits = place.address;
  if (place.kind == FieldKind::kUaddr) return bits;
  const auto known = canonical_.find(place);
  if (known != canonical_.end()) {
    return known->second;
  }
  // Tables of equal texts must not forget one without the other.
  if (canonical_.size() >= kMaxCanonical) {
    canonical_.clear();
    names_.clear();
  }
  const bool is_module = place.kind == FieldKind::kMod || place.kind == FieldKind::kUmod;
  const std::string text = plain(value);
  if (is_module) names_.insert_or_assign(place, text);
  std::uint64_t result = bits;
  if (!text.starts_with("0x")) {  // what has no name equals only itself
    std::string name = fmt::format("{} {} {}", static_cast<unsigned>(place.kind), place.tgid, text);
    result = first_.try_emplace(std::move(name), bits).first->second;
  }
  canonical_.emplace(place, result);
  return result;
}

}  // namespace dt::consumer
