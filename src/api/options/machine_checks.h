#pragma once
// Whether this machine has what the options of a run name.

#include <vector>

#include "api/options/options.h"
#include "support/result.h"

namespace dt::api {

// Replaces what people call a container or a service by the name of its zone or control group: a
// container's number or name, its host name, a process in it, a service without ".service". Other
// words are left as they are. An error where several are meant.
Status find_places(Options& options);

// The CPU of -x cpu must be online, and the zone of -x zone and the control group of -x cgroup must
// exist. With -Z these two may come later, and are not checked: where that would help, the code of
// the error is ESRCH.
Status check_places(const Options& options, const std::vector<int>& online_cpus);

}  // namespace dt::api
