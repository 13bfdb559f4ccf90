// AccumulatingCode: statements and additions. See accumulating_code.h.
//
// An addition to an element, `a[keys] <<< value`:
//
//     accumulate: is there an element of this CPU and epoch?
//       yes: it has been added to ------------------------------> other parts
//       no:  are the keys in `present`?
//              yes ---------------------------------------------> new element
//              no:  is there room for one more?
//                     yes: they are put into `present` ---------> new element
//                     no:  the handler goes on at home
//     new element: it is made, with the number of its birth ----> other parts
//     other parts: the other words of the statistic are added to

#include "stap/events/accumulating_code.h"

#include <limits>
#include <set>
#include <utility>

#include "stap/events/accumulating_check.h"
#include "stap/events/entries.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kNowAtHome = 2;  // added to the epoch

}  // namespace

ir::ValueId AccumulatingCode::integer(ir::Op op, ir::ValueId a, ir::ValueId b) {
  const bool is_comparison =
      op == ir::Op::kEq || op == ir::Op::kNe || op == ir::Op::kLtS || op == ir::Op::kLeS;
  return b_.binary(op, a, b, is_comparison ? ir::Type::s32() : ir::Type::s64());
}

void AccumulatingCode::make() {
  const ir::ValueId now = b_.load(all_.epoch, ir::Type::s64());
  const ir::BlockId away = b_.block(), here = b_.block();
  b_.branch(integer(ir::Op::kLtS, number(1), now), away, here);
  b_.enter(away);
  b_.jump(home_, {number(0)});
  b_.enter(here);
  epoch_ = b_.extend(integer(ir::Op::kAnd, now, number(1)), ir::Type::s32());
  begin_locals();
  if (handler_.condition != nullptr) {
    const ir::BlockId leave = b_.block(), go_on = b_.block();
    b_.branch(truth(number(*handler_.condition)), go_on, leave);
    b_.enter(leave);
    b_.ret();
    b_.enter(go_on);
  }
  statement(*handler_.body);
  if (!b_.ended()) b_.ret();
}

// A local variable begins with what the point gives, or 0.
void AccumulatingCode::begin_locals() {
  std::set<const Symbol*> named;
  const auto note = [&](const Expr& expr) {
    if (expr.kind == ExprKind::kName && !expr.symbol->is_global) named.insert(expr.symbol);
  };
  if (handler_.condition != nullptr) for_each(*handler_.condition, note);
  for_each(*handler_.body, note);
  for (const auto& local : handler_.locals) {
    if (!named.contains(local.get()) || local->type == Type::kString) continue;
    std::string by_point;
    for (const Provided& one : handler_.provided) {
      if (one.symbol == local.get()) by_point = one.name;
    }
    const ir::ValueId value = by_point.empty() ? number(0) : provided_(by_point);
    b_.store(tables_.local(local.get()), {value});
  }
}

// False where nothing goes on behind it.
bool AccumulatingCode::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kBlock:
      for (const StmtPtr& one : stmt.body) {
        if (!statement(*one)) return false;
      }
      return true;
    case StmtKind::kIf:
      return condition(stmt);
    case StmtKind::kNext:
      b_.ret();
      return false;
    case StmtKind::kExpr: {
      const Expr& expr = *stmt.expr;
      b_.at(expr.span);
      if (expr.addition >= 0) {
        addition(expr);
      } else if (expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement) {
        assignment(expr);
      } else {
        expr.type == Type::kString ? text(expr) : number(expr);
      }
      return true;
    }
    default:
      return true;
  }
}

bool AccumulatingCode::condition(const Stmt& stmt) {
  const ir::BlockId then = b_.block(), otherwise = b_.block(), end = b_.block();
  b_.at(stmt.expr->span);
  b_.branch(truth(number(*stmt.expr)), then, otherwise);
  b_.enter(then);
  bool goes_on = statement(*stmt.body[0]);
  if (goes_on) b_.jump(end);
  b_.enter(otherwise);
  const bool other = stmt.body.size() < 2 || statement(*stmt.body[1]);
  if (other) b_.jump(end);
  goes_on = goes_on || other;
  if (goes_on) b_.enter(end);
  return goes_on;
}

void AccumulatingCode::assignment(const Expr& expr) {
  const Symbol* const symbol = expr.kids[0]->symbol;
  if (symbol->type == Type::kString) {
    texts_[symbol] = text(*expr.kids[1]);
    return;
  }
  const std::uint32_t local = tables_.local(symbol);
  if (expr.text == "=") return b_.store(local, {number(*expr.kids[1])});
  if (expr.kind == ExprKind::kIncrement) {
    const ir::ValueId by = number(expr.text == "++" ? 1 : -1);
    return b_.store(local, {integer(ir::Op::kAdd, b_.load(local, ir::Type::s64()), by)});
  }
  const ir::ValueId right = number(*expr.kids[1]);
  const std::string op = expr.text.substr(0, expr.text.size() - 1);
  b_.store(local, {operation(expr, op, b_.load(local, ir::Type::s64()), right)});
}

// ---- Going on at home ----

void AccumulatingCode::go_on_at_home(const Accumulations& all, ir::FunctionBuilder& b) {
  b.atomic_add(all.epoch, {b.constant(kNowAtHome)});
}

void AccumulatingCode::go_home() {
  go_on_at_home(all_, b_);
  b_.jump(home_, {number(next_ + 1)});
}

void AccumulatingCode::require(ir::ValueId condition) {
  const ir::BlockId go_on = b_.block(), away = b_.block();
  b_.branch(condition, go_on, away);
  b_.enter(away);
  go_home();
  b_.enter(go_on);
}

// ---- Additions ----

ir::ValueId AccumulatingCode::added_value(const Expr& expr) {
  if (expr.kind == ExprKind::kIncrement) return number(expr.text == "++" ? 1 : -1);
  const ir::ValueId value = number(*expr.kids[1]);
  return expr.text == "-=" ? b_.unary(ir::Op::kNeg, value, ir::Type::s64()) : value;
}

void AccumulatingCode::addition(const Expr& expr) {
  const Expr& left = *expr.kids[0];
  const Accumulated& to = *all_.find(left.symbol);
  const ir::ValueId value = added_value(expr);
  for (const Accumulated::Part& part : to.parts) {
    // It has a bucket of its own at home.
    if (part.words != Accumulated::Words::kLog) continue;
    require(integer(ir::Op::kNe, value, number(std::numeric_limits<std::int64_t>::min())));
  }
  if (left.kind == ExprKind::kIndex) {
    add_to_element(to, left, value);
  } else {
    add_to_scalar(to, value);
  }
  ++next_;
}

ir::ValueId AccumulatingCode::linear_bucket(const Symbol& symbol, ir::ValueId value) {
  const std::int64_t low = symbol.histogram[0], high = symbol.histogram[1],
                     width = symbol.histogram[2];
  const ir::BlockId below = b_.block(), rest = b_.block(), above = b_.block(), inside = b_.block(),
                    end = b_.block();
  const ir::ValueId bucket = b_.param(end, ir::Type::s64());
  b_.branch(integer(ir::Op::kLtS, value, number(low)), below, rest);
  b_.enter(below);
  b_.jump(end, {number(0)});
  b_.enter(rest);
  b_.branch(integer(ir::Op::kLtS, number(high), value), above, inside);
  b_.enter(above);
  b_.jump(end, {number((high - low) / width + 2)});
  b_.enter(inside);
  const ir::ValueId offset = integer(ir::Op::kSub, value, number(low));
  const ir::ValueId index = b_.binary(ir::Op::kDivU, offset, number(width), ir::Type::s64());
  b_.jump(end, {integer(ir::Op::kAdd, index, number(1))});
  b_.enter(end);
  return bucket;
}

std::vector<ir::ValueId> AccumulatingCode::arguments(const Accumulated& to,
                                                     const Accumulated::Part& part,
                                                     std::vector<ir::ValueId> keys,
                                                     ir::ValueId value) {
  if (part.words == Accumulated::Words::kLinear) value = linear_bucket(*to.symbol, value);
  if (part.words != Accumulated::Words::kCount) keys.push_back(value);
  return keys;
}

void AccumulatingCode::add_parts(const Accumulated& to, const std::vector<ir::ValueId>& keys,
                                 ir::ValueId value, std::size_t first, std::size_t epoch) {
  for (std::size_t i = first; i < to.parts.size(); ++i) {
    if (to.parts[i].words == Accumulated::Words::kBirth) continue;
    std::vector<ir::ValueId> all = arguments(to, to.parts[i], keys, value);
    b_.aggregate(to.parts[i].aggregations[epoch], std::move(all));
  }
}

void AccumulatingCode::add_to_scalar(const Accumulated& to, ir::ValueId value) {
  const ir::BlockId odd = b_.block(), even = b_.block(), end = b_.block();
  b_.branch(epoch_, odd, even);
  for (const std::size_t epoch : {std::size_t{1}, std::size_t{0}}) {
    b_.enter(epoch == 1 ? odd : even);
    add_parts(to, {}, value, 0, epoch);
    b_.jump(end);
  }
  b_.enter(end);
}

void AccumulatingCode::add_to_element(const Accumulated& to, const Expr& place, ir::ValueId value) {
  std::vector<ir::ValueId> keys;
  for (std::size_t i = 0; i < place.kids.size(); ++i) {
    const Expr& key = *place.kids[i];
    keys.push_back(key.type == Type::kString ? text(key) : number(key));
    tables_.note_key(to, i, b_.type_of(keys.back()));
  }
  keys.push_back(epoch_);
  ir::Inst add;
  add.op = ir::Op::kAccumulate;
  add.index = to.parts.front().aggregations[0];
  add.type = ir::Type::s32();
  add.args = arguments(to, to.parts.front(), keys, value);
  const ir::ValueId is_there = b_.add(std::move(add));
  const ir::BlockId end = b_.block(), absent = b_.block();
  b_.branch(is_there, end, absent);
  b_.enter(absent);
  make_element(to, keys, value);
  b_.jump(end);
  b_.enter(end);
  add_parts(to, keys, value, 1, 0);
}

void AccumulatingCode::make_element(const Accumulated& to, const std::vector<ir::ValueId>& keys,
                                    ir::ValueId value) {
  const std::vector<ir::ValueId> own(keys.begin(), keys.end() - 1);
  const ir::BlockId unknown = b_.block(), fits = b_.block(), full = b_.block(), known = b_.block();
  b_.branch(b_.load(to.present, ir::Type::s64(), own), known, unknown);
  b_.enter(unknown);
  b_.atomic_add(to.used, {number(1)});
  const std::int64_t most = program_.limits.most_elements(*to.symbol);
  const ir::ValueId used = b_.load(to.used, ir::Type::s64());
  b_.branch(integer(ir::Op::kLeS, used, number(most)), fits, full);
  b_.enter(full);
  b_.atomic_add(to.used, {number(-1)});
  go_home();
  b_.enter(fits);
  std::vector<ir::ValueId> element = own;
  element.push_back(number(1));
  b_.store(to.present, std::move(element));
  b_.jump(known);
  b_.enter(known);
  b_.atomic_add(all_.sequence, {number(1)});
  std::vector<ir::ValueId> birth = keys;
  birth.push_back(b_.load(all_.sequence, ir::Type::s64()));
  b_.aggregate(to.parts.back().aggregations[0], std::move(birth));
  b_.aggregate(to.parts.front().aggregations[0], arguments(to, to.parts.front(), keys, value));
}

}  // namespace dt::stap
