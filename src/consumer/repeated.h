#pragma once
// Faults that come again. A clause that cannot read what its script names fails at every firing:
// thousands of equal lines say no more than the first one. So the first of each place is said at
// once, and how often it came again with the reports of drops.

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
