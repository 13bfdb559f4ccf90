#pragma once
// Outcomes: what handlers print and say, on its way out of the session.
//
// If the outlet of the session has tell(), each text and message becomes an outcome
// (front/outcome.h), which names the handler and the firing that it is of. Otherwise they are
// written as they come, as text.

#include <string>
#include <string_view>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/home/firing.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class Outcomes {
 public:
  // `outlet` must outlive this.
  explicit Outcomes(const front::Session::Outlet& outlet) : outlet_(outlet) {}

  // What comes from now on is of this handler. `firing` is that of an event, or null; `caller` is
  // the process that reads or writes the file of a handler, or null. Both must outlive leave().
  void enter(const Handler& handler, const Firing* firing, const Firing* caller);
  // What comes from now on is of no handler.
  void leave();

  // Whether the outlet takes outcomes.
  bool tells() const { return static_cast<bool>(outlet_.tell); }
  void print(std::string_view text);
  // The text that is printed next has this histogram.
  void add_histogram(front::OutcomeHistogram one) { histograms_.push_back(std::move(one)); }
  // A message; what was printed before it comes first.
  void say(const std::string& message);
  // A command of system() that is going to run. Only if tells().
  void tell_command(const std::string& command);
  // Only if tells(): the text that was printed becomes an outcome.
  void flush() { write_printed(true); }

 private:
  front::Origin origin() const;
  void tell(front::Outcome::Kind kind, std::string text, bool goes_on = false);
  void write_printed(bool is_whole);

  const front::Session::Outlet& outlet_;
  const Handler* handler_ = nullptr;
  const Firing* firing_ = nullptr;
  const Firing* caller_ = nullptr;
  std::string printed_;                              // not an outcome yet
  std::vector<front::OutcomeHistogram> histograms_;  // in it
  bool is_part_told_ = false;                        // printed_ continues the last outcome
};

}  // namespace dt::stap
