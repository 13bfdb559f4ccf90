#pragma once
// Actions: what a clause records, and what it does besides, in the probe itself.

#include "d/lower/part.h"

namespace dt::record {
struct Action;
}

namespace dt::d::lowering {

class Fields;
class Segment;
class Speculations;

class Actions : Part {
 public:
  Actions(Context& context, Segment& segment, Fields& fields, Speculations& speculations)
      : Part(context), segment_(segment), fields_(fields), speculations_(speculations) {}

  void lower(const Expr* e);

 private:
  void arguments(const Expr* e, record::Action& out);
  void of_aggregations(const Expr* e, record::Action& out);
  void signal(const Expr* e, bool is_stop);
  void chill(const Expr* e);
  void exit(const Expr* e);

  Segment& segment_;
  Fields& fields_;
  Speculations& speculations_;
};

}  // namespace dt::d::lowering
