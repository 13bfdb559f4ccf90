#pragma once
// What a program or the kernel calls the parameters of its functions.

#include <cstddef>
#include <string>
#include <vector>

#include "types/type.h"

namespace dt::provider {

// From the parameter `first` on; empty where the types do not tell. `module`: as in
// types::Catalog::find_object().
std::vector<std::string> parameter_names(const types::Catalog& types, const std::string& function,
                                         const std::string& module, std::size_t first = 0);

}  // namespace dt::provider
