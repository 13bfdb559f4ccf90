#include "d/check/quantizers.h"

#include <fmt/core.h>

#include <limits>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"

namespace dt::d {

void Quantizers::lquantize(const Expr* call, record::AggParams& params) {
  struct Parameter {
    std::size_t argument;
    const char* type_tag;
    const char* value_tag;
    std::int64_t* out;
  };
  const Parameter parameters[] = {{1, "D_LQUANT_BASETYPE", "D_LQUANT_BASEVAL", &params.base},
                                  {2, "D_LQUANT_LIMTYPE", "D_LQUANT_LIMVAL", &params.limit}};
  for (const Parameter& p : parameters) {
    const Expr* e = call->args[p.argument];
    if (!e->is_constant || !rules_.is_integer(e->type)) {
      error(p.type_tag, e->span,
            fmt::format("lquantize( ) argument #{} must be an integer constant", p.argument + 1));
      return;
    }
    *p.out = static_cast<std::int64_t>(e->int_value);
    if (*p.out < std::numeric_limits<std::int32_t>::min() ||
        *p.out > std::numeric_limits<std::int32_t>::max()) {
      error(p.value_tag, e->span,
            fmt::format("lquantize( ) argument #{} must be a 32-bit quantity", p.argument + 1));
      return;
    }
  }
  if (params.limit <= params.base) {
    error("D_LQUANT_MISMATCH", call->args[1]->span,
          "lquantize( ) base (argument #2) must be less than limit (argument #3)");
    return;
  }
  constexpr std::int64_t kMaxLevels = std::numeric_limits<std::uint16_t>::max();
  const std::int64_t range = params.limit - params.base;
  if (call->args.size() > 3) {
    const Expr* step = call->args[3];
    if (!positive_constant(step)) {
      error("D_LQUANT_STEPTYPE", step->span,
            "lquantize( ) argument #4 must be a non-zero positive integer constant");
      return;
    }
    if (step->int_value > static_cast<std::uint64_t>(kMaxLevels)) {
      error("D_LQUANT_STEPVAL", step->span, "lquantize( ) argument #4 must be a 16-bit quantity");
      return;
    }
    params.step = static_cast<std::int64_t>(step->int_value);
  }
  if (params.step > range) {
    error("D_LQUANT_STEPLARGE", call->args[3]->span,
          "lquantize( ) step (argument #4) must not be larger than the range from base to limit");
    return;
  }
  if (range / params.step > kMaxLevels) {
    error(
        "D_LQUANT_STEPSMALL", call->args.size() > 3 ? call->args[3]->span : call->span,
        "lquantize( ) step (argument #4) is too small for the range: too many quantization levels");
  }
}

// The numbers that are given; false when one of them is none (reported).
bool Quantizers::llquantize_numbers(const Expr* call, record::AggParams& params) {
  struct Parameter {
    std::size_t argument;
    const char* what;
    const char* type_tag;
    const char* value_tag;
    std::uint32_t* out;
  };
  const Parameter parameters[] = {
      {1, "factor", "D_LLQUANT_FACTORTYPE", "D_LLQUANT_FACTORVAL", &params.factor},
      {2, "low magnitude", "D_LLQUANT_LOWTYPE", "D_LLQUANT_LOWVAL", &params.low},
      {3, "high magnitude", "D_LLQUANT_HIGHTYPE", "D_LLQUANT_HIGHVAL", &params.high},
      {4, "linear steps per magnitude", "D_LLQUANT_NSTEPTYPE", "D_LLQUANT_NSTEPVAL",
       &params.nsteps}};
  for (const Parameter& p : parameters) {
    const Expr* e = call->args[p.argument];
    if (!e->is_constant || !rules_.is_integer(e->type)) {
      error(p.type_tag, e->span,
            fmt::format("llquantize( ) argument #{} ({}) must be an integer constant",
                        p.argument + 1, p.what));
      return false;
    }
    if (e->int_value > std::numeric_limits<std::uint16_t>::max()) {
      error(p.value_tag, e->span,
            fmt::format("llquantize( ) argument #{} ({}) must be an unsigned 16-bit quantity",
                        p.argument + 1, p.what));
      return false;
    }
    *p.out = static_cast<std::uint32_t>(e->int_value);
  }
  return true;
}

void Quantizers::llquantize(const Expr* call, record::AggParams& params) {
  if (!llquantize_numbers(call, params)) {
    return;
  }
  if (params.factor < 2) {
    error("D_LLQUANT_FACTORSMALL", call->args[1]->span,
          "llquantize( ) factor (argument #2) must be two or more");
    return;
  }
  if (params.high <= params.low) {
    error("D_LLQUANT_MAGRANGE", call->args[3]->span,
          "llquantize( ) high magnitude (argument #4) must be greater than low magnitude "
          "(argument #3)");
    return;
  }
  if (params.factor > params.nsteps) {
    error("D_LLQUANT_FACTORNSTEPS", call->args[4]->span,
          "llquantize( ) factor (argument #2) must be less than or equal to the number of linear "
          "steps per magnitude (argument #5)");
    return;
  }
  // nsteps must divide a power of factor, and factor must divide nsteps.
  std::uint64_t power = params.factor;
  while (power < params.nsteps) {
    power *= params.factor;
  }
  if (params.nsteps % params.factor != 0 || power % params.nsteps != 0) {
    error("D_LLQUANT_FACTOREVEN", call->args[1]->span,
          "llquantize( ) factor (argument #2) must evenly divide the number of steps per magnitude "
          "(argument #5), and that must evenly divide a power of the factor");
    return;
  }
  std::uint64_t top = 1;
  for (std::uint32_t i = 0; i < params.high; ++i) {
    if (top > std::numeric_limits<std::uint64_t>::max() / params.factor) {
      error("D_LLQUANT_MAGTOOBIG", call->args[3]->span,
            fmt::format("llquantize( ) factor ({}) raised to the power of the high magnitude ({}) "
                        "overflows 64 bits",
                        params.factor, params.high));
      return;
    }
    top *= params.factor;
  }
}

}  // namespace dt::d
