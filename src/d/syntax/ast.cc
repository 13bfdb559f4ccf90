// The spelling of operators.

#include "d/syntax/ast.h"

namespace dt::d {

const char* op_text(Op op) {
  switch (op) {
    case Op::kNone:
      return "";
    case Op::kAdd:
      return "+";
    case Op::kSub:
      return "-";
    case Op::kMul:
      return "*";
    case Op::kDiv:
      return "/";
    case Op::kMod:
      return "%";
    case Op::kShl:
      return "<<";
    case Op::kShr:
      return ">>";
    case Op::kAnd:
      return "&";
    case Op::kOr:
      return "|";
    case Op::kXor:
      return "^";
    case Op::kLogAnd:
      return "&&";
    case Op::kLogOr:
      return "||";
    case Op::kLogXor:
      return "^^";
    case Op::kEq:
      return "==";
    case Op::kNe:
      return "!=";
    case Op::kLt:
      return "<";
    case Op::kLe:
      return "<=";
    case Op::kGt:
      return ">";
    case Op::kGe:
      return ">=";
    case Op::kNeg:
      return "-";
    case Op::kPlus:
      return "+";
    case Op::kBitNot:
      return "~";
    case Op::kNot:
      return "!";
    case Op::kDeref:
      return "*";
    case Op::kAddrOf:
      return "&";
    case Op::kInc:
      return "++";
    case Op::kDec:
      return "--";
  }
  return "";
}

}  // namespace dt::d
