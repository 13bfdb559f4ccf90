#pragma once
// The output of a run, of tracing and of a replay alike.

#include <memory>

#include "api/options/request.h"
#include "consumer/output/output.h"

namespace dt::api {

bool is_terminal(const Place& place);
std::unique_ptr<consumer::FileOutput> open_place(const Place& place);

}  // namespace dt::api
