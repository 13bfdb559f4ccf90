#pragma once
// The body of a handler that adds to variables in the kernel (meaning/accumulations.h), as
// instructions.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/builder.h"
#include "stap/events/target.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// The tables of the program that such handlers share: variables, aggregations, constants.
class AccumulatingTables {
 public:
  // Makes those that are needed; both must outlive this.
  AccumulatingTables(Program& program, ir::Program& out);

  // The types of what is given as keys, whose widths finish() decides.
  void note_key(const Accumulated& of, std::size_t key, ir::Type type);
  // A constant, by its number in ir::Program::strings.
  std::uint32_t text(const std::string& text);
  // The variable that a local variable of a handler is.
  std::uint32_t local(const Symbol* symbol);
  // Behind the last clause.
  void finish();

 private:
  void make(Accumulated& one);
  std::uint32_t variable(std::string name, ir::Scope scope, ir::Type type);
  std::uint32_t aggregation(const Accumulated& of, Accumulated::Words words);

  Program& program_;
  ir::Program& out_;
  std::map<const Symbol*, std::uint32_t> locals_;
  std::map<std::string, std::uint32_t> texts_;
  std::map<const Symbol*, std::vector<ir::Type>> keys_;
};

class AccumulatingCode {
 public:
  // What the point gives under a name.
  using ProvidedValue = std::function<ir::ValueId(const std::string& name)>;
  using LeafValue = std::function<TargetValue(const Leaf&)>;
  // All must outlive this. `home` goes on at home; its parameter says from where: 0: as home has
  // asked for; n: behind the first n - 1 additions.
  AccumulatingCode(const Program& program, const Handler& handler, AccumulatingTables& tables,
                   ir::FunctionBuilder& b, LeafValue leaf, ProvidedValue provided, ir::BlockId home)
      : program_(program),
        all_(program.accumulations),
        handler_(handler),
        tables_(tables),
        b_(b),
        leaf_(std::move(leaf)),
        provided_(std::move(provided)),
        home_(home) {}

  // Ends the current block.
  void make();
  // From now on all such handlers are run at home.
  static void go_on_at_home(const Accumulations& all, ir::FunctionBuilder& b);

 private:
  void begin_locals();
  bool statement(const Stmt& stmt);
  bool condition(const Stmt& stmt);
  void assignment(const Expr& expr);
  void addition(const Expr& expr);
  ir::ValueId added_value(const Expr& expr);
  void add_to_scalar(const Accumulated& to, ir::ValueId value);
  void add_to_element(const Accumulated& to, const Expr& place, ir::ValueId value);
  void make_element(const Accumulated& to, const std::vector<ir::ValueId>& keys, ir::ValueId value);
  void add_parts(const Accumulated& to, const std::vector<ir::ValueId>& keys, ir::ValueId value,
                 std::size_t first, std::size_t epoch);
  std::vector<ir::ValueId> arguments(const Accumulated& to, const Accumulated::Part& part,
                                     std::vector<ir::ValueId> keys, ir::ValueId value);
  ir::ValueId linear_bucket(const Symbol& symbol, ir::ValueId value);
  void require(ir::ValueId condition);
  void go_home();
  ir::ValueId number(const Expr& expr);
  ir::ValueId name(const Expr& expr);
  ir::ValueId call(const Expr& expr);
  ir::ValueId script_function(const Expr& expr);
  ir::ValueId leaf(const Expr& expr);
  ir::ValueId unary(const Expr& expr);
  ir::ValueId binary(const Expr& expr);
  ir::ValueId shortened(const Expr& expr);
  ir::ValueId operation(const Expr& expr, std::string_view op, ir::ValueId left, ir::ValueId right);
  ir::ValueId ternary(const Expr& expr);
  ir::ValueId text(const Expr& expr);
  ir::ValueId truth(ir::ValueId value);
  ir::ValueId integer(ir::Op op, ir::ValueId a, ir::ValueId b);
  ir::ValueId number(std::int64_t value) { return b_.constant(value); }

  const Program& program_;
  const Accumulations& all_;
  const Handler& handler_;
  AccumulatingTables& tables_;
  ir::FunctionBuilder& b_;
  LeafValue leaf_;
  ProvidedValue provided_;
  ir::BlockId home_;
  ir::ValueId epoch_ = 0;  // 0 or 1
  std::int64_t next_ = 0;  // additions so far
  std::map<const Symbol*, ir::ValueId> texts_;
};

}  // namespace dt::stap
