#pragma once
// The options of -x, by their names (dtrace(1)).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dtrace/result.h"
#include "dtrace/visibility.h"

namespace dtrace {

class DTRACE_API Options {
 public:
  Options();
  ~Options();
  Options(const Options& other);
  Options(Options&& other) noexcept;
  Options& operator=(const Options& other);
  Options& operator=(Options&& other) noexcept;

  // Sets an option from text, as -x does: set("bufsize", "4m"). Without a value, sets a flag.
  Status set(std::string_view name, std::string_view value = {});
  // Whether this flag is set.
  bool flag(std::string_view name) const;
  // The value as text: a number in decimal (sizes in bytes, rates in ns), a flag as 0 or 1, a text
  // as it is. "" when the option is not set, does not exist or has several values.
  std::string get(std::string_view name) const;
  // The first option that was set although it has no effect on reading a recording, as it concerns
  // tracing; "" when there is none.
  std::string unused_on_replay() const;
  // Options that were set and have no effect on this system, each with the reason.
  const std::vector<std::string>& notes() const;

 private:
  friend class Tracer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dtrace
