#pragma once
// CTF as a source of types: those of one object of a user program.
//
// The dictionaries are walked when the source is made, and their names are remembered at the first
// question. A type is imported when it is asked for or referred to; structs arrive without
// members. A declaration stands for its definition, where there is one; a name that several
// dictionaries define in different ways is refused.

#include <unordered_map>

#include "symbol/elf/file.h"
#include "types/catalog_state.h"
#include "types/ctf.h"
#include "types/named_entries.h"

namespace dt::types {

// The sections of one file, held as long as its CTF is read.
struct CtfFile {
  // GCC before version 14 writes the sizes of arrays of arrays from the inside out: int x[2][3] as
  // three of int[2].
  enum class ArrayOrder : std::uint8_t { kAsInC, kReversed, kUnknown };

  symbol::ElfFile::Bytes ctf;
  symbol::ElfFile::Bytes symbols, strings;                  // .symtab
  symbol::ElfFile::Bytes dynamic_symbols, dynamic_strings;  // .dynsym
  ArrayOrder array_order = ArrayOrder::kAsInC;

  // Empty when the file has no CTF.
  static Result<CtfFile> read(const symbol::ElfFile& elf);
};

// By whom a file was compiled, as its section .comment says.
CtfFile::ArrayOrder array_order_of(std::string_view comment);

class CtfSource : public Source {
 public:
  static Result<std::unique_ptr<Source>> make(std::string module, CtfFile file);

  std::string_view module() const override { return module_; }
  std::string error() const override { return error_; }
  std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) override;
  // A function that is alone with its name.
  std::optional<Object> find_object(Catalog& catalog, std::string_view name) override;
  std::vector<std::string> names(Tag tag) override;
  void complete(Catalog& catalog, TypeId id) override;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Dictionary {
    std::unique_ptr<Ctf> ctf;
    std::size_t parent = kNone;  // index of the dictionary; kNone: it has none, or lost it
    bool is_child = false;
  };
  // A type: of which dictionary, and its number there.
  struct Ref {
    std::size_t dictionary = kNone;
    std::uint32_t index = 0;
    bool operator==(const Ref&) const = default;
  };
  struct RefHash {
    std::size_t operator()(const Ref& ref) const noexcept {
      return std::hash<std::uint64_t>()(ref.dictionary << 32 | ref.index);
    }
  };
  struct Entry {
    Ref ref;
    Tag tag = Tag::kNone;
    bool is_root = false, is_forward = false;

    // What may be found by name comes first, and a definition before a declaration.
    int rank() const { return (is_forward ? 2 : 0) + (is_root ? 0 : 1); }
    bool is_declared() const { return is_forward; }
  };
  // Where the type of a function is described: in a type, or in the section of functions.
  struct Function {
    std::size_t dictionary = kNone;  // kNone: several have the name
    std::uint32_t at = 0;
  };

  CtfSource(std::string module, CtfFile file)
      : module_(std::move(module)), file_(std::move(file)) {}
  Status open();
  void index();

  // ctf_functions.cc
  void index_functions();
  void index_functions(std::size_t dictionary, const std::vector<std::string_view>& symbols);
  void add_function(std::string_view name, Function function);
  std::vector<std::string_view> symbols_of(const Ctf& ctf) const;
  TypeId make_listed_function(Catalog& catalog, const Function& function);

  Ref resolve(std::size_t dictionary, std::uint32_t id) const;
  Ctf::Record record(const Ref& ref) const;
  std::optional<Ref> definition(Tag tag, std::string_view name);
  bool differ(const Ref& a, const Ref& b) const;
  TypeId import(Catalog& catalog, std::size_t dictionary, std::uint32_t id, int depth);
  TypeId import(Catalog& catalog, const Ref& ref, int depth);
  TypeId make_type(Catalog& catalog, const Ref& ref, int depth);
  TypeId make_integer(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const;
  TypeId make_float(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const;
  TypeId make_array(Catalog& catalog, const Ref& ref, int depth);
  TypeId make_enum(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const;
  TypeId make_forward(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record, int depth);
  TypeId make_function(Catalog& catalog, std::size_t dictionary, std::uint32_t result,
                       std::span<const std::uint32_t> arguments, int depth);
  std::optional<Member> member(Catalog& catalog, const Ref& of, const Ctf::Member& from);

  std::string module_;
  std::string error_;
  CtfFile file_;
  std::vector<Dictionary> dictionaries_;
  bool is_indexed_ = false, has_functions_ = false;
  NamedEntries<Entry> entries_;
  std::unordered_map<std::string_view, Function> functions_;
  std::unordered_map<Ref, TypeId, RefHash> types_;
  std::unordered_map<TypeId, Ref> refs_;
};

}  // namespace dt::types
