#pragma once
// Members of structures of the kernel that later kernels have under another name, or within another
// structure. A script that was written for the former kernel reads the same value.

#include <span>
#include <string_view>

#include "types/type.h"

namespace dt::stap {

// The way to what `name` was, {"bi_iter", "bi_size"} of bi_size in struct bio; empty if no kernel
// has called a member so, or this one has none in its place.
std::span<const std::string_view> renamed_member(const types::Catalog& types,
                                                 types::TypeId structure, std::string_view name);

}  // namespace dt::stap
