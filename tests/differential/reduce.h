#pragma once
// Makes a failing script smaller: whatever it can do without is dropped.

#include <functional>

#include "script.h"

namespace dt::differential {

// `fails` says whether a smaller script still fails as the first did.
Script reduce(Script script, const std::function<bool(const Script&)>& fails);

}  // namespace dt::differential
