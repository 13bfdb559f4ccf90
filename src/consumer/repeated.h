#pragma once
// Faults that are repeated. A clause that reads an invalid address fails at every firing, and
// thousands of equal lines are worth no more than the first one. So the first fault of each place
// is reported at once, and the number of its repetitions with the next report of drops.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace dt::consumer {

class RepeatedFaults {
 public:
  struct Place {
    std::uint32_t epid, site, fault;
    bool operator<(const Place& other) const {
      return std::tie(epid, site, fault) < std::tie(other.epid, other.site, other.fault);
    }
  };
  // Whether it is the first of its place. `text` is the message of this one.
  bool is_first(const Place& place, std::string_view text);
  // The message of each place at which there were more since the last report: as it is if there
  // was one, otherwise the last one and their number.
  void report(const std::function<void(std::string_view)>& say);

 private:
  struct More {
    std::uint64_t count = 0;
    std::string text;
  };
  std::map<Place, More> places_;
};

}  // namespace dt::consumer
