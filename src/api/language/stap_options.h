#pragma once
// Which options of -x mean something for a script in the SystemTap language.

#include "api/options/request.h"
#include "support/result.h"

namespace dt::api {

// What would be silent is refused, with the reason: an option that changes nothing for such a
// script, and a callback that would never be called, or with what no handler has made.
Status check_stap_request(const Request& request, const Callbacks& callbacks);

}  // namespace dt::api
