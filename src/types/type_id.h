#pragma once

#include "support/ids.h"

namespace dt::types {

// A type of a Catalog (type.h); 0 is "no type".
using TypeId = support::StrongId<struct TypeIdTag>;

}  // namespace dt::types
