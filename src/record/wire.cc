// The words for what is on the wire.

#include "record/wire.h"

namespace dt::record {

const char* fault_text(Fault fault) {
  switch (fault) {
    case Fault::kBadAddress:
      return "invalid address";
    case Fault::kBadAlignment:
      return "invalid alignment";
    case Fault::kIllegalOperation:
      return "illegal operation";
    case Fault::kDivideByZero:
      return "divide-by-zero";
    case Fault::kNoScratch:
      return "out of scratch space";
    case Fault::kKernelPrivilege:
      return "invalid kernel access";
    case Fault::kUserPrivilege:
      return "invalid user access";
    case Fault::kTupleOverflow:
      return "tuple stack overflow";
    case Fault::kBadStack:
      return "bad stack";
  }
  // The code came off the wire and is not one of ours.
  return "unknown fault";
}

}  // namespace dt::record
