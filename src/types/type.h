#pragma once
// C types as D sees them.
//
// A Catalog owns immutable Types and hands out TypeIds. Types come from the
// built-in set, lazily from sources (the kernel's BTF; later DWARF, CTF), and
// from the script's own declarations. Nothing is read from a source before a
// name or a member that only it has is asked for.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "types/type_id.h"

namespace dt::types {

enum class Kind : std::uint8_t {
  kVoid,
  kInt,  // size, is_signed; _Bool and char too
  kFloat,
  kPointer,  // target
  kArray,    // target, count
  kStruct,
  kUnion,
  kEnum,
  kFunction,    // target = return type, members = parameters
  kTypedef,     // target
  kForward,     // struct or union that is declared only
  kString,      // D's string
  kStack,       // D's stack
  kSymbol,      // D's _symaddr
  kUserSymbol,  // D's _usymaddr
};

struct Member {
  std::string name;  // empty for an anonymous struct or union
  TypeId type;
  std::uint32_t bit_offset = 0;
  std::uint32_t bit_size = 0;  // 0 = not a bit-field
};

struct Enumerator {
  std::string name;
  std::int64_t value;
};

struct Type {
  Kind kind = Kind::kVoid;
  std::string name;         // tag or typedef name; may be empty
  std::uint32_t size = 0;   // bytes
  std::uint32_t align = 0;  // bytes; 0: not said, it follows from the rest
  bool is_signed = false;   // kInt, kEnum
  bool is_bool = false;
  bool is_char = false;
  bool is_union_forward = false;  // kForward
  bool is_userland = false;       // objects of this type live in user memory (D's userland)
  bool is_const = false;
  bool is_per_cpu = false;   // the kernel's __percpu
  bool is_variadic = false;  // kFunction
  TypeId target;
  std::uint32_t count = 0;  // kArray; of stacks and symbols, the form of Catalog::recorded()
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;
};

enum class Tag : std::uint8_t { kNone, kStruct, kUnion, kEnum };  // kNone: typedef or base name

// A variable or a function of a kernel module or program.
struct Object {
  TypeId type;  // kFunction for a function
  bool is_per_cpu = false;
};

// An enumerator, in the enumeration that has it.
struct EnumeratorPlace {
  TypeId enumeration;
  std::int64_t value = 0;
};

// A place that types can be read from. Called by the Catalog only.
class Catalog;
class Source {
 public:
  virtual ~Source() = default;
  // The module this source speaks of: "vmlinux", a kernel module, an object of a
  // program ("a.out", "libc.so.6").
  virtual std::string_view module() const = 0;
  // Imports the named type into the catalogue; nullopt when it has none.
  virtual std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) = 0;
  // The type of a variable or function; nullopt when it is not described.
  virtual std::optional<Object> find_object(Catalog&, std::string_view) { return std::nullopt; }
  // Every enumeration that has an enumerator of this name.
  virtual std::vector<EnumeratorPlace> find_enumerators(Catalog&, std::string_view) { return {}; }
  // The names of all of them, for suggestions; they live as long as the source.
  virtual std::vector<std::string_view> enumerator_names() { return {}; }
  // Its own number of a type: see Catalog::number.
  virtual std::uint32_t number(Tag, std::string_view) { return 0; }
  virtual std::uint32_t function_number(std::string_view) { return 0; }
  // function_number() is going to be asked for it: may be found out meanwhile.
  virtual void expect_function(std::string_view) {}
  // The names of its types, for suggestions.
  virtual std::vector<std::string> names(Tag) { return {}; }
  // Gives a struct or union that was added by Catalog::add_incomplete its
  // members, with Catalog::define.
  virtual void complete(Catalog& catalog, TypeId id) = 0;
  // Why find() finds nothing at all ("open /sys/kernel/btf/vmlinux: No such
  // file or directory"); "" while nothing is wrong.
  virtual std::string error() const { return {}; }
  // The type that an entry of its DWARF describes, by where the entry begins; `in_shared`: in the
  // file that it shares with others.
  virtual std::optional<TypeId> of_entry(Catalog&, std::uint64_t, bool /*in_shared*/) {
    return std::nullopt;
  }
};

// Opens sources by the name of their module, when a script names one.
class Library {
 public:
  virtual ~Library() = default;
  // nullptr when there is no such module.
  virtual std::unique_ptr<Source> open(std::string_view module) = 0;
  // What can be opened.
  virtual std::vector<std::string> modules() const = 0;
  // Whether these are modules of the kernel, where a name without a module may
  // be looked for; the objects of a program are only asked when they are named.
  virtual bool is_kernel() const = 0;
};

// All types that a script can name: those of C, its own, and those of the kernel and of programs,
// which are read when they are asked for.
//
// A question does not change what the catalogue means, so questions are const; answering one can
// read a file and add nodes. A Catalog is therefore not for several threads, even if all of them
// only ask. A TypeId stays valid as long as the catalogue, and so does the reference that at()
// returns.
//
class Catalog {
 public:
  Catalog();
  ~Catalog();
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  void add_source(std::unique_ptr<Source> source);
  void add_library(std::unique_ptr<Library> library);

  // The type's own node, of which struct members are completed on demand. `at()` of a typedef is
  // the typedef; most callers want resolved(). head() does not read a structure's members: use it
  // where only kind, name or size matter, as reading the members of one structure imports the types
  // of all of them.
  const Type& at(TypeId id) const;
  // With typedefs resolved.
  const Type& resolved(TypeId id) const;
  TypeId resolve(TypeId id) const;
  std::uint32_t size_of(TypeId id) const;  // bytes; completes nothing
  const Type& head(TypeId id) const;       // resolved, but its members may be missing

  TypeId void_type() const;
  TypeId integer(std::uint32_t size, bool is_signed) const;  // char, short, int, long
  TypeId char_type() const;                                  // "char": 1 byte, signed
  TypeId string_type() const;
  TypeId stack_type() const;
  TypeId symbol_type() const;
  TypeId user_symbol_type() const;
  // A stack or a symbol that a variable can hold: `form` is the language's own word for what the
  // bytes are.
  TypeId recorded(Kind kind, std::uint32_t form, std::uint32_t size);
  TypeId pointer_to(TypeId target);
  TypeId array_of(TypeId element, std::uint32_t count);
  TypeId userland(TypeId type);
  TypeId constant(TypeId type);  // const-qualified
  TypeId per_cpu(TypeId type);
  TypeId add(Type type);  // a new node
  // A struct or union whose members `source` gives when they are asked for.
  TypeId add_incomplete(Type type, Source& source);
  // Replaces a node: a struct's members, a forward by its definition.
  void define(TypeId id, Type type);
  bool is_completed(TypeId id) const;  // it was a forward, and was defined

  // `module` empty = any. Base names ("unsigned long", "uint64_t", "pid_t",
  // "task_struct" with Tag::kStruct). Built-in and declared names first.
  std::optional<TypeId> find(Tag tag, std::string_view name, std::string_view module = {}) const;
  // A built-in or declared name; asks no source.
  std::optional<TypeId> find_declared(Tag tag, std::string_view name) const;
  // Every kernel module that has it, opening them all.
  struct Place {
    std::string module;
    TypeId type;
  };
  std::vector<Place> find_in_modules(Tag tag, std::string_view name) const;
  // The type of a variable or function of a module.
  std::optional<Object> find_object(std::string_view name, std::string_view module) const;
  // The type that an entry of a module's DWARF describes (Source::of_entry).
  std::optional<TypeId> of_entry(std::uint64_t entry, bool in_shared,
                                 std::string_view module) const;
  // Every enumeration of a module that has an enumerator of this name; only BTF is searched.
  std::vector<EnumeratorPlace> find_enumerators(std::string_view name,
                                                std::string_view module) const;
  // Whether there is such a module; "C" and "D" are.
  bool has_module(std::string_view module) const;
  // What exists, for suggestions.
  std::vector<std::string> module_names() const;
  std::vector<std::string> type_names(Tag tag, std::string_view module) const;
  std::vector<std::string_view> enumerator_names(std::string_view module) const;
  // The number that a module's BTF gives a type or a function: by this number a
  // caller names it to the kernel. 0 if it has none of that name.
  std::uint32_t number(Tag tag, std::string_view name, std::string_view module) const;
  std::uint32_t function_number(std::string_view name, std::string_view module) const;
  // Begins to look for a function's number in a thread of its own.
  void expect_function(std::string_view name, std::string_view module) const;
  // Why a source could not be read, one line each; "" when all could.
  std::string errors() const;
  // Whether the names that the script declares count: not where a D library or what is
  // built in means a type. Returns how it was.
  bool hide_script(bool hides);
  // Declares a name, of the script unless that is hidden; false when it is taken by
  // another type.
  bool declare(Tag tag, std::string_view name, TypeId type);
  // The same for a name that another type has until now.
  void redeclare(Tag tag, std::string_view name, TypeId type);

  struct Found {
    TypeId type;
    std::uint32_t bit_offset = 0;  // from the start of the outer type
    std::uint32_t bit_size = 0;
  };
  // A member by name, through anonymous members.
  std::optional<Found> member(TypeId aggregate, std::string_view name) const;
  std::vector<std::string_view> member_names(TypeId aggregate) const;

  // As C writes it: "struct task_struct *", "int [3]", "char".
  std::string name(TypeId id) const;
  // The same around a name: "int x[3]".
  std::string declaration(TypeId id, std::string name) const;
  // The types that the script declares, or those that came from a source until
  // now, as C. A type whose members were never used is only declared.
  std::string c_text(bool of_script) const;
  bool same(TypeId a, TypeId b) const;  // structurally compatible, typedefs resolved

  struct State;  // catalog_state.h

 private:
  std::unique_ptr<State> state_;
};

// Hides the names of the script, or shows them, until its end.
class ScriptNames {
 public:
  ScriptNames(Catalog& catalog, bool hides)
      : catalog_(catalog), before_(catalog.hide_script(hides)) {}
  ~ScriptNames() { catalog_.hide_script(before_); }
  ScriptNames(const ScriptNames&) = delete;
  ScriptNames& operator=(const ScriptNames&) = delete;

 private:
  Catalog& catalog_;
  bool before_;
};

// The running kernel's types from /sys/kernel/btf/vmlinux (or `path`), opened
// at the first question. An absent file is an error only then: see errors().
std::unique_ptr<Source> kernel_btf_source(std::string path = "/sys/kernel/btf/vmlinux");

// The same, and those of the kernel's modules, each opened when it is named.
void add_kernel_types(Catalog& catalog, const std::string& directory = "/sys/kernel/btf");

}  // namespace dt::types
