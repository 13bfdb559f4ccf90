#pragma once
// The kernel's functions that can be traced: which there are, and in which ways
// this kernel lets programs run at them.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernel/features.h"
#include "kernel/kernel.h"
#include "support/result.h"

namespace dt::provider {

// A name in a module; several functions may have it (static ones of C), and then
// it means them all.
struct KernelFunction {
  std::string_view module;  // "vmlinux" for the kernel itself
  std::string_view name;
  std::uint32_t count = 1;
  // Where the kernel's own list says that the first can be traced, and the others; 0
  // and none when it does not tell (before 6.5).
  std::uint64_t place = 0;
  std::vector<std::uint64_t> others = {};

  std::vector<std::uint64_t> places() const;
  bool operator==(const KernelFunction&) const = default;
};

// tracefs's available_filter_functions, or available_filter_functions_addrs: each
// line a name, behind an address, and before a module in brackets. There are tens of
// thousands, of which most commands want one.
class FunctionTable {
 public:
  FunctionTable() = default;
  // `text` must outlive it.
  explicit FunctionTable(std::string_view text);

  // The kernel's own come first, and then the modules' in the order of the text.
  const std::vector<KernelFunction>& all() const { return functions_; }
  // Where in all() the functions of a name are, one for each module.
  std::vector<std::uint32_t> named(std::string_view name) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void add(std::string_view module, std::string_view name, std::uint64_t place);
  void index();

  std::vector<KernelFunction> functions_;
  std::vector<std::uint32_t> next_;                              // of the same name, or kNone
  std::unordered_map<std::string_view, std::uint32_t> by_name_;  // the last of each
};

class KernelFunctions {
 public:
  // How all this is learned; tests say.
  struct Source {
    std::function<Result<std::string>()> functions;
    std::function<Result<std::string_view>()> symbols;  // the text of /proc/kallsyms
    std::function<Status(kernel::Feature)> try_feature;
    kernel::Kernel* kernel = nullptr;  // for trials; must outlive it
  };
  explicit KernelFunctions(Source source) : source_(std::move(source)) {}

  // Empty when there is no way to trace any.
  const FunctionTable& table();
  const std::vector<KernelFunction>& list() { return table().all(); }
  // nullptr: no such function can be traced.
  const KernelFunction* find(std::string_view module, std::string_view name);
  // Why the list is empty, in one line; "" while nothing is wrong.
  std::string error();
  // Whether programs can be made to run at functions in this way (kFentry,
  // kKprobeMulti, kKprobe); the error says why not. Tried at the first question.
  const Status& way(kernel::Feature feature);
  bool has(kernel::Feature feature) { return way(feature).ok(); }
  kernel::Kernel& kernel() { return *source_.kernel; }
  // The text of /proc/kallsyms.
  Result<std::string_view> symbols() { return source_.symbols(); }
  // Whether no other function has this name, in any module.
  bool is_unique(const KernelFunction& function) const;
  // Where the function's symbols are, as many as there are functions. An error
  // when nothing tells.
  Result<std::vector<std::uint64_t>> addresses(const KernelFunction& function);
  // Makes places of functions the addresses of their symbols.
  Status find_symbols(std::span<std::uint64_t> places);

 private:
  Status read_symbols();

  Source source_;
  bool is_read_ = false, has_symbols_ = false;  // the list; symbols_
  std::string text_;
  FunctionTable table_;  // of text_
  std::string error_;
  std::map<kernel::Feature, Status> ways_;
  // "module`function", only where the list has no addresses.
  std::unordered_map<std::string, std::vector<std::uint64_t>> symbols_;
};

// A way of tracing that was tried in vain.
struct ClosedWay {
  std::string_view name;
  const support::Error& error;
};
// Why `what` ("functions") of the kernel cannot be traced, where all of these ways are closed. When
// one cause closes them all to this process, as missing capabilities do, its remedy says that.
std::string why_not_traced(std::string_view what, std::initializer_list<ClosedWay> ways);

// The functions of the running kernel; `kernel` is used to find how they can be traced.
std::shared_ptr<KernelFunctions> kernel_functions(kernel::Kernel& kernel);

}  // namespace dt::provider
