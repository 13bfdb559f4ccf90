// The types of a file's functions, as its CTF has them: by the names of symbols, or in the order
// of the symbol table.

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "types/ctf_source.h"

namespace dt::types {
namespace {

constexpr std::size_t kMaxFunctions = std::size_t{4} << 20;
constexpr std::uint32_t kMaxListed = 1 << 12;  // arguments

std::string_view name_of(const symbol::ElfFile::Bytes& strings, std::uint32_t at) {
  if (at >= strings.size()) return {};
  const auto* const text = reinterpret_cast<const char*>(strings.data()) + at;
  const std::size_t size = ::strnlen(text, strings.size() - at);
  return size == strings.size() - at ? std::string_view() : std::string_view(text, size);
}

}  // namespace

// The symbols that have a place in the section of functions: functions of the file with a name. GNU
// leaves out those without a value. In the older forms, the section has no names of its own: its
// entries are those of the symbol table's functions, in their order. Both sides must leave out the
// same symbols, or every type behind the first difference is that of another function.
std::vector<std::string_view> CtfSource::symbols_of(const Ctf& ctf) const {
  const bool is_dynamic = ctf.uses_dynamic_symbols() || file_.symbols.empty();
  const symbol::ElfFile::Bytes& table = is_dynamic ? file_.dynamic_symbols : file_.symbols;
  const symbol::ElfFile::Bytes& strings = is_dynamic ? file_.dynamic_strings : file_.strings;
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, table.data() + at, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    if (symbol.st_name == 0 || (ctf.form().is_gnu && symbol.st_value == 0)) continue;
    const std::string_view name = name_of(strings, symbol.st_name);
    if (name == "_START_" || name == "_END_") continue;
    if (names.size() == kMaxFunctions) break;
    names.push_back(name);
  }
  return names;
}

void CtfSource::add_function(std::string_view name, Function function) {
  if (name.empty() || functions_.size() >= kMaxFunctions) return;
  // Static functions of several files may share a name, and it does not tell which is meant.
  const auto [known, is_new] = functions_.try_emplace(name, function);
  if (!is_new) known->second.dictionary = kNone;
}

void CtfSource::index_functions() {
  if (has_functions_) return;
  has_functions_ = true;
  for (std::size_t i = 0; i < dictionaries_.size(); ++i) {
    const Ctf& ctf = *dictionaries_[i].ctf;
    if (ctf.form().is_gnu && !ctf.has_function_types()) continue;
    if (ctf.function_length() == 0) continue;
    if (ctf.function_name_count() == 0) {
      index_functions(i, symbols_of(ctf));
      continue;
    }
    for (std::uint32_t at = 0; at < ctf.function_name_count(); ++at) {
      if (ctf.function_number(at) != 0) add_function(ctf.function_name(at), {i, at});
    }
  }
}

// In the order of symbols. If there are more entries than symbols, or parts that do not end with
// the last symbol, the table is another than that which the section was made for.
void CtfSource::index_functions(std::size_t dictionary,
                                const std::vector<std::string_view>& symbols) {
  const Ctf& ctf = *dictionaries_[dictionary].ctf;
  std::vector<std::uint32_t> places;
  std::uint32_t at = 0;
  while (at < ctf.function_length()) {
    places.push_back(at);
    if (ctf.form().is_gnu) {
      ++at;
      continue;
    }
    // Before GNU's form, an entry is the word of a record (kind and count), the type of the result,
    // and the types of the arguments; a symbol whose type is unknown has one word, 0.
    const auto [kind, count] = ctf.info(ctf.function_number(at));
    if (kind != CtfKind::kUnknown && kind != CtfKind::kFunction) return;
    at += kind == CtfKind::kFunction ? 2 + count : 1;
  }
  // Their section may be filled up with zeros to the beginning of the next.
  if (!ctf.form().is_gnu && places.size() == symbols.size() + 1) places.pop_back();
  const bool fits =
      ctf.form().is_gnu ? places.size() <= symbols.size() : places.size() == symbols.size();
  if (!fits) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (ctf.function_number(places[i]) != 0) add_function(symbols[i], {dictionary, places[i]});
  }
}

TypeId CtfSource::make_listed_function(Catalog& catalog, const Function& function) {
  const Ctf& ctf = *dictionaries_[function.dictionary].ctf;
  if (ctf.form().is_gnu) {
    return import(catalog, function.dictionary, ctf.function_number(function.at), 0);
  }
  const std::uint32_t count =
      std::min(ctf.info(ctf.function_number(function.at)).second, kMaxListed);
  std::vector<std::uint32_t> arguments(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    arguments[i] = ctf.function_number(function.at + 2 + i);
  }
  return make_function(catalog, function.dictionary, ctf.function_number(function.at + 1),
                       arguments, 0);
}

std::optional<Object> CtfSource::find_object(Catalog& catalog, std::string_view name) {
  index_functions();
  const auto found = functions_.find(name);
  if (found == functions_.end() || found->second.dictionary == kNone) return std::nullopt;
  const TypeId type = make_listed_function(catalog, found->second);
  return catalog.at(type).kind == Kind::kFunction ? std::optional(Object{type}) : std::nullopt;
}

}  // namespace dt::types
