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

  // An option from text, as behind -x: set("bufsize", "4m"); without a value,
  // a flag is set.
  Status set(std::string_view name, std::string_view value = {});
  // Whether this flag is set.
  bool flag(std::string_view name) const;
  // A number in decimal (sizes in bytes, rates in ns), a flag as 0 or 1, a text
  // as it is; empty when it is not set, or no option that has one value.
  std::string get(std::string_view name) const;
  // Of those that were set, the first one that means nothing for what is read from a recording, as
  // it concerns tracing; "" if there is none.
  std::string unused_on_replay() const;
  // What was set and changes nothing here, and why.
  const std::vector<std::string>& notes() const;

 private:
  friend class Tracer;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dtrace
