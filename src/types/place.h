#pragma once
// Where the members of the kernel's structures are.
//
// A member is named by its structure and a path:
//
//   sock         sk_protocol                  a member
//   sock         __sk_common.skc_state        a member of a member
//   task_struct  signal->group_exec_task      a member of what a member points to
//
// Kernels differ in their members, so each look-up may fail, and then says what is
// missing: "this kernel's struct sock has no member sk_protocl".

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "types/type.h"

namespace dt::types {

constexpr std::string_view kKernelModule = "vmlinux";

struct Place {
  std::uint32_t offset = 0;  // bytes from the start of the structure
  TypeId type;
};
// A member of a few bits of one byte.
struct BitField {
  std::uint32_t offset = 0;            // of the byte
  std::uint32_t first = 0, count = 0;  // of its bits
};

// A structure of the kernel: as `module` describes it or, where that does not, as the
// kernel itself does.
Result<TypeId> find_structure(const Catalog& types, std::string_view name,
                              std::string_view module = kKernelModule);

// The member at the end of a path without "->". A bit-field is an error.
Result<Place> find_place(const Catalog& types, std::string_view structure, std::string_view path,
                         std::string_view module = kKernelModule);
// The members at the ends of the parts of a path between "->": each is in the structure
// that the one before it points to.
Result<std::vector<Place>> find_places(const Catalog& types, std::string_view structure,
                                       std::string_view path,
                                       std::string_view module = kKernelModule);
Result<BitField> find_bit_field(const Catalog& types, std::string_view structure,
                                std::string_view name, std::string_view module = kKernelModule);

// The offset of find_place(), or -1 where this kernel has no such member: for tables of
// offsets some of which may be absent.
std::int32_t offset_or_none(const Catalog& types, std::string_view structure,
                            std::string_view path);

}  // namespace dt::types
