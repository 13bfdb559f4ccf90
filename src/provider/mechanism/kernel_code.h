#pragma once
// The instructions of the kernel's functions, as they are in memory, and on which
// of them a breakpoint may stand.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kernel/kernel.h"
#include "machine/x86_64/instructions.h"
#include "support/result.h"
#include "symbol/kernel/kernel_symbols.h"
#include "types/type.h"

namespace dt::provider {

struct KernelBody {
  std::string module;  // "vmlinux" for the kernel itself
  std::string name;
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;  // without what fills the space up to the next function
  std::vector<machine::Instruction> instructions;
  // By offset: why no breakpoint may stand there.
  std::map<std::uint32_t, std::string> forbidden;
};

class KernelCode {
 public:
  // How all this is learned; tests say.
  struct Source {
    std::function<Result<std::string_view>()> symbols;  // the text of /proc/kallsyms
    std::function<std::string()> modules;               // and of /proc/modules
    // The text of a file of debugfs: "kprobes/blacklist", "kprobes/list".
    std::function<Result<std::string>(std::string_view file)> debugfs;
    // Reads as many bytes as `into` has from that address.
    std::function<Status(std::uint64_t address, std::span<std::uint8_t> into)> read;
    // Between two looks at code that the kernel is changing.
    std::function<void()> wait;
  };
  // `types`: the kernel's, which must outlive it.
  KernelCode(const types::Catalog& types, Source source)
      : types_(types), source_(std::move(source)) {}

  // Every function of that name whose module `is_wanted`; of those that cannot be
  // read the error says why, when there are no others.
  using IsWanted = std::function<bool(const std::string& module)>;
  Result<std::vector<std::shared_ptr<const KernelBody>>> named(const std::string& name,
                                                               const IsWanted& is_wanted);
  // A function whose name is like it; "" when there is none.
  std::string near(const std::string& name);
  // An instruction of the body as text, with the names of what it refers to.
  std::string text(const KernelBody& body, std::uint32_t offset);

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  Status read_symbols();
  Result<std::shared_ptr<const KernelBody>> read_body(const std::string& name,
                                                      const symbol::KernelSymbols::Extent& extent);
  Status read_bytes(KernelBody& body, std::uint64_t end) const;
  void forbid(KernelBody& body);
  const std::vector<Range>& blacklist();
  Status check_unpatched(const KernelBody& body, std::uint64_t end) const;
  // Where the kernel changes the instructions of a module itself.
  const std::unordered_set<std::uint64_t>& patched(const std::string& module);
  std::uint64_t object(std::string_view name, std::string_view module) const;
  std::uint64_t module_word(std::uint64_t module, const std::string& member) const;

  const types::Catalog& types_;
  Source source_;
  std::string_view kallsyms_;
  std::unique_ptr<symbol::KernelSymbols> symbols_;
  std::optional<std::vector<Range>> blacklist_;
  std::map<std::string, std::unordered_set<std::uint64_t>> patched_;  // by module
};

}  // namespace dt::provider
