#include "d/lower/program_tables.h"

#include "d/check/checked.h"
#include "d/lower/capacities.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"

namespace dt::d::lowering {

void ProgramTables::lower() {
  capacities_.compute();
  // An integer keeps all of its 64 bits until it is recorded.
  const auto ir_type = [this](types::TypeId type, std::uint32_t capacity) {
    return rules_.is_string(type)    ? ir::Type::string(capacity)
           : is_object(type, rules_) ? bytes_type(type)
                                     : ir::Type::integer(8, rules_.ir_type(type).is_signed);
  };
  for (std::size_t i = 0; i < checked_.variables.size(); ++i) {
    const VariableInfo& info = checked_.variables[i];
    ir::Variable variable{
        info.name, info.scope, ir_type(info.type, capacities_.of_variable(i)), {}};
    for (std::size_t k = 0; k < info.keys.size(); ++k) {
      variable.keys.push_back(rules_.is_string(info.keys[k])
                                  ? ir::Type::string(capacities_.of_key(i, k))
                              : is_object(info.keys[k], rules_) ? bytes_type(info.keys[k])
                                                                : info.registers[k]);
    }
    program_.variables.push_back(std::move(variable));
  }
  for (std::size_t i = 0; i < checked_.aggregations.size(); ++i) {
    const AggregationInfo& info = checked_.aggregations[i];
    record::AggLayout layout;
    layout.name = info.name;
    layout.func = info.func;
    layout.params = info.params;
    layout.argument = info.argument;
    for (std::size_t k = 0; k < info.keys.size(); ++k) {
      record::FieldType type = info.keys[k].field;
      if (type.kind == record::FieldKind::kString) {
        type.size = capacities_.of_aggregation_key(i, k);
      }
      layout.keys.push_back({type, 0, info.keys[k].span});
    }
    layout.value_words = record::value_words(info.func, info.params);
    layout.drained = info.drained;
    record::place_keys(layout);
    program_.aggregations.push_back(std::move(layout));
  }
  program_.scratch_size = (world_.scratch_size + 7) / 8 * 8;
}

}  // namespace dt::d::lowering
