#pragma once
// What the types of a program (DWARF, BTF) say of the arguments of its functions.

#include <optional>
#include <vector>

#include "probe/probe.h"
#include "types/type.h"

namespace dt::provider {

// args[] of the entry or return probe of a function; nullopt where its types are not
// known, or where one of them does not come in a register for integers or pointers: then
// it is not known which register belongs to which argument.
std::optional<std::vector<probe::Argument>> user_arguments(const probe::Description& probe,
                                                           const types::Catalog& types);

}  // namespace dt::provider
