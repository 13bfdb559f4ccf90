#pragma once
// The fsinfo provider of kernels that do not let their functions be traced: made of system calls.

#include <memory>

#include "provider/mechanism/stable.h"

namespace dt::provider {

std::unique_ptr<Provider> fsinfo_of_calls(const types::Catalog& types);

}  // namespace dt::provider
