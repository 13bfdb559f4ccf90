// Reading the list of functions, and where they are.

#include "provider/functions.h"

#include <algorithm>
#include <charconv>

#include "kernel/tracefs.h"
#include "kernel/words.h"
#include "support/lines.h"
#include "symbol/kallsyms.h"

namespace dt::provider {
namespace {

constexpr std::string_view kVmlinux = "vmlinux";

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view word = line.substr(0, std::min(line.find_first_of(" \t"), line.size()));
  line.remove_prefix(word.size());
  return word;
}

std::uint64_t parse_address(std::string_view word) {
  std::uint64_t address = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), address, 16);
  return failure == std::errc() && end == word.data() + word.size() ? address : 0;
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

// With addresses where the kernel gives them (6.5).
Result<std::string> read_functions() {
  Result<std::string> with_addresses = kernel::read_tracefs("available_filter_functions_addrs");
  return with_addresses.ok() ? std::move(with_addresses)
                             : kernel::read_tracefs("available_filter_functions");
}

}  // namespace

std::vector<KernelFunction> parse_functions(std::string_view text) {
  std::vector<KernelFunction> functions;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> known;
  support::for_lines(text, [&](std::string_view line) {
    std::string_view name = take_word(line);
    const std::uint64_t place = name.size() == 16 ? parse_address(name) : 0;
    if (place != 0) name = take_word(line);
    const std::string_view module = module_of(take_word(line));
    // What stands for code that is no longer there begins so.
    if (name.empty() || name.starts_with("__ftrace_invalid_address")) return;
    std::vector<std::uint32_t>& same = known[name];
    const auto own = std::find_if(same.begin(), same.end(),
                                  [&](std::uint32_t at) { return functions[at].module == module; });
    const bool is_new = own == same.end();
    const auto at = is_new ? static_cast<std::uint32_t>(functions.size()) : *own;
    if (is_new) {
      same.push_back(at);
      functions.push_back({std::string(module), std::string(name), 0, {}});
    }
    ++functions[at].count;
    if (place != 0) functions[at].places.push_back(place);
  });
  std::stable_partition(functions.begin(), functions.end(),
                        [](const KernelFunction& one) { return one.module == kVmlinux; });
  return functions;
}

const std::vector<KernelFunction>& KernelFunctions::list() {
  if (is_read_) return functions_;
  is_read_ = true;
  using enum kernel::Feature;
  if (!has(kFentry) && !has(kKprobeMulti) && !has(kKprobe)) {
    error_ = fmt::format(
        "this kernel does not let its functions be traced: fentry: {}; kprobe.multi: {}; "
        "kprobes: {}",
        way(kFentry).error().text, way(kKprobeMulti).error().text, way(kKprobe).error().text);
    return functions_;
  }
  const Result<std::string> text = source_.functions();
  if (!text.ok()) {
    error_ = "the kernel's functions cannot be listed: " + text.error().text;
    return functions_;
  }
  functions_ = parse_functions(*text);
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    by_name_[functions_[i].name].push_back(i);
  }
  return functions_;
}

const KernelFunction* KernelFunctions::find(std::string_view module, std::string_view name) {
  list();
  const auto same = by_name_.find(name);
  if (same == by_name_.end()) return nullptr;
  for (const std::uint32_t at : same->second) {
    if (functions_[at].module == module) return &functions_[at];
  }
  return nullptr;
}

std::string KernelFunctions::error() {
  list();
  return error_;
}

const Status& KernelFunctions::way(kernel::Feature feature) {
  const auto known = ways_.find(feature);
  if (known != ways_.end()) return known->second;
  return ways_.emplace(feature, source_.try_feature(feature)).first->second;
}

bool KernelFunctions::is_unique(const KernelFunction& function) const {
  const auto same = by_name_.find(function.name);
  return function.count == 1 && same != by_name_.end() && same->second.size() == 1;
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
    if (!by_name_.contains(name)) return;
    std::vector<std::uint64_t>& same = symbols_[key_of(module_of(take_word(line)), name)];
    if (same.empty() || same.back() != address) same.push_back(address);
  });
  if (is_hidden) {
    return Error{"/proc/kallsyms hides the addresses of the kernel's functions", 0,
                 "set kernel.kptr_restrict to 0 or 1, and run as root", ""};
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
  if (!function.places.empty()) {
    std::vector<std::uint64_t> found = function.places;
    DT_TRY(find_symbols(found));
    return found;
  }
  DT_TRY(read_symbols());
  const auto symbols = symbols_.find(key_of(function.module, function.name));
  if (symbols != symbols_.end() && symbols->second.size() == function.count) {
    return symbols->second;
  }
  return Error{fmt::format("{}`{}: the kernel does not say which of its functions of this name can "
                           "be traced",
                           function.module, function.name),
               0, "", ""};
}

std::shared_ptr<KernelFunctions> kernel_functions() {
  const std::shared_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
  const auto kallsyms = std::make_shared<symbol::Kallsyms>();
  const auto symbols = [kallsyms] { return kallsyms->text(); };
  return std::make_shared<KernelFunctions>(KernelFunctions::Source{
      read_functions, symbols,
      [kernel](kernel::Feature feature) { return kernel::try_feature(*kernel, feature); }, kernel});
}

}  // namespace dt::provider
