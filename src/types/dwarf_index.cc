// The named types of a file's DWARF.

#include <algorithm>
#include <utility>

#include "types/dwarf_source.h"

namespace dt::types {
namespace {

// Of the sections of one file together.
constexpr std::uint64_t kMaxEntriesBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxEntries = std::size_t{16} << 20;
// Passes arguments in registers of its own.
constexpr std::uint64_t kLanguageGo = 0x16;

std::optional<Tag> tag_of(DwTag tag) {
  switch (tag) {
    case DwTag::kStructureType:
    case DwTag::kClassType:
      return Tag::kStruct;
    case DwTag::kUnionType:
      return Tag::kUnion;
    case DwTag::kEnumerationType:
      return Tag::kEnum;
    case DwTag::kTypedef:
    case DwTag::kBaseType:
      return Tag::kNone;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<DwarfFile> DwarfFile::read(const symbol::ElfFile& elf) {
  DwarfFile file;
  std::uint64_t left = kMaxEntriesBytes;
  for (const auto& [name, to] : {std::pair{".debug_info", &file.info},
                                 {".debug_abbrev", &file.abbrev},
                                 {".debug_str", &file.str},
                                 {".debug_line_str", &file.line_str},
                                 {".debug_str_offsets", &file.str_offsets}}) {
    DT_ASSIGN(*to, elf.section(name, left));
    left -= to->size();
  }
  file.has_type_section = elf.has(".debug_types");
  return file;
}

Result<std::unique_ptr<Source>> DwarfSource::make(std::string module, DwarfFile file,
                                                  DwarfFile alt) {
  // The sections must stay where they are, so the source is made first.
  std::unique_ptr<DwarfSource> source(
      new DwarfSource(std::move(module), std::move(file), std::move(alt)));
  std::unique_ptr<Dwarf> shared;
  if (!source->alt_.info.empty()) {
    DT_ASSIGN(shared, Dwarf::parse(source->alt_.sections()));
  }
  DT_ASSIGN(source->dwarf_, Dwarf::parse(source->file_.sections(), std::move(shared)));
  if (source->file_.has_type_section) {
    source->error_ = source->module_ + ": types in .debug_types are not read";
  }
  if (!source->dwarf_->damage().empty()) {
    source->error_ = source->module_ + ": DWARF: " + source->dwarf_->damage();
  }
  return std::unique_ptr<Source>(std::move(source));
}

void DwarfSource::index() {
  if (is_indexed_) return;
  is_indexed_ = true;
  for (const Dwarf::Unit& unit : dwarf_->units()) index_unit(unit);
  if (const Dwarf* const shared = dwarf_->alt()) {
    for (const Dwarf::Unit& unit : shared->units()) index_unit(unit);
  }
}

// Enters the children of the unit and of its namespaces; what is within functions and classes has
// no name here. No index of the file is used (.debug_names, .gdb_index): most files have none, and
// one walk over the outermost entries is fast, as sibling references skip all others.
void DwarfSource::index_unit(const Dwarf::Unit& unit) {
  const Dwarf& own = *unit.dwarf;
  std::optional<Die> die = own.first(unit);
  if (!die) return;
  if (die->is_split) {
    error_ = module_ + ": its types stand in separate .dwo files, which are not read";
  }
  const bool has_own_calls = die->language == kLanguageGo;
  std::size_t depth = 0;
  do {
    if (die->tag == DwTag::kNone) {
      if (depth == 0 || --depth == 0) return;
      die = own.following(*die);
      continue;
    }
    if (depth > 0) add_entry(*die, depth > 1);
    if (depth == 1 && !has_own_calls) add_function(*die);
    const bool enters = die->has_children && (depth == 0 || die->tag == DwTag::kNamespace);
    if (enters) ++depth;
    die = enters ? own.following(*die) : own.after(*die);
  } while (die && depth > 0 && entries_.size() < kMaxEntries);
}

void DwarfSource::add_entry(const Die& die, bool is_nested) {
  const std::optional<Tag> tag = tag_of(die.tag);
  if (!tag) return;
  std::string_view name = die.name;
  if (name.empty() && die.specification) {  // a definition apart from its declaration
    if (const auto declared = dwarf_->at(*die.specification)) name = declared->name;
  }
  if (name.empty()) return;
  Entry entry;
  entry.ref = DieRef{die.offset, die.unit->dwarf != dwarf_.get()};
  entry.tag = *tag;
  entry.is_declaration = die.is_declaration;
  entry.is_nested = is_nested;
  entries_.emplace(name, entry);
}

void DwarfSource::add_function(const Die& die) {
  if (die.tag != DwTag::kSubprogram || die.name.empty() || die.is_declaration) return;
  if (functions_.size() >= kMaxEntries) return;
  functions_.emplace(die.name, DieRef{die.offset, die.unit->dwarf != dwarf_.get()});
}

std::optional<Object> DwarfSource::find_object(Catalog& catalog, std::string_view name) {
  index();
  // Static functions of several files may share a name, and the symbol does not tell which it is. A
  // wrong prototype would give wrong values without a message, so none is given.
  const auto [first, last] = functions_.equal_range(name);
  if (first == last || std::next(first) != last) return std::nullopt;
  const auto [known, is_new] = types_.try_emplace(first->second);
  if (is_new) {
    const std::optional<Die> die = dwarf_->at(first->second);
    const TypeId made = die ? make_function(catalog, *die, 0) : catalog.void_type();
    types_[first->second] = made;
    return Object{made};
  }
  return Object{known->second};
}

std::optional<TypeId> DwarfSource::of_entry(Catalog& catalog, std::uint64_t entry, bool in_shared) {
  const DieRef ref{entry, in_shared};
  if (!dwarf_->at(ref)) return std::nullopt;
  index();  // what is declared in one unit may be defined in another
  return catalog.userland(import(catalog, ref, 0));
}

// Whether two definitions of one name are of different types. Each compilation unit that includes a
// header has its own copy of the header's types: usually all copies are equal, and any of them will
// do. Where two source files define different structures of one name, a script cannot say which it
// means, and is refused.
bool DwarfSource::differ(DieRef a, DieRef b) const {
  const auto x = dwarf_->at(a);
  const auto y = dwarf_->at(b);
  if (!x || !y || x->tag != y->tag || x->byte_size != y->byte_size) return true;
  if (x->tag == DwTag::kTypedef) {
    // Through what they name; a typedef of a typedef is believed.
    if (x->type.has_value() != y->type.has_value()) return true;
    if (!x->type) return false;
    const auto s = dwarf_->at(*x->type);
    const auto t = dwarf_->at(*y->type);
    return !s || !t || s->tag != t->tag || s->name != t->name || s->byte_size != t->byte_size;
  }
  std::vector<std::pair<std::string_view, std::optional<std::uint64_t>>> members[2];
  const Die* const sides[] = {&*x, &*y};
  for (std::size_t i = 0; i < 2; ++i) {
    dwarf_->for_children(*sides[i], [&](const Die& child) {
      if (child.tag == DwTag::kMember || child.tag == DwTag::kEnumerator) {
        members[i].emplace_back(child.name, child.location);
      }
      return members[i].size() < kMaxVisits;
    });
  }
  return members[0] != members[1];
}

// The definition of a name: one of C's or of the global namespace rather than of
// another, and a declaration where there is nothing else.
std::optional<DieRef> DwarfSource::definition(Tag tag, std::string_view name) {
  index();
  bool is_ambiguous = false;
  const Entry* const found = one_of_name(
      entries_, tag, name,
      [](DieRef a, DieRef b) { return a.in_alt != b.in_alt ? b.in_alt : a.offset < b.offset; },
      [this](DieRef a, DieRef b) { return differ(a, b); }, is_ambiguous);
  if (is_ambiguous) error_ = fmt::format("{} has different types of the name {}", module_, name);
  return found == nullptr || is_ambiguous ? std::nullopt : std::optional(found->ref);
}

std::vector<std::string> DwarfSource::names(Tag tag) {
  index();
  return names_of(entries_, tag);
}

std::optional<TypeId> DwarfSource::find(Catalog& catalog, Tag tag, std::string_view name) {
  const std::optional<DieRef> ref = definition(tag, name);
  if (!ref) return std::nullopt;
  return catalog.userland(import(catalog, ref, 0));
}

}  // namespace dt::types
