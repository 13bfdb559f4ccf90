#pragma once
// Shapes of the catalogue's types.

#include <cstdint>
#include <vector>

#include "record/shape.h"
#include "types/type.h"

namespace dt::record {

// Appends the shapes of `type` and of all its members to `shapes`; returns the index of
// that of `type`. Nothing is appended twice in one call. kNoShape for what has no
// value: void, a function, a struct that is declared only.
std::uint32_t add_shape(const types::Catalog& catalog, types::TypeId type,
                        std::vector<Shape>& shapes);

}  // namespace dt::record
