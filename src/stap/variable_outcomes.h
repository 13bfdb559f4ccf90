#pragma once
// The values of a script's variables as outcomes: those that are printed at the end, and those of
// which pictures are made.

#include <cstdint>
#include <functional>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/events/watched.h"
#include "stap/home/machine.h"
#include "stap/home/outcomes.h"
#include "stap/home/variables.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class VariableOutcomes {
 public:
  using Visit = front::Session::VisitVariable;

  // All references must outlive this.
  VariableOutcomes(const Program& program, const Watched& watched, Machine& machine,
                   const Outcomes& outcomes, const front::Session::Outlet& outlet)
      : program_(program),
        watched_(watched),
        machine_(machine),
        outcomes_(outcomes),
        outlet_(outlet) {}

  // The elements of a variable of `watched`.
  void read(std::uint32_t variable, const Visit& visit);
  // At the end: the variables that the script writes and never reads, and those of which a picture
  // was asked for.
  void tell_all();

 private:
  front::OutcomeValue outcome_value(const Value& value, Type type) const;
  front::Outcome outcome_of(const Symbol& symbol, const std::vector<Value>& keys,
                            const Value& value, const Statistics& statistics) const;
  void add_histograms(const Symbol& symbol, const Statistics& statistics, front::Outcome& to) const;

  const Program& program_;
  const Watched& watched_;  // the variables that pictures show
  Machine& machine_;
  const Outcomes& outcomes_;
  const front::Session::Outlet& outlet_;
};

}  // namespace dt::stap
