#pragma once
// The `provider` blocks of programs as they are written, for dtrace -h and -G.
// Their types are not looked up: the program that is built knows what they are,
// and the machine that builds it need not.

#include <optional>
#include <span>
#include <vector>

#include "d/syntax/world.h"
#include "front/input.h"
#include "support/diagnostics.h"
#include "support/source.h"
#include "usdt/provider.h"

namespace dt::d {

// Reads the blocks of all inputs, in their order; blocks of one name are one provider. nullopt if
// diagnostics were reported.
std::optional<std::vector<usdt::Provider>> read_providers(Sources& sources,
                                                          std::span<const front::Input> inputs,
                                                          World& world, Diagnostics& diagnostics);

}  // namespace dt::d
