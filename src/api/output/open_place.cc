// See open_place.h.

#include "api/output/open_place.h"

#include <unistd.h>

namespace dt::api {

bool is_terminal(const Place& place) { return place.fd >= 0 && ::isatty(place.fd) == 1; }

std::unique_ptr<consumer::FileOutput> open_place(const Place& place) {
  return place.fd >= 0 ? std::make_unique<consumer::FileOutput>(place.fd, place.name)
                       : std::make_unique<consumer::FileOutput>(place.take);
}

}  // namespace dt::api
