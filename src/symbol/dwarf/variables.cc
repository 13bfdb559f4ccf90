// Where variables are.
//
// The entry of a function has those of its parameters and variables as children; those of a block
// are in the block, whose entry has the code that it covers. Where each is: dwarf/locations.h.

#include "symbol/dwarf/variables.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "symbol/elf/demangle.h"

namespace dt::symbol {
namespace {

enum : std::uint16_t {
  kFormalParameter = 0x05,
  kLabel = 0x0a,
  kLexicalBlock = 0x0b,
  kInlinedSubroutine = 0x1d,
  kSubprogram = 0x2e,
  kVariable = 0x34,
  kNamespace = 0x39,
};
enum : std::uint64_t {
  kLocation = 0x02,
  kDeclFile = 0x3a,
  kDeclLine = 0x3b,
  kFrameBase = 0x40,
  kEntryPc = 0x52
};
constexpr std::size_t kMaxBlocks = 4096, kMaxVariables = 2000;

// Of one name, the innermost, which is the last. One of the caller and one of a function that
// begins there may both be meant, so neither is.
void leave_innermost(std::vector<DwarfVariable>& all) {
  std::vector<DwarfVariable> out;
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const DwarfVariable& inner) {
      return inner.name == all[i].name;
    });
    if (same == out.end()) {
      out.push_back(std::move(all[i]));
    } else if (same->inlined != all[i].inlined) {
      same->location = {};
    }
  }
  std::reverse(out.begin(), out.end());
  all = std::move(out);
}

}  // namespace

struct DwarfVariables::Entry {
  std::uint16_t tag = 0;
  bool has_children = false, is_declaration = false;
  std::optional<std::uint32_t> file;  // of the source; since DWARF 5, 0 is one
  std::uint32_t line = 0;
  std::uint64_t language = 0;
  DwarfValue name, linkage_name, low, high, ranges, location, frame_base, entry_pc, constant;
  std::optional<DwarfRef> type, origin;
};

struct DwarfVariables::Reading {
  const DwarfUnit& unit;
  std::shared_ptr<const DwarfAbbreviations> table;
  std::span<const std::uint8_t> bytes;
  DwarfCursor cursor;
};

DwarfVariables::DwarfVariables(std::shared_ptr<const ElfFile> debug,
                               std::shared_ptr<const ElfFile> alt)
    : units_(debug, std::move(alt)), locations_(units_, debug) {}

bool DwarfVariables::decode(Reading& reading, Entry& out) const {
  out = {};
  const auto begin = [&](std::uint16_t tag, bool has_children) {
    out.tag = tag;
    out.has_children = has_children;
    return true;
  };
  const auto each = [&](std::uint64_t attribute, const DwarfValue& value) {
    const auto refer = [&](std::optional<DwarfRef>& to) {
      to = reference(reading.unit, value, units_.is_alt());
    };
    if (attribute == kLocation) out.location = value;
    if (attribute == kFrameBase) out.frame_base = value;
    if (attribute == kEntryPc) out.entry_pc = value;
    if (attribute == kDeclFile) out.file = narrow(value.number);
    if (attribute == kDeclLine) out.line = narrow(value.number);
    switch (static_cast<DwarfAttribute>(attribute)) {
      case DwarfAttribute::kName:
        out.name = value;
        break;
      case DwarfAttribute::kLinkageName:
      case DwarfAttribute::kMipsLinkageName:
        out.linkage_name = value;
        break;
      case DwarfAttribute::kConstValue:
        out.constant = value;
        break;
      case DwarfAttribute::kType:
        refer(out.type);
        break;
      case DwarfAttribute::kLanguage:
        out.language = value.number;
        break;
      case DwarfAttribute::kAbstractOrigin:
      case DwarfAttribute::kSpecification:
        refer(out.origin);
        break;
      case DwarfAttribute::kDeclaration:
        out.is_declaration = value.number != 0;
        break;
      case DwarfAttribute::kLowPc:
        out.low = value;
        break;
      case DwarfAttribute::kHighPc:
        out.high = value;
        break;
      case DwarfAttribute::kRanges:
        out.ranges = value;
        break;
      default:
        break;
    }
  };
  return read_entry(reading.cursor, reading.unit.widths, *reading.table, begin, each);
}

bool DwarfVariables::holds(const DwarfUnit& unit, const Entry& entry, std::uint64_t address) {
  CodeEntry code;
  code.low = entry.low;
  code.high = entry.high;
  code.ranges = entry.ranges;
  bool found = false;
  units_.for_ranges(unit, code, [&](std::uint64_t begin, std::uint64_t end) {
    found = found || (address >= begin && address < end);
  });
  return found;
}

// Of an inlined function, and of a definition apart from its declaration, the name and the type are
// those of another entry.
DwarfVariable DwarfVariables::variable(const Reading& reading, Entry entry, const Entry& function,
                                       std::uint64_t address) {
  DwarfVariable out;
  out.is_parameter = entry.tag == kFormalParameter;
  out.location = locations_.at(reading.unit, entry.location, function.frame_base, address);
  const bool has_location = entry.location.kind != DwarfValue::Kind::kNothing;
  out.name = units_.text(reading.unit, entry.name);
  // The entries that it is made of may each have a part; with link-time optimization they are in
  // other units.
  constexpr int kMostOrigins = 4;
  const DwarfUnit* unit = &reading.unit;
  for (int i = 0; i < kMostOrigins; ++i) {
    if (!out.type) out.type = entry.type;
    if (out.name.empty()) out.name = units_.text(*unit, entry.name);
    if (out.symbol.empty()) out.symbol = units_.text(*unit, entry.linkage_name);
    if (!has_location && out.location.kind == VariableLocation::Kind::kUnknown) {
      out.location = DwarfLocations::constant(entry.constant);
    }
    if (!entry.origin || entry.origin->in_alt) break;
    unit = units_.holding(entry.origin->offset);
    if (unit == nullptr || !read(*unit, entry.origin->offset, entry)) break;
  }
  return out;
}

// The entry at an offset of .debug_info.
bool DwarfVariables::read(const DwarfUnit& unit, std::uint64_t offset, Entry& out) {
  if (offset < unit.first) return false;
  const auto bytes = units_.entries(unit, origin_room_);
  Reading reading{unit, units_.table(unit), bytes,
                  DwarfCursor(bytes, offset - unit.first, bytes.size())};
  return decode(reading, out);
}

std::vector<DwarfVariable> DwarfVariables::at(std::uint64_t address, std::string_view inlined) {
  std::vector<DwarfVariable> out;
  const DwarfUnit* const unit = units_.at_code(address);
  if (unit == nullptr) return out;
  ElfFile::Bytes room;
  const auto bytes = units_.entries(*unit, room);
  Reading reading{*unit, units_.table(*unit), bytes, DwarfCursor(bytes, 0, bytes.size())};
  struct Open {
    bool has_address = false;   // whether the address is in this entry
    std::uint32_t inlined = 0;  // as DwarfVariable has it
  };
  std::vector<Open> open(1);  // the entries around
  std::uint32_t met = 0;      // how many inlined functions
  bool is_reached = false;    // the inlined function that is meant
  std::size_t within = 0;     // how many of them are open when the function is
  std::size_t least = 0;      // how many are, at least, where a variable counts
  Entry entry, function;
  while (!reading.cursor.at_end() && out.size() < kMaxVariables && decode(reading, entry)) {
    if (entry.tag == 0) {
      if (open.size() <= 1 || open.size() == within) break;
      open.pop_back();
      continue;
    }
    bool is_here = false;
    const bool is_around = open.back().has_address;
    std::uint32_t of = open.back().inlined;
    if (entry.tag == kSubprogram && within == 0) {
      is_here = holds(*unit, entry, address);
      if (is_here) function = entry;
    } else if (is_around && (entry.tag == kLexicalBlock || entry.tag == kInlinedSubroutine)) {
      const bool is_inlined = entry.tag == kInlinedSubroutine;
      const bool is_meant = is_inlined && !is_reached && !inlined.empty() && entry.origin &&
                            units_.name_of(*entry.origin) == inlined &&
                            begin_of(*unit, entry) == address;
      // One that was optimized away has a beginning, and no code. Within the one that is meant,
      // another may begin at the same address.
      is_here = is_meant || (holds(*unit, entry, address) && !(is_inlined && is_reached));
      if (is_here && is_inlined) of = ++met;
      // Where its code begins, the line may be its own or its caller's.
      if (is_here && is_inlined && (is_meant || holds(*unit, entry, address - 1))) {
        out.clear();
        least = open.size() + 1;
      }
      is_reached = is_reached || is_meant;
    } else if (is_around && open.size() >= least &&
               (entry.tag == kFormalParameter || entry.tag == kVariable) && !entry.is_declaration) {
      out.push_back(variable(reading, entry, function, address));
      out.back().inlined = of;
      // Beside its caller's variables, those of an inlined function are parameters of neither.
      if (of != 0 && least == 0) out.back().is_parameter = false;
    }
    if (!entry.has_children) continue;
    if (open.size() >= kMaxBlocks) break;
    open.push_back({is_here, of});
    if (is_here && within == 0) within = open.size();
  }
  if (!inlined.empty() && !is_reached) out.clear();
  leave_innermost(out);
  return out;
}

// Calls each(reading, entry, file, within) for what is outside of functions and types, in all
// units; within: the namespaces around it, "heap::deep::", or around its declaration.
template <typename Each>
void DwarfVariables::for_outermost(const Each& each) {
  for (std::size_t i = 0; i < units_.count(); ++i) {
    const DwarfUnit& unit = units_.at(i);
    ElfFile::Bytes room;
    const auto bytes = units_.entries(unit, room);
    Reading reading{unit, units_.table(unit), bytes, DwarfCursor(bytes, 0, bytes.size())};
    std::string file;
    std::vector<bool> open;  // whether the entry around is a unit or a namespace
    std::vector<std::string> within = {""};
    std::map<std::uint64_t, std::string> declared;  // within what, by the offset
    for (Entry entry; !reading.cursor.at_end();) {
      const std::uint64_t offset = unit.first + reading.cursor.at();
      if (!decode(reading, entry)) break;
      if (entry.tag == 0) {
        if (open.size() <= 1) break;
        open.pop_back();
        within.pop_back();
        continue;
      }
      const bool is_root = open.empty();
      if (is_root) file = units_.text(unit, entry.name);
      const bool is_outermost = !is_root && open.back();
      if (is_outermost && entry.is_declaration) declared.emplace(offset, within.back());
      const auto of = entry.origin ? declared.find(entry.origin->offset) : declared.end();
      if (is_outermost) {
        each(reading, entry, file, of == declared.end() ? within.back() : of->second);
      }
      if (!entry.has_children) {
        if (is_root) break;
        continue;
      }
      if (open.size() >= kMaxBlocks) break;
      const bool is_namespace = is_outermost && entry.tag == kNamespace;
      open.push_back(is_root || is_namespace);
      within.push_back(within.back() +
                       (is_namespace ? units_.text(unit, entry.name) + "::" : std::string()));
    }
  }
}

// Calls each(variable, file, within) for the variables among these.
template <typename Each>
void DwarfVariables::for_outside(const Each& each) {
  for_outermost([&](const Reading& reading, const Entry& entry, const std::string& file,
                    const std::string& within) {
    const bool is_somewhere = entry.location.kind != DwarfValue::Kind::kNothing ||
                              entry.constant.kind != DwarfValue::Kind::kNothing;
    if (entry.tag != kVariable || entry.is_declaration || !is_somewhere) return;
    each(variable(reading, entry, {}, 0), file, within);
  });
}

std::vector<DwarfVariable> DwarfVariables::outside(std::string_view name) {
  std::vector<DwarfVariable> out;
  const bool is_qualified = name.find("::") != std::string_view::npos;
  // Of one that other files cannot use, g++ says no symbol.
  const auto is_called = [&](const DwarfVariable& one, const std::string& within) {
    if (!is_qualified) return one.name == name;
    const std::vector<std::string> names = source_names(one.symbol);
    const std::string whole = "::" + within + one.name;
    return std::find(names.begin(), names.end(), name) != names.end() ||
           (one.symbol.empty() && whole.ends_with("::" + std::string(name)));
  };
  for_outside([&](DwarfVariable found, const std::string& file, const std::string& within) {
    if (out.size() == kMaxVariables || !is_called(found, within)) return;
    found.file = file;
    found.whole = within + found.name;
    out.push_back(std::move(found));
  });
  return out;
}

std::vector<std::string> DwarfVariables::outside_names() {
  std::set<std::string> names;
  for_outside([&](const DwarfVariable& found, const std::string&, const std::string& within) {
    if (names.size() < kMaxVariables) names.insert(within + found.name);
  });
  return {names.begin(), names.end()};
}

// Where it is entered, or else where its code begins.
std::optional<std::uint64_t> DwarfVariables::begin_of(const DwarfUnit& unit, const Entry& entry) {
  CodeEntry code;
  code.low = entry.low;
  code.high = entry.high;
  code.ranges = entry.ranges;
  std::optional<std::uint64_t> first;
  units_.for_ranges(unit, code, [&](std::uint64_t begin, std::uint64_t) {
    if (!first) first = begin;
  });
  // Since DWARF 5 it may count from there.
  if (first && entry.entry_pc.kind == DwarfValue::Kind::kNumber) {
    return *first + entry.entry_pc.number;
  }
  const auto entered = units_.address(unit, entry.entry_pc);
  return entered ? entered : first;
}

// Calls each(reading, entry, offset, depth) for all entries of all units.
template <typename Each>
void DwarfVariables::for_all(const Each& each) {
  for (std::size_t i = 0; i < units_.count(); ++i) {
    const DwarfUnit& unit = units_.at(i);
    ElfFile::Bytes room;
    const auto bytes = units_.entries(unit, room);
    Reading reading{unit, units_.table(unit), bytes, DwarfCursor(bytes, 0, bytes.size())};
    std::size_t depth = 0;
    for (Entry entry; !reading.cursor.at_end();) {
      const std::uint64_t offset = unit.first + reading.cursor.at();
      if (!decode(reading, entry)) break;
      if (entry.tag == 0) {
        if (depth <= 1) break;
        --depth;
        continue;
      }
      each(reading, entry, offset, depth);
      if (!entry.has_children && depth == 0) break;
      if (entry.has_children) ++depth;
    }
  }
}

// Of what it is made of, if it does not say so itself.
void DwarfVariables::find_definition(const DwarfUnit& of, Entry entry, std::string& file,
                                     std::uint32_t& line) {
  constexpr int kMostOrigins = 4;
  const DwarfUnit* unit = &of;
  for (int i = 0; i < kMostOrigins; ++i) {
    if (line == 0) line = entry.line;
    if (file.empty() && entry.file) file = path_of(*unit, *entry.file);
    if (!entry.origin || entry.origin->in_alt || (line != 0 && !file.empty())) return;
    unit = units_.holding(entry.origin->offset);
    if (unit == nullptr || !read(*unit, entry.origin->offset, entry)) return;
  }
}

const std::string& DwarfVariables::path_of(const DwarfUnit& unit, std::uint32_t file) {
  const auto found = line_tables_.find(unit.offset);
  LineTable& table =
      found != line_tables_.end()
          ? found->second
          : line_tables_.emplace(unit.offset, LineTable::read(units_, unit)).first->second;
  return table.path(units_, unit, file);
}

std::vector<InlinedCode> DwarfVariables::inlined() {
  constexpr std::size_t kMost = 1 << 20;
  std::vector<InlinedCode> out;
  for_all([&](const Reading& reading, const Entry& entry, std::uint64_t, std::size_t) {
    if (entry.tag != kInlinedSubroutine || !entry.origin || out.size() == kMost) return;
    const auto begin = begin_of(reading.unit, entry);
    if (!begin) return;
    InlinedCode& made = out.emplace_back();
    made.name = units_.name_of(*entry.origin);
    made.address = *begin;
    find_definition(reading.unit, entry, made.file, made.line);
  });
  return out;
}

std::vector<InlinedCode> DwarfVariables::labels() {
  constexpr std::size_t kMost = 1 << 20;
  std::vector<InlinedCode> out;
  std::vector<std::pair<std::size_t, DwarfRef>> around;  // functions, by their depth
  for_all([&](const Reading& reading, const Entry& entry, std::uint64_t offset, std::size_t depth) {
    while (!around.empty() && around.back().first >= depth) around.pop_back();
    if (entry.tag == kSubprogram) around.emplace_back(depth, DwarfRef{offset, units_.is_alt()});
    if (entry.tag == kInlinedSubroutine && entry.origin) around.emplace_back(depth, *entry.origin);
    if (entry.tag != kLabel || around.empty() || out.size() == kMost) return;
    const auto address = units_.address(reading.unit, entry.low);
    if (!address) return;
    InlinedCode made;
    made.address = *address;
    made.label = units_.text(reading.unit, entry.name);
    find_definition(reading.unit, entry, made.file, made.line);
    Entry origin;
    if (made.label.empty() && entry.origin && !entry.origin->in_alt) {
      const DwarfUnit* const unit = units_.holding(entry.origin->offset);
      if (unit != nullptr && read(*unit, entry.origin->offset, origin)) {
        made.label = units_.text(*unit, origin.name);
      }
    }
    made.name = units_.name_of(around.back().second);
    out.push_back(std::move(made));
  });
  return out;
}

void DwarfVariables::index_functions() {
  functions_.emplace();
  for_all([&](const Reading& reading, const Entry& entry, std::uint64_t offset, std::size_t) {
    if (entry.tag != kSubprogram) return;
    CodeEntry code;
    code.low = entry.low;
    code.high = entry.high;
    code.ranges = entry.ranges;
    units_.for_ranges(reading.unit, code, [&](std::uint64_t begin, std::uint64_t end) {
      functions_->push_back({begin, end, offset});
    });
  });
  std::sort(functions_->begin(), functions_->end(),
            [](const FunctionCode& a, const FunctionCode& b) { return a.begin < b.begin; });
}

std::optional<DwarfFunction> DwarfVariables::function_at(std::uint64_t address) {
  constexpr std::uint64_t kC[] = {0x01, 0x02, 0x0c, 0x1d, 0x2c};  // C89, C, C99, C11, C17
  if (!functions_) index_functions();
  const auto after = std::upper_bound(
      functions_->begin(), functions_->end(), address,
      [](std::uint64_t value, const FunctionCode& one) { return value < one.begin; });
  if (after == functions_->begin() || address >= std::prev(after)->end) return std::nullopt;
  const std::uint64_t offset = std::prev(after)->entry;
  const DwarfUnit* const unit = units_.holding(offset);
  Entry entry, root;
  if (unit == nullptr || !read(*unit, unit->first, root)) return std::nullopt;
  DwarfFunction out;
  out.is_c = std::find(std::begin(kC), std::end(kC), root.language) != std::end(kC);
  if (!read(*unit, offset, entry)) return std::nullopt;
  out.entry = {offset, units_.is_alt()};
  find_definition(*unit, entry, out.file, out.line);
  return out;
}

}  // namespace dt::symbol
