#pragma once
// The little BTF (type information) that the kernel demands from us: of the
// value of a task storage, and of the functions of a program that has global
// ones (function.h) or passes one of them to a helper (bpf_loop). Private to
// kernel/, and to tests that load programs by themselves.

#include <linux/bpf.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/function.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// Types of a map whose key is an int and whose value is bytes.
constexpr std::uint32_t kStorageKeyType = 1;
constexpr std::uint32_t kStorageValueType = 3;
Result<Fd> load_storage_btf(const std::string& map, std::uint32_t value_bytes);

// As BPF_PROG_LOAD wants them.
struct FunctionInfo {
  std::uint32_t insn;
  std::uint32_t type;
};
struct FunctionTypes {
  Fd btf;
  std::vector<FunctionInfo> functions;
};
// Empty (without a descriptor) when the kernel wants to know nothing: there are
// no `functions`, and the program takes no function's address.
Result<FunctionTypes> load_function_btf(const std::string& program, std::span<const bpf_insn> insns,
                                        std::span<const Function> functions);

// The types of the kernel ("vmlinux") or of a module that has been loaded.
Result<Fd> open_kernel_btf(const std::string& object);
// All of them, in one call: reading /sys/kernel/btf takes one for each page.
struct BtfBytes {
  std::unique_ptr<std::uint8_t[]> data;
  std::size_t size = 0;
};
Result<BtfBytes> kernel_btf_bytes(const std::string& object);

// The kernel's own number of its function.
Result<std::uint32_t> kernel_function_id(std::string_view name);

// Where the functions of a program begin, ascending; empty unless it takes a
// function's address.
std::vector<std::uint32_t> function_starts(std::span<const bpf_insn> insns);

}  // namespace dt::kernel
