// Reading the list of functions, and where they are.

#include "provider/mechanism/functions.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "kernel/kept.h"
#include "kernel/tracefs.h"
#include "kernel/words.h"
#include "support/lines.h"
#include "support/whole_number.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::provider {
namespace {

constexpr std::string_view kVmlinux = "vmlinux";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view take_word(std::string_view& line) {
  const auto* const begin = std::find_if_not(line.begin(), line.end(), is_blank);
  const auto* const end = std::find_if(begin, line.end(), is_blank);
  const std::string_view word(begin, static_cast<std::size_t>(end - begin));
  line = {end, static_cast<std::size_t>(line.end() - end)};
  return word;
}

std::uint64_t parse_address(std::string_view word) {
  return support::whole_number<std::uint64_t>(word, 16).value_or(0);
}

// "[ext4]" -> "ext4"; nothing -> "vmlinux".
std::string_view module_of(std::string_view word) {
  const bool is_module = word.size() > 2 && word.front() == '[' && word.back() == ']';
  return is_module ? word.substr(1, word.size() - 2) : kVmlinux;
}

std::string key_of(std::string_view module, std::string_view name) {
  std::string key(module);
  key += '`';
  key += name;
  return key;
}

// endbr64, or what the kernel has written over one that nothing jumps to; newer kernels
// write the last.
bool is_endbr(std::uint32_t word) {
  return word == 0xfa1e0ff3 || word == 0x001f0f66 || word == 0xd6401f0f;
}

// With addresses where the kernel gives them (6.5). It takes 0.2 s.
Result<std::string> read_functions() {
  return kernel::kept_text("functions", [] {
    Result<std::string> with_addresses = kernel::read_tracefs("available_filter_functions_addrs");
    return with_addresses.ok() ? std::move(with_addresses)
                               : kernel::read_tracefs("available_filter_functions");
  });
}

std::string name_of(kernel::Feature way) {
  return way == kernel::Feature::kFentry        ? "fentry"
         : way == kernel::Feature::kKprobeMulti ? "kprobe.multi"
                                                : "kprobe";
}

// Whether programs can run at functions in a way is tried by letting one, which takes 0.1 s to
// undo. Where it has been possible it still is.
Status try_way(kernel::Kernel& kernel, kernel::Feature feature) {
  const auto attempt = [&]() -> Result<std::string> {
    DT_TRY(kernel::try_feature(kernel, feature));
    return std::string("yes");
  };
  const auto known = kernel::kept_text(name_of(feature), attempt);
  return known.ok() ? Status() : Status(known.error());
}

}  // namespace

std::vector<std::uint64_t> KernelFunction::places() const {
  std::vector<std::uint64_t> all;
  if (place != 0) all.push_back(place);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

FunctionTable::FunctionTable(std::string_view text) {
  constexpr std::size_t kLineBytes = 32;  // about
  functions_.reserve(text.size() / kLineBytes);
  next_.reserve(text.size() / kLineBytes);
  by_name_.reserve(text.size() / kLineBytes);
  support::for_lines(text, [&](std::string_view line) {
    std::string_view name = take_word(line);
    const std::uint64_t place = name.size() == 16 ? parse_address(name) : 0;
    if (place != 0) name = take_word(line);
    // What stands for code that is no longer there begins so.
    if (name.empty() || name.starts_with("__ftrace_invalid_address")) return;
    add(module_of(take_word(line)), name, place);
  });
  const auto is_own = [](const KernelFunction& one) { return one.module == kVmlinux; };
  if (!std::is_partitioned(functions_.begin(), functions_.end(), is_own)) {
    std::stable_partition(functions_.begin(), functions_.end(), is_own);
    index();
  }
}

void FunctionTable::add(std::string_view module, std::string_view name, std::uint64_t place) {
  const auto at = static_cast<std::uint32_t>(functions_.size());
  const auto [last, is_new] = by_name_.try_emplace(name, at);
  for (std::uint32_t same = is_new ? kNone : last->second; same != kNone; same = next_[same]) {
    KernelFunction& one = functions_[same];
    if (one.module != module) continue;
    ++one.count;
    if (place != 0) one.others.push_back(place);
    return;
  }
  next_.push_back(is_new ? kNone : std::exchange(last->second, at));
  functions_.push_back({module, name, 1, place, {}});
}

void FunctionTable::index() {
  by_name_.clear();
  for (std::uint32_t at = 0; at < functions_.size(); ++at) {
    const auto [last, is_new] = by_name_.try_emplace(functions_[at].name, at);
    next_[at] = is_new ? kNone : std::exchange(last->second, at);
  }
}

std::vector<std::uint32_t> FunctionTable::named(std::string_view name) const {
  std::vector<std::uint32_t> found;
  const auto last = by_name_.find(name);
  if (last == by_name_.end()) return found;
  for (std::uint32_t at = last->second; at != kNone; at = next_[at]) found.push_back(at);
  std::reverse(found.begin(), found.end());
  return found;
}

std::string why_not_traced(std::string_view what, std::initializer_list<ClosedWay> ways) {
  const support::Error& first = ways.begin()->error;
  const auto is_of_this_process = [&](const ClosedWay& way) {
    return way.error.code == EPERM && !first.remedy.empty() && way.error.remedy == first.remedy;
  };
  if (std::all_of(ways.begin(), ways.end(), is_of_this_process)) {
    return fmt::format("this process may not trace {} of the kernel: {}", what, first.remedy);
  }
  std::string text = fmt::format("this kernel does not let its {} be traced", what);
  std::string_view separator = ": ";
  for (const ClosedWay& way : ways) {
    text += fmt::format("{}{}: {}", std::exchange(separator, "; "), way.name, way.error.text);
  }
  return text;
}

const FunctionTable& KernelFunctions::table() {
  if (is_read_) return table_;
  is_read_ = true;
  using enum kernel::Feature;
  if (!has(kFentry) && !has(kKprobeMulti) && !has(kKprobe)) {
    error_ = why_not_traced("functions", {{"fentry", way(kFentry).error()},
                                          {"kprobe.multi", way(kKprobeMulti).error()},
                                          {"kprobes", way(kKprobe).error()}});
    return table_;
  }
  Result<std::string> text = source_.functions();
  if (!text.ok()) {
    error_ = "the kernel's functions cannot be listed: " + text.error().text;
    return table_;
  }
  text_ = std::move(*text);
  table_ = FunctionTable(text_);
  return table_;
}

const KernelFunction* KernelFunctions::find(std::string_view module, std::string_view name) {
  for (const std::uint32_t at : table().named(name)) {
    if (list()[at].module == module) return &list()[at];
  }
  return nullptr;
}

std::string KernelFunctions::error() {
  table();
  return error_;
}

const Status& KernelFunctions::way(kernel::Feature feature) {
  const auto known = ways_.find(feature);
  if (known != ways_.end()) return known->second;
  return ways_.emplace(feature, source_.try_feature(feature)).first->second;
}

bool KernelFunctions::is_unique(const KernelFunction& function) const {
  return function.count == 1 && table_.named(function.name).size() == 1;
}

// "ffffffff81000000 T name", "\t[module]" behind it. Reading all that takes a while.
Status KernelFunctions::read_symbols() {
  if (has_symbols_) return {};
  DT_ASSIGN(const std::string_view text, source_.symbols());
  bool is_hidden = true;
  support::for_lines(text, [&](std::string_view line) {
    constexpr std::size_t kDigits = 16, kKind = kDigits + 1, kNameAt = kKind + 2;
    if (line.size() <= kNameAt || std::string_view("tTwW").find(line[kKind]) == line.npos) return;
    const std::uint64_t address = parse_address(line.substr(0, kDigits));
    if (address == 0) return;
    is_hidden = false;
    line.remove_prefix(kNameAt);
    const std::string_view name = take_word(line);
    if (table_.named(name).empty()) return;
    std::vector<std::uint64_t>& same = symbols_[key_of(module_of(take_word(line)), name)];
    if (same.empty() || same.back() != address) same.push_back(address);
  });
  if (is_hidden) {
    return Error::of("/proc/kallsyms hides the addresses of the kernel's functions",
                     "set kernel.kptr_restrict to 0 or 1, and run as root");
  }
  has_symbols_ = true;
  return {};
}

// The kernel's list has the place where a function calls the tracer, which is behind
// the endbr64 that it may begin with; links are made with symbols' addresses, by which
// the kernel finds the cookies again. It asks the code, too.
Status KernelFunctions::find_symbols(std::span<std::uint64_t> places) {
  constexpr std::uint64_t kEndbrBytes = 4;
  std::vector<std::uint64_t> before(places.begin(), places.end());
  for (std::uint64_t& place : before) place -= kEndbrBytes;
  std::vector<std::uint32_t> words(places.size());
  DT_TRY(kernel::read_words(*source_.kernel, before, words));
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (is_endbr(words[i])) places[i] = before[i];
  }
  return {};
}

Result<std::vector<std::uint64_t>> KernelFunctions::addresses(const KernelFunction& function) {
  if (function.place != 0) {
    std::vector<std::uint64_t> found = function.places();
    DT_TRY(find_symbols(found));
    return found;
  }
  DT_TRY(read_symbols());
  const auto symbols = symbols_.find(key_of(function.module, function.name));
  if (symbols != symbols_.end() && symbols->second.size() == function.count) {
    return symbols->second;
  }
  return Error::of(
      fmt::format("{}`{}: the kernel does not say which of its functions of this name can "
                  "be traced",
                  function.module, function.name));
}

std::shared_ptr<KernelFunctions> kernel_functions(kernel::Kernel& kernel) {
  const auto kallsyms = std::make_shared<symbol::Kallsyms>();
  const auto symbols = [kallsyms] { return kallsyms->text(); };
  return std::make_shared<KernelFunctions>(KernelFunctions::Source{
      read_functions, symbols,
      [&kernel](kernel::Feature feature) { return try_way(kernel, feature); }, &kernel});
}

}  // namespace dt::provider
