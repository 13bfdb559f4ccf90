// print() and printm(): values with their types, and memory as it is.

#include "d/check/checker.h"

namespace dt::d {

namespace {

// What one print() records at most: larger than any structure that one would
// want to read, and small beside a buffer.
constexpr std::uint32_t kMaxPrintBytes = 32768;
constexpr std::uint64_t kMaxPrintmBytes = 4096;

}  // namespace

void Checker::print(Expr* e) {
  const Expr* value = e->args[0];
  if (value->kind == ExprKind::kAggregation) {
    error("D_PRINT_AGG", value->span, "print( ) may not be applied to an aggregation").hint =
        fmt::format("use printa(@{})", shown_name(value->text));
    return;
  }
  if (rules_.is_void(value->type)) {
    error("D_PRINT_VOID", value->span, "print( ) may not be applied to a void expression");
    return;
  }
  const bool is_memory = rules_.is_aggregate(value->type) || rules_.is_float(value->type) ||
                         rules_.kind(value->type) == types::Kind::kArray;
  if (rules_.is_dynamic(value->type) || value->translation != 0) {
    error("D_PRINT_DYN", value->span, "print( ) may not be applied to a dynamic expression").hint =
        member_hint(value);
  } else if (is_memory && (rules_.size(value->type) == 0 || !value->is_lvalue) &&
             !is_string_operand(value)) {
    error("D_PRINT_DYN", value->span,
          fmt::format("print( ) may not be applied to a value of type \"{}\"", type_name(value)));
  } else if (is_memory && rules_.size(value->type) > kMaxPrintBytes) {
    error("D_PRINT_DYN", value->span,
          fmt::format("print( ) of {} bytes is too large: the limit is {}",
                      rules_.size(value->type), kMaxPrintBytes))
        .hint = "print a member";
  }
}

void Checker::printm(Expr* e) {
  const Expr* size = e->args[0];
  const Expr* address = e->args[1];
  if (!positive_constant(size)) {
    error("D_PRINTM_SIZE", size->span,
          "printm( ) argument #1 must be a non-zero positive integral constant expression");
  } else if (size->int_value > kMaxPrintmBytes) {
    error(
        "D_PRINTM_SIZE", size->span,
        fmt::format("printm( ) argument #1 is too large: the limit is {} bytes", kMaxPrintmBytes));
  } else if (!rules_.is_scalar(address->type)) {
    error("D_PRINTM_ADDR", address->span,
          fmt::format("printm( ) argument #2 is incompatible with prototype:\n\tprototype: "
                      "pointer or integer\n\t argument: {}",
                      type_name(address)));
  }
}

}  // namespace dt::d
