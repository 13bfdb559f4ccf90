#pragma once
// Front-end 1: the D language. Text -> ir::Program; asks nothing of the kernel
// but through World.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "d/syntax/world.h"
#include "front/dump.h"
#include "front/front_end.h"
#include "front/input.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// The version of the language.
constexpr const char* kVersion = "1.14";

std::unique_ptr<front::FrontEnd> make_front_end(Options options);

// Compiles all inputs into one program (variables are shared between them).
// nullopt when diagnostics were reported.
std::optional<ir::Program> compile(Sources& sources, std::span<const front::Input> inputs,
                                   World& world, Diagnostics& diagnostics,
                                   front::Dump* dump = nullptr);

}  // namespace dt::d
