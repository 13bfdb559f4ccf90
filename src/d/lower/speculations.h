#pragma once
// Speculations. What a clause records after speculate() carries the id; the
// consumer keeps it until a commit() or discard() of the id. Behind an if with a speculate()
// in a branch, the id is what came by that way: -1 where none did.

#include <optional>
#include <vector>

#include "d/lower/part.h"

namespace dt::record {
struct Action;
}

namespace dt::d {
struct Clause;
}

namespace dt::d::lowering {

class Segment;

class Speculations : Part {
 public:
  Speculations(Context& context, Segment& segment) : Part(context), segment_(segment) {}

  // Another segment begins; another clause.
  void begin_segment();
  void begin_clause() { current_.reset(); }
  // What is recorded from here on belongs to it.
  const std::optional<ValueId>& current() const { return current_; }
  void set_current(std::optional<ValueId> id) { current_ = id; }

  // Ends the clause if it fails.
  void speculate(const Expr* e);
  // commit() and discard(): the record tells the consumer; then the id is free.
  void end(const Expr* e, record::Action& out);
  // -1: no speculation.
  ValueId or_none(const std::optional<ValueId>& speculation);
  // Before the segment's record is written. speculate() alone makes a row.
  void mark(const Clause& clause);
  // After it.
  void free_ended();

 private:
  ValueId is_used(const Expr* e, ValueId id);

  Segment& segment_;
  std::optional<ValueId> current_;
  bool speculated_here_ = false;
  std::vector<ValueId> ended_;
};

}  // namespace dt::d::lowering
