#pragma once
// The kernel's functions, from /proc/kallsyms.
//
// Only text symbols are kept (t, T, w, W), sorted by address, their names in
// one string; a symbol ends where the next begins, or where its section or
// module ends.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/ids.h"
#include "symbol/process/value.h"

namespace dt::symbol {

class KernelSymbols {
 public:
  // `kallsyms` and `modules` are the texts of the files in /proc; `modules` may
  // be empty.
  KernelSymbols(std::string_view kallsyms, std::string_view modules);

  bool find(KernelAddr address, Symbol& out) const;
  // The extents of the functions of a name, by address.
  struct Extent {
    std::string module;  // "vmlinux" or a module's name
    KernelAddr begin, end;
    bool operator==(const Extent&) const = default;
  };
  // Without those whose code is gone since the kernel has started.
  std::vector<Extent> named(std::string_view name) const;
  // A name like it; "" when there is none.
  std::string near(std::string_view name) const;
  // Every address was zero: kernel.kptr_restrict or a lack of privilege.
  bool hidden() const { return hidden_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t address;
    std::uint32_t name;  // into names_
    std::uint16_t name_length;
    std::uint16_t module;
  };
  struct Range {
    std::uint64_t begin, end;
    std::uint16_t module;
  };
  void add_symbol(std::string_view line);
  void add_module(std::string_view line);
  std::uint16_t module_id(std::string_view name);
  std::string_view name_of(const Entry& entry) const;

  std::string names_;
  std::vector<std::string> modules_;  // 0 is vmlinux
  std::vector<Entry> entries_;
  std::vector<Range> ranges_;  // the ranges of modules and of the kernel's own text
  std::uint64_t text_begin_ = 0, text_end_ = 0, init_begin_ = 0, init_end_ = 0;
  bool hidden_ = false;
};

}  // namespace dt::symbol
