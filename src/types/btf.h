#pragma once
// A bounded view of BTF, the kernel's compact type format (the kernel's
// Documentation/bpf/btf.rst). Nothing here trusts the bytes: every offset is
// checked, and what cannot be read is reported or absent.
//
//   header | type section: records, numbered from 1 | string section
//   record = name_off, info (kind, vlen, flag), size or type; then per kind
//
// Records have no index. They are walked when one is asked for, only as far as
// is needed, and where each begins is kept: what scripts ask for is mostly in
// the first tenth of a kernel's hundred thousand types.
//
// The BTF of a kernel module is *split*: its ids and string offsets continue
// those of a base (vmlinux), whose types and strings it refers to.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/result.h"
#include "types/btf_index.h"

namespace dt::types {

enum class BtfKind : std::uint8_t {
  kVoid,
  kInt,
  kPtr,
  kArray,
  kStruct,
  kUnion,
  kEnum,
  kFwd,
  kTypedef,
  kVolatile,
  kConst,
  kRestrict,
  kFunc,
  kFuncProto,
  kVar,
  kDatasec,
  kFloat,
  kDeclTag,
  kTypeTag,
  kEnum64,
};

class Btf {
 public:
  struct Record {
    BtfKind kind = BtfKind::kVoid;
    bool flag = false;          // bit-field struct, union forward, signed enum
    std::uint32_t name = 0;     // string offset
    std::uint32_t size = 0;     // bytes, or the type referred to
    std::uint32_t count = 0;    // entries that follow
    std::size_t entries = 0;    // where they begin in the type section
    const Btf* home = nullptr;  // whose type section
  };

  // `bytes` must outlive the Btf. A damaged tail ends the types: those before
  // it stay usable, and damage() says what is wrong. `base`, for split BTF, must
  // outlive it and stay where it is.
  static Result<Btf> parse(std::span<const std::uint8_t> bytes, const Btf* base = nullptr);

  // The bytes of an index; nullopt where the records are damaged, or continue those of a base.
  std::optional<std::string> make_index() const;
  // Answers from the index of these bytes, which must outlive the Btf.
  void use(const BtfIndex& index) { index_ = &index; }

  // The first id of its own; 1 but for split BTF.
  std::uint32_t first_id() const { return first_id_; }
  // Both walk all records, unless there is an index: nothing is damaged then.
  std::uint32_t type_count() const;  // with 0 and those of the base
  const std::string& damage() const;

  // The record of a type; kVoid for 0 and for ids out of range.
  Record at(std::uint32_t id) const;
  // The words of an enumerator in a record of this kind, of which the first is its name; 0: there
  // are none.
  static std::size_t enumerator_words(BtfKind kind) {
    return kind == BtfKind::kEnum ? 2 : kind == BtfKind::kEnum64 ? 3 : 0;
  }
  // Word `index` of a record's entries; 0 beyond the section.
  std::uint32_t word(const Record& record, std::size_t index) const;
  // The string at `offset`; empty when it is out of range.
  std::string_view string(std::uint32_t offset) const;

  // Where a name is among the strings; nullopt: nothing has it.
  std::optional<std::uint32_t> string_offset(std::string_view name) const;

  // The first id of its own for which `accept(kind)` holds and whose name is
  // `name`.
  template <typename Accept>
  std::optional<std::uint32_t> find(std::string_view name, Accept accept) const {
    if (name.empty()) return std::nullopt;
    if (const auto ids = index_ == nullptr ? std::nullopt : index_->types_named(name)) {
      for (const std::uint32_t id : *ids) {
        const Record record = at(id);
        if (accept(record.kind) && string(record.name) == name) return id;
      }
      return std::nullopt;
    }
    const std::optional<std::uint32_t> offset = string_offset(name);
    if (!offset) return std::nullopt;
    for (std::uint32_t i = 0; i < offsets_.size() || walk(); ++i) {
      if (load(offsets_[i]) == *offset && accept(kind_at(offsets_[i]))) return first_id_ + i;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t load(std::size_t at) const;
  BtfKind kind_at(std::size_t at) const;
  std::optional<std::size_t> record_bytes(std::size_t at, std::uint32_t id) const;
  // Where the record of a type of its own begins in the type section.
  std::optional<std::size_t> position(std::uint32_t id) const;
  std::optional<std::size_t> indexed_position(std::uint32_t id) const;
  bool walk() const;
  bool is_walked(std::uint32_t id) const;
  std::uint32_t walked_count() const {
    return first_id_ + static_cast<std::uint32_t>(offsets_.size());
  }

  std::span<const std::uint8_t> types_, strings_;
  const Btf* base_ = nullptr;
  std::uint32_t first_id_ = 1, first_string_ = 0;
  // What has been walked. Callers see no change when it grows.
  mutable std::vector<std::uint32_t> offsets_;  // by id - first_id_
  mutable std::size_t next_ = 0;                // the record that follows
  mutable std::string damage_;
  const BtfIndex* index_ = nullptr;
  // What has been walked from places of the index: where the records of a group begin.
  using Group = std::array<std::uint32_t, BtfIndex::kStride>;
  mutable std::unordered_map<std::uint32_t, Group> groups_;
};

}  // namespace dt::types
