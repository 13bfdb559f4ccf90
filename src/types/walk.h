#pragma once
// What the kernel's verifier knows of a load from a structure of the kernel.
//
// A program may follow a pointer whose type the verifier knows by plain loads:
// those that cannot be done give 0. It knows the type of what is loaded, if that
// is a pointer to a structure again. Its rules (kernel/bpf/btf.c,
// btf_struct_walk) are followed here, so that only such loads are generated.

#include <cstdint>
#include <optional>

#include "types/type.h"

namespace dt::types {

struct Step {
  // Set: verifiers may take what is loaded for a pointer, with which they allow
  // less than with a number. Before 6.17 only for one to a structure.
  bool is_pointer = false;
  // Set for a pointer that can be followed: to what.
  std::optional<TypeId> target;
};

// The load of `size` bytes at `offset` of a `structure`; nullopt when the
// verifier may refuse it. Types are those of vmlinux.
std::optional<Step> walk(const Catalog& catalog, TypeId structure, std::uint32_t offset,
                         std::uint32_t size);

}  // namespace dt::types
