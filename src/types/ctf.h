#pragma once
// A bounded view of CTF, the Compact C Type Format: dictionaries of types, alone or in an archive.
// Nothing here trusts the bytes: every offset is checked, and what cannot be read is reported or
// absent.
//
//   preamble: magic, version, flags | header: where the sections begin | the sections, perhaps
//   compressed: labels, objects, functions, (indices, variables,) types, strings
//
// Three forms are read, which differ in the width of numbers and in the order of a member's:
//
//   0xcff1, version 2   Solaris, illumos and FreeBSD: types have numbers of 16 bits
//   0xcff1, version 3   FreeBSD: 32 bits
//   0xdff2, version 4   GNU, which calls it version 3: 32 bits, slices, more sections
//
// Sources: ctf(5) of illumos, the definitions of FreeBSD's <sys/ctf.h>, "The CTF File Format" of
// GNU binutils.
//
// Types have no numbers of their own: the first of a dictionary is 1. A child refers to types of
// its parent by those, and to its own with the highest bit set.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.h"

namespace dt::types {

enum class CtfKind : std::uint8_t {
  kUnknown,
  kInteger,
  kFloat,
  kPointer,
  kArray,
  kFunction,
  kStruct,
  kUnion,
  kEnum,
  kForward,
  kTypedef,
  kVolatile,
  kConst,
  kRestrict,
  kSlice,
};
constexpr std::uint32_t kCtfKinds = 15;

// The name of the source of what ctf_writer.h writes.
constexpr std::string_view kCtfOfOurs = "dtrace";

// How numbers are written.
struct CtfForm {
  bool is_wide = false;  // 32 bits
  bool is_gnu = false;
};

class Ctf {
 public:
  using Bytes = std::span<const std::uint8_t>;

  struct Record {
    CtfKind kind = CtfKind::kUnknown;
    bool is_root = false;     // may be found by name
    bool is_large = false;    // its members have offsets of 64 bits
    std::uint32_t name = 0;   // string
    std::uint32_t type = 0;   // referred to; of a forward, its kind
    std::uint64_t size = 0;   // bytes
    std::uint32_t count = 0;  // entries that follow
    std::size_t entries = 0;  // where they begin in the type section
  };
  struct Member {
    std::uint32_t name = 0, type = 0;
    std::uint64_t bit_offset = 0;
  };
  struct Array {
    std::uint32_t element = 0, count = 0;
  };
  // The bits of the storage that an integer or a slice uses.
  struct Encoding {
    std::uint32_t format = 0;  // flags of an integer, kind of a float
    std::uint32_t bit_offset = 0, bits = 0;
  };
  static constexpr std::uint32_t kSigned = 1, kChar = 2, kBool = 4;  // of integers
  static constexpr std::uint32_t kSingle = 1, kDouble = 2, kLongDouble = 6;

  // `bytes` must outlive it unless they are compressed. `budget` bounds what is decompressed, and
  // is reduced by that. A damaged tail ends the types: those before it stay usable.
  static Result<std::unique_ptr<Ctf>> parse(Bytes bytes, std::uint64_t& budget);

  const CtfForm& form() const { return form_; }
  const std::string& damage() const { return damage_; }
  // Whether strings and symbols of the file around it are those of .dynstr and .dynsym.
  bool uses_dynamic_symbols() const { return uses_dynamic_symbols_; }
  // The strings of the file around it; they must outlive it.
  void set_external_strings(Bytes strings) { external_strings_ = strings; }

  // The dictionary that a child refers to; empty for others.
  std::string_view parent() const { return string(parent_name_); }
  // What GNU's has as the name of its source.
  std::string_view unit() const { return string(unit_name_); }
  // The bit that a child's own types have.
  std::uint32_t child_bit() const { return form_.is_wide ? 0x80000000u : 0x8000u; }

  std::uint32_t count() const { return static_cast<std::uint32_t>(offsets_.size()); }
  // The record of a type of its own, 1 .. count(); kUnknown for others.
  Record at(std::uint32_t index) const;
  std::string_view string(std::uint32_t reference) const;

  Member member(const Record& record, std::uint32_t index) const;
  Array array(const Record& record) const;
  std::uint32_t argument(const Record& record, std::uint32_t index) const;
  std::pair<std::uint32_t, std::int32_t> enumerator(const Record& record,
                                                    std::uint32_t index) const;
  Encoding encoding(const Record& record) const;  // of an integer, a float or a slice
  std::uint32_t sliced(const Record& record) const;

  // The section that gives symbols of functions their types, in numbers of the form's width.
  std::uint32_t function_length() const;
  std::uint32_t function_number(std::uint32_t at) const;
  // Whether these are numbers of types, and not, as before GNU's, their parts.
  bool has_function_types() const { return has_function_types_; }
  // An encoded kind and count, as that section has them.
  std::pair<CtfKind, std::uint32_t> info(std::uint32_t number) const;
  // The names of their symbols; without, they are those of the symbol table.
  std::uint32_t function_name_count() const;
  std::string_view function_name(std::uint32_t at) const;

 private:
  Ctf() = default;
  Status read_header(Bytes bytes, std::uint64_t& budget);
  void walk();
  Record decode(std::size_t at) const;
  std::size_t entry_bytes(const Record& record) const;
  std::uint32_t word(std::size_t at) const;  // of the type section
  std::uint32_t half(std::size_t at) const;
  std::uint32_t id(std::size_t at) const { return form_.is_wide ? word(at) : half(at); }
  std::size_t id_bytes() const { return form_.is_wide ? 4 : 2; }

  CtfForm form_;
  bool uses_dynamic_symbols_ = false, has_function_types_ = false;
  std::vector<std::uint8_t> inflated_;
  Bytes functions_, function_names_, types_, strings_, external_strings_;
  std::uint32_t parent_name_ = 0, unit_name_ = 0;
  std::vector<std::uint32_t> offsets_;  // of types, by number - 1
  std::string damage_;
};

// The dictionaries of a file: one, or those of an archive with their names. They refer to `bytes`.
struct CtfDictionary {
  std::string name;
  std::unique_ptr<Ctf> ctf;
};
Result<std::vector<CtfDictionary>> read_ctf(Ctf::Bytes bytes);

}  // namespace dt::types
