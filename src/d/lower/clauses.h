#pragma once
// Clauses and statements.

#include <cstdint>

#include "d/lower/upper_part.h"
#include "ir/ir.h"

namespace dt::d {
struct Clause;
struct Stmt;
}  // namespace dt::d

namespace dt::d::lowering {

class Segment;
class Speculations;

class Clauses : UpperPart {
 public:
  Clauses(const Core& core, Segment& segment, Speculations& speculations)
      : UpperPart(core), segment_(segment), speculations_(speculations) {}

  // A clause is one function, and records once for each segment with actions that a firing comes
  // through: at the end of the segment, so that one which faults has recorded nothing.
  void lower(const Clause& clause);

 private:
  void statement(const Stmt& stmt);
  // Whether a statement records anything: an action is called.
  bool records(const Stmt& stmt) const;
  // An if whose branches record. The segment before it ends with its condition.
  void recording_if(const Stmt& stmt);
  // An if whose condition is known: it divides nothing.
  void decided_if(const Stmt& stmt, bool condition);
  // Before an if, and at the end of its branches, behind an exit(): only END and ERROR go on.
  void leave_if_exited();
  void end_segment();
  void begin_segment();

  Segment& segment_;
  Speculations& speculations_;
  const Clause* clause_ = nullptr;
  ir::EcbDesc ecb_;
  std::uint32_t action_ = 0;
  bool has_exited_ = false;  // exit() was called since the last if, or the beginning of the branch
};

}  // namespace dt::d::lowering
