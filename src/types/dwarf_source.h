#pragma once
// DWARF as a source of types: those of one object of a user program.
//
// At the first question the entries are walked once, and the named types of the
// units (and of C++ and Rust namespaces) are remembered by name. A type is
// imported when it is asked for or referred to; structs arrive without members.
// A declaration stands for its definition in another unit, where there is one.

#include <unordered_map>

#include "symbol/elf/file.h"
#include "types/catalog_state.h"
#include "types/dwarf.h"
#include "types/named_entries.h"

namespace dt::types {

// The sections of one file, held as long as its DWARF is read.
struct DwarfFile {
  symbol::ElfFile::Bytes info, abbrev, str, line_str, str_offsets;
  bool has_type_section = false;  // of DWARF 4, with -fdebug-types-section

  static Result<DwarfFile> read(const symbol::ElfFile& elf);
  DwarfSections sections() const { return {info, abbrev, str, line_str, str_offsets}; }
};

class DwarfSource : public Source {
 public:
  // `alt` holds what the file shares with others (dwz); its info is empty when
  // there is no such file.
  static Result<std::unique_ptr<Source>> make(std::string module, DwarfFile file, DwarfFile alt);

  std::string_view module() const override { return module_; }
  std::string error() const override { return error_; }
  std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) override;
  // A function that is alone with its name; parameters are as it declares them.
  std::optional<Object> find_object(Catalog& catalog, std::string_view name) override;
  std::optional<TypeId> of_entry(Catalog& catalog, std::uint64_t entry, bool in_shared) override;
  std::vector<std::string> names(Tag tag) override;
  void complete(Catalog& catalog, TypeId id) override;

 private:
  using Die = Dwarf::Die;
  struct Entry {
    DieRef ref;
    Tag tag = Tag::kNone;
    bool is_declaration = false;
    bool is_nested = false;  // in a namespace

    // One of C's or of the global namespace rather than of another.
    int rank() const { return (is_declaration ? 2 : 0) + (is_nested ? 1 : 0); }
    bool is_declared() const { return is_declaration; }
  };
  struct RefHash {
    std::size_t operator()(const DieRef& ref) const noexcept {
      return std::hash<std::uint64_t>()(ref.offset << 1 | (ref.in_alt ? 1 : 0));
    }
  };

  DwarfSource(std::string module, DwarfFile file, DwarfFile alt)
      : module_(std::move(module)), file_(std::move(file)), alt_(std::move(alt)) {}

  // dwarf_index.cc
  void index();
  void index_unit(const Dwarf::Unit& unit);
  void add_entry(const Die& die, bool is_nested);
  void add_function(const Die& die);
  std::optional<DieRef> definition(Tag tag, std::string_view name);
  bool differ(DieRef a, DieRef b) const;

  TypeId import(Catalog& catalog, std::optional<DieRef> ref, int depth);
  TypeId make_type(Catalog& catalog, const Die& die, int depth);
  TypeId make_base(Catalog& catalog, const Die& die) const;
  TypeId make_typedef(Catalog& catalog, const Die& die, int depth);
  TypeId make_aggregate(Catalog& catalog, const Die& die, int depth);
  TypeId make_enum(Catalog& catalog, const Die& die);
  TypeId make_array(Catalog& catalog, const Die& die, int depth);
  TypeId make_function(Catalog& catalog, const Die& die, int depth);
  Die whole(Die die) const;
  std::optional<Member> member(Catalog& catalog, const Die& die);
  void place_bits(const Catalog& catalog, const Die& die, Member& out) const;

  std::string module_;
  std::string error_;
  DwarfFile file_, alt_;
  std::unique_ptr<Dwarf> dwarf_;
  bool is_indexed_ = false;
  NamedEntries<Entry> entries_;
  std::unordered_multimap<std::string_view, DieRef> functions_;
  std::unordered_map<DieRef, TypeId, RefHash> types_;
  std::unordered_map<TypeId, DieRef> refs_;
};

}  // namespace dt::types
