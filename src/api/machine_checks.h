#pragma once
// Whether this machine has what the options of a run name.

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.h"

namespace dt::api {

// The CPU of -x cpu must be online.
Status check_cpu(std::uint32_t cpu, const std::vector<int>& online);

// The zone of -x zone must exist. With -Z it may come later, and is not to be checked. The code of
// the error is ESRCH where that would help.
Status check_zone(const std::string& zone);

// The same for the control group of -x cgroup.
Status check_cgroup(const std::string& cgroup);

}  // namespace dt::api
