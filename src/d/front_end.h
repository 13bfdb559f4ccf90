#pragma once
// Front-end 1: the D language. Text -> ir::Program; asks nothing of the kernel
// but through World.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "front/dump.h"
#include "front/input.h"
#include "front/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// The version of the language.
constexpr const char* kVersion = "1.14";

// Compiles all inputs into one program (variables are shared between them).
// nullopt when diagnostics were reported.
std::optional<ir::Program> compile(Sources& sources, std::span<const front::Input> inputs,
                                   front::World& world, Diagnostics& diagnostics,
                                   front::Dump* dump = nullptr);

}  // namespace dt::d
