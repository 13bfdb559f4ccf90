#pragma once
// An Environment that answers from tables, for tests and differential runs.

#include <array>
#include <map>
#include <string>

#include "ir/interpret.h"

namespace dt::ir {

struct TableEnvironment final : Environment {
  std::array<std::int64_t, 10> arguments = {};
  std::array<std::int64_t, kRegisters> registers = {};
  std::map<Builtin, std::int64_t> integers;
  std::map<Builtin, std::string> texts;
  // Readable memory by start address; blocks do not touch.
  std::map<std::uint64_t, Bytes> kernel, user;
  std::vector<std::uint64_t> kernel_frames, user_frames;

  std::int64_t argument(std::uint32_t number) override { return arguments[number]; }
  std::int64_t kernel_register(std::uint32_t number) override { return registers[number]; }
  std::int64_t integer(Builtin builtin) override { return integers[builtin]; }
  std::string text(Builtin builtin) override { return texts[builtin]; }
  bool read_kernel(std::uint64_t address, std::span<std::uint8_t> out) override {
    return read(kernel, address, out);
  }
  bool read_user(std::uint64_t address, std::span<std::uint8_t> out) override {
    return read(user, address, out);
  }
  std::vector<std::uint64_t> kernel_stack() override { return kernel_frames; }
  std::vector<std::uint64_t> user_stack() override { return user_frames; }

 private:
  static bool read(const std::map<std::uint64_t, Bytes>& memory, std::uint64_t address,
                   std::span<std::uint8_t> out) {
    auto it = memory.upper_bound(address);
    if (it == memory.begin()) return false;
    --it;
    const std::uint64_t skip = address - it->first;
    if (skip > it->second.size() || it->second.size() - skip < out.size()) return false;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = it->second[skip + i];
    return true;
  }
};

}  // namespace dt::ir
