#include "d/lower/lower.h"

#include "d/lower/actions.h"
#include "d/lower/addresses.h"
#include "d/lower/aggregations.h"
#include "d/lower/assignments.h"
#include "d/lower/bit_fields.h"
#include "d/lower/capacities.h"
#include "d/lower/clauses.h"
#include "d/lower/conditions.h"
#include "d/lower/context.h"
#include "d/lower/fields.h"
#include "d/lower/integers.h"
#include "d/lower/kernel_structures.h"
#include "d/lower/memory.h"
#include "d/lower/memory_stores.h"
#include "d/lower/network_addresses.h"
#include "d/lower/objects.h"
#include "d/lower/parameters.h"
#include "d/lower/part.h"
#include "d/lower/program_tables.h"
#include "d/lower/recorded_values.h"
#include "d/lower/scratch_memory.h"
#include "d/lower/segment.h"
#include "d/lower/speculations.h"
#include "d/lower/string_subroutines.h"
#include "d/lower/string_values.h"
#include "d/lower/strings.h"
#include "d/lower/upper_part.h"
#include "d/lower/values.h"
#include "d/lower/variables.h"

namespace dt::d {

namespace lowering {
namespace {

// The parts, in the order in which they know of each other, and which of them an expression is
// for.
class Lowerer final : public ExpressionLowerer {
 public:
  Lowerer(const Checked& checked, World& world)
      : context_{checked, world, *this, TypeRules(world.types)} {}

  ir::Program program(const std::vector<Unit>& units);

  ValueId value(const Expr* e) override { return values_.value(e); }
  ValueId string(const Expr* e) override { return strings_.lower(e); }
  ValueId read_string(const Expr* e) override { return strings_.read(e); }
  ValueId bytes_of(const Expr* e) override { return objects_.bytes_of(e); }
  ValueId address(const Expr* e) override { return addresses_.of(e); }
  void effect(const Expr* e) override { values_.effect(e); }

 private:
  Context context_;

  // The lower floor.
  Capacities capacities_{context_};
  ProgramTables tables_{context_, capacities_};
  Parameters parameters_{context_};
  StringValues string_values_{context_, capacities_};
  BitFields bit_fields_{context_};
  StringSubroutines string_subroutines_{context_, capacities_};
  Conditions conditions_{context_, string_values_, capacities_};
  Integers integers_{context_, string_subroutines_, conditions_};
  Variables variables_{context_};
  MemoryStores memory_stores_{context_, bit_fields_, integers_, string_values_};
  const Core core_{context_,    capacities_,         parameters_, string_values_,
                   bit_fields_, string_subroutines_, conditions_, integers_,
                   variables_,  memory_stores_};

  // The upper floor.
  RecordedValues recorded_{context_};
  Objects objects_{core_, recorded_};
  Memory memory_{core_, objects_};
  ScratchMemory scratch_{core_, objects_};
  Addresses addresses_{core_, objects_, memory_, scratch_};
  KernelStructures kernel_{core_};
  NetworkAddresses network_addresses_{core_, scratch_};
  Assignments assignments_{core_, objects_};
  Strings strings_{core_, kernel_, network_addresses_, objects_, assignments_};
  Segment segment_{context_};
  Speculations speculations_{context_, segment_};
  Fields fields_{context_, segment_, kernel_, scratch_, objects_};
  Actions actions_{context_, segment_, fields_, speculations_};
  Aggregations aggregations_{core_, scratch_};
  Values values_{core_,      memory_,      scratch_, kernel_,
                 addresses_, assignments_, actions_, aggregations_};
  Clauses clauses_{core_, segment_, speculations_};
};

ir::Program Lowerer::program(const std::vector<Unit>& units) {
  tables_.lower();
  for (const Unit& unit : units) {
    for (const Item& item : unit.items) {
      if (item.kind == Item::Kind::kClause) {
        clauses_.lower(unit.clauses[item.index]);
      }
    }
  }
  return std::move(context_.program);
}

}  // namespace
}  // namespace lowering

ir::Program lower(const std::vector<Unit>& units, const Checked& checked, World& world) {
  return lowering::Lowerer(checked, world).program(units);
}

}  // namespace dt::d
