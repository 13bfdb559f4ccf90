#pragma once
// /proc/kallsyms by name: where the kernel's functions and variables are.
//
// Reading the file takes tens of milliseconds, so it is read at the first look-up, and once for
// both users: the front-end, for the addresses of symbols that a script names, and the consumer,
// for the names of addresses.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/ids.h"
#include "support/result.h"

namespace dt::symbol {

struct KernelObject {
  std::string module;  // "vmlinux" or a module's name
  KernelAddr address;
  bool is_function = false;
  // The address is that of no CPU's copy: __per_cpu_offset[cpu] is to be added.
  bool is_per_cpu = false;
};

class Kallsyms {
 public:
  explicit Kallsyms(std::string path = "/proc/kallsyms") : path_(std::move(path)) {}

  // As if the file held this; for tests.
  static Kallsyms from_text(std::string text);

  // What the file holds; an error when it cannot be read.
  Result<std::string_view> text();
  // Every symbol of that name, each address once, in the order of the file. An
  // error when there is no file, or when it hides the addresses.
  Result<std::vector<KernelObject>> find(std::string_view name);
  // Whether any symbol is of this module.
  bool has_module(std::string_view module);
  // A symbol whose name is like `name`; "" when there is none.
  std::string near(std::string_view name, std::string_view module);

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
    bool has(std::uint64_t address) const { return address >= begin && address < end; }
  };

  void set_text(std::string text);
  bool hides_addresses() const;
  void find_sections();

  std::string path_;
  std::string text_;
  std::string error_;
  bool is_read_ = false, is_hidden_ = false;
  Range per_cpu_, data_;
};

}  // namespace dt::symbol
