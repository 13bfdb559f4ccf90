// The two tables of conditions.

#include "bpf/asm/condition.h"

namespace dt::bpf {

std::optional<Cond> inverse(Cond cond) {
  switch (cond) {
    case Cond::kEq:
      return Cond::kNe;
    case Cond::kNe:
      return Cond::kEq;
    case Cond::kGt:
      return Cond::kLe;
    case Cond::kGe:
      return Cond::kLt;
    case Cond::kLt:
      return Cond::kGe;
    case Cond::kLe:
      return Cond::kGt;
    case Cond::kSgt:
      return Cond::kSle;
    case Cond::kSge:
      return Cond::kSlt;
    case Cond::kSlt:
      return Cond::kSge;
    case Cond::kSle:
      return Cond::kSgt;
    case Cond::kSet:
      return std::nullopt;
  }
  return std::nullopt;
}

Cond mirrored(Cond cond) {
  switch (cond) {
    case Cond::kGt:
      return Cond::kLt;
    case Cond::kGe:
      return Cond::kLe;
    case Cond::kLt:
      return Cond::kGt;
    case Cond::kLe:
      return Cond::kGe;
    case Cond::kSgt:
      return Cond::kSlt;
    case Cond::kSge:
      return Cond::kSle;
    case Cond::kSlt:
      return Cond::kSgt;
    case Cond::kSle:
      return Cond::kSge;
    case Cond::kEq:
    case Cond::kNe:
    case Cond::kSet:
      return cond;
  }
  return cond;
}

}  // namespace dt::bpf
