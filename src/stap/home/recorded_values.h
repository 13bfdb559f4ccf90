#pragma once
// The values of expressions that the firing has recorded: leaves, and memory (meaning/access.h).

#include <cstdint>

#include "stap/home/execution.h"
#include "stap/home/recorded_memory.h"
#include "stap/meaning/access.h"

namespace dt::stap {

class RecordedValues {
 public:
  // All references must outlive this.
  RecordedValues(Execution& run, Evaluator& expressions)
      : run_(run), expressions_(expressions), memory_(run) {}

  // All are false after an error. The value of a leaf (Expr::leaf): where memory could not be read,
  // the second argument or an error.
  bool leaf(Expr& expr, Value& out);
  // Of memory (Expr::access).
  bool access(Expr& expr, Value& out);

 private:
  bool steps(Expr& expr, Access& of, Value& value);
  bool load(Expr& expr, const AccessStep& step, std::uint64_t address, Value& out);
  bool show(const Expr& expr, const Access& of, std::int64_t at, Value& out);
  bool bytes(Expr& expr, const Access& of, std::uint64_t at, Value& out);
  bool is_faulty(const Expr& expr, const RecordedMemory::Fault& fault);

  Execution& run_;
  Evaluator& expressions_;
  RecordedMemory memory_;
  bool is_address_shown_ = false;  // instead of a text that cannot be read
  bool is_skipped_ = false;        // the read fault is one that --skip-badvars makes 0
};

}  // namespace dt::stap
