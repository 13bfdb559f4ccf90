#pragma once
// The file of an object, and where breakpoints may stand in its functions. Every
// error says in words for people what keeps a function from being probed. What symbols
// say is compared with the code: a breakpoint stands where an instruction begins.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/x86_64/instructions.h"
#include "support/result.h"
#include "symbol/code/map.h"
#include "symbol/elf/file.h"
#include "symbol/elf/usdt_notes.h"
#include "symbol/frames/functions.h"
#include "symbol/frames/go_table.h"
#include "symbol/process/debuginfod.h"
#include "symbol/process/objects.h"

namespace dt::provider {

struct CodeSite {
  std::uint64_t offset = 0;  // in the file
  std::uint32_t function_offset = 0;
};

class Image {
 public:
  static Result<std::unique_ptr<Image>> open(const symbol::ProcessObject& object);
  // Whether nothing on this machine names the functions that it does not export.
  bool is_stripped() const { return is_stripped_; }
  // The same after servers were asked for what was stripped off; true when they had it.
  // What functions() has given before is no longer valid then.
  bool complete(symbol::Debuginfod& servers);

  const symbol::ElfFile& elf() const { return elf_; }
  const symbol::Functions& functions() const { return functions_; }
  // The pieces of code that call functions of other files; found when they are first asked for.
  const std::vector<symbol::Function>& linkage() const;
  symbol::CallConvention convention(const symbol::Function& function) const;

  Result<CodeSite> entry(const symbol::Function& function) const;
  // Where control leaves the function for good; at least one place. What has been found is kept: a
  // function that is named is asked for once for each process that has mapped it.
  Result<std::vector<CodeSite>> returns(const symbol::Function& function) const;
  Result<std::vector<machine::Instruction>> instructions(const symbol::Function& function) const;
  // Where in the file the probe of a note is. Its counter, which the kernel writes to, must be
  // among those that there are for that.
  Result<std::uint64_t> usdt_site(const symbol::UsdtNote& note) const;
  // Where in the file the counter is of those who look at the note whose site is there; 0 without
  // one. All breakpoints of one place must have the same: the kernel refuses others.
  std::uint64_t counter_at(std::uint64_t offset) const;
  // Whether a breakpoint may stand on what begins there in the file.
  bool may_break_at(std::uint64_t offset) const;
  // The instruction that begins there in the file.
  Result<CodeSite> instruction_at(std::uint64_t offset) const;

 private:
  Image(symbol::ElfFile elf, std::optional<symbol::GoTable> go, symbol::Functions functions,
        bool is_stripped, std::string name)
      : elf_(std::move(elf)),
        go_(std::move(go)),
        functions_(std::move(functions)),
        map_(std::make_unique<symbol::CodeMap>(elf_)),
        is_stripped_(is_stripped),
        name_(std::move(name)) {}
  Result<std::vector<std::uint8_t>> code(const symbol::Function& function) const;
  Result<std::vector<CodeSite>> find_returns(const symbol::Function& function) const;

  symbol::ElfFile elf_;
  std::optional<symbol::GoTable> go_;
  symbol::Functions functions_;
  std::unique_ptr<symbol::CodeMap> map_;  // of what was read so far
  mutable std::optional<std::map<std::uint64_t, std::uint64_t>> counters_;  // by site
  mutable std::optional<std::vector<symbol::Function>> linkage_;
  mutable std::map<std::pair<std::uint64_t, std::string>, Result<std::vector<CodeSite>>>
      returns_;  // by the function's address and name
  bool is_stripped_ = false, is_asked_for_ = false;
  std::string name_;
};

}  // namespace dt::provider
