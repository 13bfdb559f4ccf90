#pragma once
// Fields -> text: the bytes of one field, and how each kind of field is shown
// without and with a printf conversion.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "consumer/output/options.h"
#include "consumer/value/format.h"
#include "consumer/value/number_names.h"
#include "consumer/value/text.h"
#include "record/aggregation_source.h"
#include "record/field.h"
#include "record/schema.h"
#include "support/source.h"
#include "symbol/resolve/resolver.h"

namespace dt::consumer {

struct Value {
  const record::FieldType* type = nullptr;
  Bytes bytes;  // type->size of them
};

// The value of a field in a record.
Value value_of(const record::Field& field, Bytes record);
// Sign- or zero-extended; sizes other than 1, 2, 4, 8 give the first 8 bytes.
Number number_of(const Value& value);
// The columns of a number in the default format by its size, 16 for the rest.
std::size_t column_width(const record::FieldType& type);
// Fields that begin with a process id: ustack, uaddr, usym, umod.
bool is_user(record::FieldKind kind);
// What the value is shown as: the kind of its type, or its own (record/own_symbol.h).
record::FieldKind kind_of(const Value& value);
// Whether the frames of a stack are the kernel's.
bool is_kernel_stack(const Value& value);
// probeprov, probemod, probefunc, probename: recorded as the probe's id.
bool is_probe_part(record::FieldKind kind);
std::uint64_t load_u64(Bytes bytes, std::size_t offset);

// What structured output makes of a field.
enum class ValueForm : std::uint8_t { kNumber, kBytes, kFrames, kSymbol, kText };
ValueForm form_of(record::FieldKind kind);
// The name of its type there: "int32", "stack", "string".
std::string type_name(const record::FieldType& type);

// Calls each(address) for the frames of a stack, from the innermost.
template <typename Each>
void each_frame(const Value& stack, const Each& each) {
  for (std::size_t at = is_user(stack.type->kind) ? 8 : 0; at + 8 <= stack.bytes.size(); at += 8) {
    const std::uint64_t address = load_u64(stack.bytes, at);
    if (address == 0) {
      return;
    }
    each(address);
  }
}

// A frame of a stack, with what is known of it.
struct NamedFrame {
  std::uint64_t address = 0;
  symbol::Symbol symbol;
  // Its path; empty when it is not known, or not asked for. Functions of Python have it always.
  std::string file;
  std::uint32_t line = 0;
  bool is_inlined = false;  // into the next one

  // "mod`sym+0x1f at file.c:12", "mod`sym (inlined) at file.h:3"
  std::string text() const;
};

// The columns of the default formats: rows use 33 and drop them when quiet,
// aggregation keys use 50 always.
enum class Place : std::uint8_t { kRow, kKey };

class FieldText {
 public:
  FieldText(const record::Schema& schema, symbol::Resolver& resolver, const Options& options,
            const std::function<void(std::string_view)>& error);

  // A key in a column, right-justified: of agghist and aggpack.
  void append_column(std::string& out, const Value& value);
  // The default output of one value.
  void append_default(std::string& out, const Value& value, Place place);
  // printm(): bytes as text when they are text, otherwise dumped.
  void append_printm(std::string& out, Bytes bytes) const;
  // One printf conversion (%@ apart).
  void append_conversion(std::string& out, const Piece& piece, const Value& value);
  // The value alone, as %s shows it: never escaped, no padding.
  std::string plain(const Value& value);
  // A string that was recorded: escaped for a terminal.
  void append_foreign(std::string& out, std::string_view text) const;
  // A name in a traced file: always escaped, but where it is to be exact.
  void append_name(std::string& out, std::string_view name) const;

  // The frames of a stack, from the innermost: those that were recorded, and, where that
  // is asked for, what was inlined before the one that has its code.
  void each_named_frame(const Value& stack, const std::function<void(NamedFrame&)>& each);

  // Whether values of the type are shown by names that are looked up.
  static bool is_named(const record::FieldType& type);
  // Looks up all that any form of output can show of it.
  void learn(const Value& value);
  // The names of users and groups, instead of this machine's.
  void name_accounts_with(NumberNames::Account name) { number_names_.name_accounts_with(name); }

  // The value by which keys that print equal are one key: the first address
  // seen in the same symbol or module, the first probe with the same part.
  std::uint64_t canonical(const Value& value);
  // plain() of a key that is ordered by its name, which is looked up once.
  const std::string& order_name(const Value& value);

 private:
  // The value as %s shows it, in the one way or the other.
  void append_shown(std::string& out, const Value& value);

  struct Place64 {
    record::FieldKind kind;
    std::uint64_t tgid;
    std::uint64_t address;
    bool operator==(const Place64&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place64& place) const noexcept;
  };

  void append_stack(std::string& out, const Value& value, std::uint32_t indent, const Piece* piece);
  bool append_address(std::string& out, const Piece& piece, const Value& value);
  void append_as_text(std::string& out, const Piece& piece, const Value& value);
  void name_frame(std::int32_t pid, bool is_return, NamedFrame& frame);
  void add_source(std::int32_t pid, std::uint64_t address,
                  const std::function<void(NamedFrame&)>& each);
  void add_named(std::int32_t pid, std::uint64_t address, bool is_return,
                 const std::function<void(NamedFrame&)>& each);
  std::string symbol_text(record::FieldKind kind, std::uint64_t tgid, std::uint64_t address,
                          bool with_offset);
  std::string probe_text(record::FieldKind kind, std::uint64_t id) const;
  void append_bytes(std::string& out, Bytes bytes, std::size_t columns, bool quiet) const;
  void report_notice();
  Place64 place_of(const Value& value) const;

  const record::Schema& schema_;
  symbol::Resolver& resolver_;
  const Options& options_;
  const std::function<void(std::string_view)>& error_;
  std::unordered_map<Place64, std::uint64_t, PlaceHash> canonical_;
  std::unordered_map<Place64, std::string, PlaceHash> names_;  // of those that are ordered by them
  std::unordered_map<std::string, std::uint64_t> first_;
  NumberNames number_names_;
};

}  // namespace dt::consumer
