#pragma once
// What a Catalog is made of; for the files of this directory that build it.
//
// Nodes live in a deque, so that a `const Type&` stays valid while more types
// arrive. A node may be incomplete: then `pending` says who gives its members.

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "types/type.h"

namespace dt::types {

// Limits on walks over types, which malformed input may have tied in knots.
constexpr int kMaxDepth = 64;
constexpr int kMaxVisits = 4096;

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>()(text);
  }
};
using NameMap = std::unordered_map<std::string, TypeId, StringHash, std::equal_to<>>;

struct Catalog::State {
  // For writers of a whole catalogue.
  static const State& of(const Catalog& catalog) { return *catalog.state_; }

  struct Pending {
    Source* source = nullptr;  // set: the source completes this very node
    TypeId original;           // set: a qualified copy, complete when this one is
  };

  explicit State(Catalog& catalog) : self(catalog) {}

  // The catalogue of this state. A question about a type is const, as its answer was fixed when the
  // source was added; it may have to be read from the source first, which adds nodes by `self`.
  Catalog& self;
  std::deque<Type> types;   // [0] stands for "no type"
  NameMap names[4];         // by Tag: built-in, and declared by D libraries
  NameMap script_names[4];  // declared by the script; they come first
  bool hides_script = false;
  // Structures whose members have not been needed yet. An entry is removed before its members are
  // read, because reading them may lead back to this structure.
  std::unordered_map<TypeId, Pending> pending;
  std::unordered_map<TypeId, TypeId> pointers;          // target -> pointer
  std::unordered_map<std::uint64_t, TypeId> arrays;     // target and count
  std::map<std::uint64_t, TypeId> recorded;             // form and size
  std::unordered_map<std::uint64_t, TypeId> qualified;  // type and qualifiers
  std::unordered_set<TypeId> completed;                 // see Catalog::is_completed()
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::unique_ptr<Library>> libraries;
  // What libraries have opened, by module; null: none has it.
  std::map<std::string, std::unique_ptr<Source>, std::less<>> modules;

  // The source of a module, opened now if need be; nullptr if there is no such module.
  Source* source_of(std::string_view module);
  // Also what was not found: the answer for a name cannot change, as sources are added before the
  // first question.
  std::unordered_map<std::string, TypeId> found[4];  // by Tag: "module`name", 0: not found
  std::uint32_t builtin_count = 0;                   // the types before it are built in
  TypeId void_type, char_type, string_type, stack_type, symbol_type, user_symbol_type;
  TypeId integers[4][2];  // by log2(size) and signedness

  TypeId add(Type type);
};

// "long unsigned int" and every other order that C allows, as one spelling
// ("unsigned long"); empty when `name` is no base type of C.
std::string canonical_base_name(std::string_view name);

// Fills a new Catalog with the types that need no source.
void add_builtin_types(Catalog::State& state);

}  // namespace dt::types
