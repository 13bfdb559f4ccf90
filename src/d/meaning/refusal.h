#pragma once
// The words of D for what later stages refuse of a program.

#include "front/front_end.h"
#include "ir/refusal.h"

namespace dt::d {

front::FrontEnd::Words words(const ir::Refusal& refusal);

}  // namespace dt::d
