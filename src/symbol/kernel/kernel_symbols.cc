// Parsing kallsyms and finding the function that holds an address.
//
// The size of a function is not in kallsyms: a function ends where the next symbol begins.

#include "symbol/kernel/kernel_symbols.h"

#include <algorithm>
#include <charconv>

#include "support/integer_text.h"
#include "support/lines.h"
#include "support/nearest.h"
#include "support/whole_number.h"

namespace dt::symbol {
namespace {

// How far a last symbol reaches when nothing says where its module ends.
constexpr std::uint64_t kLastSymbolBytes = 64 * 1024;
constexpr std::size_t kMaxModules = 65535;

// The text up to the next blank; takes it and the blanks off `line`.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

}  // namespace

std::uint16_t KernelSymbols::module_id(std::string_view name) {
  // Symbols of one module follow each other.
  if (modules_.back() == name) {
    return static_cast<std::uint16_t>(modules_.size() - 1);
  }
  const auto known = std::find(modules_.begin(), modules_.end(), name);
  if (known != modules_.end()) {
    return static_cast<std::uint16_t>(known - modules_.begin());
  }
  if (modules_.size() >= kMaxModules) {
    return 0;
  }
  modules_.emplace_back(name);
  return static_cast<std::uint16_t>(modules_.size() - 1);
}

void KernelSymbols::add_symbol(std::string_view line) {
  const auto address = support::hexadecimal(take_word(line));
  if (!address) {
    return;
  }
  const std::string_view kind = take_word(line);
  const std::string_view name = take_word(line);
  std::string_view module = take_word(line);
  if (kind.size() != 1 || name.empty()) {
    return;
  }
  if (name == "_stext" || name == "_text") {
    text_begin_ = *address;
  } else if (name == "_etext") {
    text_end_ = *address;
  } else if (name == "_sinittext") {
    init_begin_ = *address;
  } else if (name == "_einittext") {
    init_end_ = *address;
  }
  if (std::string_view("tTwW").find(kind[0]) == std::string_view::npos || name == "_text" ||
      name == "_stext" || name == "_etext" || name == "_einittext") {
    return;
  }
  std::uint16_t id = 0;
  if (module.size() > 2 && module.front() == '[' && module.back() == ']') {
    id = module_id(module.substr(1, module.size() - 2));
  }
  const auto length = static_cast<std::uint16_t>(std::min<std::size_t>(name.size(), 0xffff));
  entries_.push_back(Entry{*address, static_cast<std::uint32_t>(names_.size()), length, id});
  names_.append(name.substr(0, length));
}

// "name size refcount users state address"
void KernelSymbols::add_module(std::string_view line) {
  const std::string_view name = take_word(line);
  const std::string_view size_text = take_word(line);
  for (int i = 0; i < 3; ++i) {
    take_word(line);
  }
  const auto size = support::whole_number<std::uint64_t>(size_text);
  const auto begin = support::hexadecimal(take_word(line));
  if (name.empty() || !size || begin.value_or(0) == 0) {
    return;
  }
  ranges_.push_back(Range{*begin, *begin + *size, module_id(name)});
}

KernelSymbols::KernelSymbols(std::string_view kallsyms, std::string_view modules) {
  modules_.emplace_back("vmlinux");
  entries_.reserve(kallsyms.size() / 40);
  names_.reserve(kallsyms.size() / 2);
  support::for_lines(kallsyms, [this](std::string_view line) { add_symbol(line); });
  support::for_lines(modules, [this](std::string_view line) { add_module(line); });
  if (text_begin_ < text_end_) {
    ranges_.push_back(Range{text_begin_, text_end_, 0});
  }
  if (init_begin_ < init_end_) {
    ranges_.push_back(Range{init_begin_, init_end_, 0});
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  hidden_ = !entries_.empty() && std::all_of(entries_.begin(), entries_.end(),
                                             [](const Entry& e) { return e.address == 0; });
  if (hidden_) {
    entries_.clear();
  }
  // Of several names of one address the first in the file stays first.
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.address < b.address; });
  entries_.shrink_to_fit();
  names_.shrink_to_fit();
}

std::string_view KernelSymbols::name_of(const Entry& entry) const {
  return std::string_view(names_).substr(entry.name, entry.name_length);
}

std::vector<KernelSymbols::Extent> KernelSymbols::named(std::string_view name) const {
  std::vector<Extent> found;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& one = entries_[i];
    const bool is_gone = one.address >= init_begin_ && one.address < init_end_;
    if (name_of(one) != name || is_gone) continue;
    if (!found.empty() && found.back().begin.value == one.address) continue;
    std::uint64_t end = one.address + kLastSymbolBytes;
    std::size_t after = i + 1;
    while (after < entries_.size() && entries_[after].address == one.address) ++after;
    if (after < entries_.size()) end = std::min(end, entries_[after].address);
    for (const Range& range : ranges_) {
      if (one.address >= range.begin && one.address < range.end) end = std::min(end, range.end);
    }
    found.push_back({modules_[one.module], KernelAddr(one.address), KernelAddr(end)});
  }
  return found;
}

std::string KernelSymbols::near(std::string_view name) const {
  std::vector<std::string_view> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) names.push_back(name_of(entry));
  return support::nearest(name, names);
}

bool KernelSymbols::find(KernelAddr address, Symbol& out) const {
  const auto range_after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address.value,
                       [](std::uint64_t value, const Range& r) { return value < r.begin; });
  const Range* range = nullptr;
  if (range_after != ranges_.begin() && address.value < std::prev(range_after)->end) {
    range = &*std::prev(range_after);
  }
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), address.value,
                       [](std::uint64_t value, const Entry& e) { return value < e.address; });
  const Entry* entry = nullptr;
  if (after != entries_.begin()) {
    // The first of several names for one address.
    const std::uint64_t begin = std::prev(after)->address;
    entry =
        &*std::lower_bound(entries_.begin(), after, begin,
                           [](const Entry& e, std::uint64_t value) { return e.address < value; });
    // Beyond the end of the symbol's own module, or too far from it where that
    // end is unknown (BPF programs, trampolines).
    const bool has_end =
        range == nullptr && std::any_of(ranges_.begin(), ranges_.end(),
                                        [&](const Range& r) { return r.module == entry->module; });
    const bool apart = range != nullptr ? entry->address < range->begin
                                        : has_end || address.value - begin >= kLastSymbolBytes;
    if (apart) {
      entry = nullptr;
    }
  }
  if (entry != nullptr) {
    out = Symbol{modules_[entry->module], std::string(name_of(*entry)),
                 address.value - entry->address};
    // kallsyms has no sizes: a function ends where the next one begins.
    if (after != entries_.end() && after->module == entry->module &&
        after->address - entry->address < kLastSymbolBytes) {
      out.size = after->address - entry->address;
    }
    return true;
  }
  if (range != nullptr) {
    out = Symbol{modules_[range->module], "", address.value - range->begin};
    return true;
  }
  return false;
}

}  // namespace dt::symbol
