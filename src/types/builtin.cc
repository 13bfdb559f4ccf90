// The types that exist without any source: C's base types as x86-64 and arm64
// Linux have them (LP64), the typedefs that D scripts use freely, and D's own.
//
// `char` is signed on x86-64; the sizes are those of LP64: int 4, long 8, pointers 8. D's own types
// (string, stack, symbols) are here, too, although no value of C has them.

#include "types/catalog_state.h"

namespace dt::types {
namespace {

struct Base {
  const char* name;
  Kind kind;
  std::uint32_t size;
  bool is_signed;
};

// Canonical spellings; see canonical_base_name.
constexpr Base kBases[] = {
    {"char", Kind::kInt, 1, true},
    {"signed char", Kind::kInt, 1, true},
    {"unsigned char", Kind::kInt, 1, false},
    {"short", Kind::kInt, 2, true},
    {"unsigned short", Kind::kInt, 2, false},
    {"int", Kind::kInt, 4, true},
    {"unsigned int", Kind::kInt, 4, false},
    {"long", Kind::kInt, 8, true},
    {"unsigned long", Kind::kInt, 8, false},
    {"long long", Kind::kInt, 8, true},
    {"unsigned long long", Kind::kInt, 8, false},
    {"_Bool", Kind::kInt, 1, false},
    {"float", Kind::kFloat, 4, true},
    {"double", Kind::kFloat, 8, true},
    {"long double", Kind::kFloat, 16, true},
};

struct Alias {
  const char* name;
  const char* base;
};

constexpr Alias kTypedefs[] = {
    {"int8_t", "signed char"},
    {"int16_t", "short"},
    {"int32_t", "int"},
    {"int64_t", "long"},
    {"uint8_t", "unsigned char"},
    {"uint16_t", "unsigned short"},
    {"uint32_t", "unsigned int"},
    {"uint64_t", "unsigned long"},
    {"intptr_t", "long"},
    {"uintptr_t", "unsigned long"},
    {"size_t", "unsigned long"},
    {"ssize_t", "long"},
    {"ptrdiff_t", "long"},
    {"off_t", "long"},
    {"loff_t", "long long"},
    {"off64_t", "long"},
    {"pid_t", "int"},
    {"zoneid_t", "int"},
    {"uid_t", "unsigned int"},
    {"gid_t", "unsigned int"},
    {"id_t", "int"},
    {"dev_t", "unsigned int"},  // the kernel's, not the C library's
    {"mode_t", "unsigned int"},
    {"umode_t", "unsigned short"},
    {"key_t", "int"},
    {"clockid_t", "int"},
    {"timer_t", "int"},
    {"time_t", "long"},
    {"hrtime_t", "long long"},
    {"clock_t", "long"},
    {"bool", "_Bool"},
    {"uchar_t", "unsigned char"},
    {"ushort_t", "unsigned short"},
    {"uint_t", "unsigned int"},
    {"ulong_t", "unsigned long"},
    {"u_char", "unsigned char"},
    {"u_short", "unsigned short"},
    {"u_int", "unsigned int"},
    {"u_long", "unsigned long"},
    {"longlong_t", "long long"},
    {"u_longlong_t", "unsigned long long"},
    {"s8", "signed char"},
    {"s16", "short"},
    {"s32", "int"},
    {"s64", "long long"},
    {"u8", "unsigned char"},
    {"u16", "unsigned short"},
    {"u32", "unsigned int"},
    {"u64", "unsigned long long"},
    {"__s8", "signed char"},
    {"__s16", "short"},
    {"__s32", "int"},
    {"__s64", "long long"},
    {"__u8", "unsigned char"},
    {"__u16", "unsigned short"},
    {"__u32", "unsigned int"},
    {"__u64", "unsigned long long"},
};

TypeId add_named(Catalog::State& state, Type type) {
  auto& names = state.names[static_cast<std::size_t>(Tag::kNone)];
  std::string name = type.name;
  const TypeId id = state.add(std::move(type));
  names.emplace(std::move(name), id);
  return id;
}

void add_bases(Catalog::State& state) {
  auto& names = state.names[static_cast<std::size_t>(Tag::kNone)];
  for (const Base& base : kBases) {
    const std::string_view name = base.name;
    Type type;
    type.kind = base.kind;
    type.name = name;
    type.size = base.size;
    type.is_signed = base.is_signed;
    type.is_bool = name == "_Bool";
    type.is_char = name == "char" || name == "signed char" || name == "unsigned char";
    add_named(state, std::move(type));
  }
  const char* const by_size[4][2] = {{"unsigned char", "char"},
                                     {"unsigned short", "short"},
                                     {"unsigned int", "int"},
                                     {"unsigned long", "long"}};
  for (std::size_t log = 0; log < 4; ++log) {
    for (std::size_t is_signed = 0; is_signed < 2; ++is_signed) {
      state.integers[log][is_signed] =
          names.find(std::string_view(by_size[log][is_signed]))->second;
    }
  }
  state.char_type = state.integers[0][1];
}

void add_typedefs(Catalog::State& state) {
  auto& names = state.names[static_cast<std::size_t>(Tag::kNone)];
  for (const Alias& alias : kTypedefs) {
    Type type;
    type.kind = Kind::kTypedef;
    type.name = alias.name;
    type.target = names.find(std::string_view(alias.base))->second;
    type.size = state.types[type.target.value].size;
    add_named(state, std::move(type));
  }
  Type caddr;  // caddr_t is char *
  caddr.kind = Kind::kPointer;
  caddr.size = 8;
  caddr.target = state.char_type;
  const TypeId pointer = state.add(std::move(caddr));
  state.pointers.emplace(state.char_type, pointer);
  Type type;
  type.kind = Kind::kTypedef;
  type.name = "caddr_t";
  type.target = pointer;
  type.size = 8;
  add_named(state, std::move(type));
}

}  // namespace

void add_builtin_types(Catalog::State& state) {
  Type type;
  type.kind = Kind::kVoid;
  type.name = "void";
  state.types.push_back(type);  // TypeId 0, "no type"
  state.void_type = add_named(state, type);
  add_bases(state);
  add_typedefs(state);

  type = {};
  type.kind = Kind::kString;
  type.name = "string";
  state.string_type = add_named(state, type);
  type.kind = Kind::kStack;
  type.name = "stack";
  state.stack_type = add_named(state, type);
  type.size = 8;
  type.kind = Kind::kSymbol;
  type.name = "_symaddr";
  state.symbol_type = add_named(state, type);
  type.kind = Kind::kUserSymbol;
  type.name = "_usymaddr";
  type.size = 16;  // process and address
  state.user_symbol_type = add_named(state, type);
}

std::string canonical_base_name(std::string_view name) {
  int longs = 0, shorts = 0, chars = 0, ints = 0, sign = 0, unsign = 0, floats = 0, doubles = 0;
  std::size_t words = 0;
  while (!name.empty()) {
    const std::size_t start = name.find_first_not_of(" \t");
    if (start == std::string_view::npos) break;
    name.remove_prefix(start);
    const std::size_t end = std::min(name.find_first_of(" \t"), name.size());
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(end);
    int* const counter = word == "long"       ? &longs
                         : word == "short"    ? &shorts
                         : word == "char"     ? &chars
                         : word == "int"      ? &ints
                         : word == "signed"   ? &sign
                         : word == "unsigned" ? &unsign
                         : word == "float"    ? &floats
                         : word == "double"   ? &doubles
                                              : nullptr;
    if (counter == nullptr || ++*counter > (counter == &longs ? 2 : 1)) return {};
    ++words;
  }
  if (words == 0 || sign + unsign > 1) return {};
  const bool plain = sign + unsign + shorts + chars + ints == 0;
  if (floats == 1) return plain && longs + doubles == 0 ? "float" : "";
  if (doubles == 1) {
    if (!plain || longs > 1) return {};
    return longs == 1 ? "long double" : "double";
  }
  if (chars == 1) {
    if (shorts + longs + ints > 0) return {};
    return sign == 1 ? "signed char" : unsign == 1 ? "unsigned char" : "char";
  }
  if (shorts == 1 && longs > 0) return {};
  const char* const base = shorts == 1  ? "short"
                           : longs == 2 ? "long long"
                           : longs == 1 ? "long"
                                        : "int";
  return unsign == 1 ? std::string("unsigned ") + base : base;
}

}  // namespace dt::types
