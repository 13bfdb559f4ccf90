#pragma once
// Capture: an event's clause records what its handler asks; the handler then runs at home, over
// what was recorded, in the order of the firings.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "front/session.h"
#include "ir/ir.h"
#include "stap/events/argument_memory.h"
#include "stap/events/argument_text.h"
#include "stap/events/probes.h"
#include "stap/events/target.h"
#include "stap/home/firing.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

class AccumulatingTables;
class OriginValues;

class Capture {
 public:
  Capture(Program& program, const EventProbes& probes, const types::Catalog& types,
          Messages& messages)
      : program_(program), probes_(probes), types_(types), messages_(messages) {}

  // The clauses of all events; what a probe cannot give is reported.
  ir::Program make();

  // The handler of a record, and its firing; null: it is of no clause.
  Handler* decode(const front::Recorded& recorded, Firing& firing) const;

 private:
  // What is recorded of a firing, in this order.
  struct Field {
    // kMemory: `part` of what the argument leads to, and whether it is there.
    // kIsReadable: whether the path of another one leads somewhere.
    // kAddress, kReading, kIsRead: of the origin `argument` of the handler, the address, the memory
    // at that address, and whether the kernel could read the memory.
    enum class What : std::uint8_t {
      kBuiltin,
      kArgument,
      kStack,
      kUstack,
      kUserText,
      kKernelText,
      kMemory,
      kIsReadable,
      kAddress,
      kReading,
      kIsRead,
      kAtRegister,  // of the program: `argument` is its number, and `offset` is added
      kFrom         // of a handler that accumulates: where it goes on (AccumulatingCode)
    };
    What what = What::kBuiltin;
    ir::Builtin builtin = ir::Builtin::kPid;
    int argument = 0;
    std::vector<Leaf::Step> path = {};  // from the argument to the value
    bool is_address = false;            // where the path leads, and not what is there
    std::int64_t offset = 0;
    MemoryPart part = {};
    auto operator<=>(const Field&) const = default;
  };
  struct Clause {
    Handler* handler = nullptr;
    const Event* event = nullptr;
    std::vector<Field> fields;
    std::vector<const ProbeInfo*> probes;
    std::vector<record::Field> places;  // of the fields, in a record
  };

  void clauses_of(Handler& handler, const Event& event);
  std::vector<Field> fields_of(const Handler& handler, const Event& event, const ProbeInfo& probe);
  void leaf_fields(const Leaf& leaf, const Event& event, const ProbeInfo& probe,
                   std::vector<Field>& out);
  void provided_fields(const Handler& handler, const Event& event, const ProbeInfo& probe,
                       std::vector<Field>& out);
  int argument_of(const Leaf& leaf, const Event& event, const ProbeInfo& probe);
  static int width_of_leaf(const Leaf& leaf, const Event& event, const ProbeInfo& probe);
  static Field field_of(const Leaf& leaf, const Event& event, int argument);
  static Field field_of(const ProgramVariable& variable);
  TargetValue leaf_value(const Clause& clause, const Leaf& leaf, ir::FunctionBuilder& b) const;
  static TargetType target_of(const ProbeInfo& probe, int argument);
  // The state of one clause while its fields are lowered.
  struct Lowering {
    ir::FunctionBuilder& b;
    OriginValues& origins;
    ir::ValueId from = 0;                     // Field::What::kFrom
    const std::vector<std::uint64_t>& sites;  // of a mark
    // Whether the path of a field leads somewhere, by argument, path and is_address. What they lead
    // to is a field before the one that asks.
    std::map<std::tuple<int, std::vector<Leaf::Step>, bool>, ir::ValueId> readable = {};
    std::optional<ir::ValueId> wide = {};  // wide_only()
  };
  ir::EcbDesc lower(Clause& clause, AccumulatingTables& tables) const;
  ir::ValueId field_value(const Clause& clause, const Field& field, Lowering& at) const;
  static void memory_fields(const Event& event, const ProbeInfo& probe, std::size_t argument,
                            std::vector<Field>& out);
  static Field memory_field(int number, const MemoryPart& part) {
    return {Field::What::kMemory, ir::Builtin::kArg, number, {}, false, 0, part};
  }
  static ir::ValueId start_of(const Field& field, const Lowering& at);
  ir::ValueId wide_only(Lowering& at) const;
  int result_of(const Leaf& leaf, const Event& event, const ProbeInfo& probe);
  void refuse_in_copy(const Leaf& leaf, const Event& event, const ProbeInfo& probe);
  static record::FieldType type_of(const Field& field, const ir::Type& type);
  ir::ValueId accumulate(const Clause& clause, AccumulatingTables& tables,
                         ir::FunctionBuilder& b) const;
  static int argument_number(const Leaf& leaf, const Event& event, const ProbeInfo& probe);
  std::vector<int> arguments_of_leaves(const Handler& handler, const Event& event,
                                       const ProbeInfo& probe) const;

  std::optional<Value> field(const Clause& clause, const Field& field,
                             std::span<const std::uint8_t> bytes) const;
  std::vector<RecordedArgument> arguments(const Clause& clause, const ProbeInfo& probe,
                                          std::span<const std::uint8_t> bytes) const;
  void memory(const Clause& clause, const ProbeInfo& probe, std::span<const std::uint8_t> bytes,
              std::vector<RecordedArgument>& out) const;
  Value provided(const Clause& clause, const ProbeInfo& probe, const std::string& name,
                 std::span<const std::uint8_t> bytes) const;
  void contexts(const Clause& clause, const ProbeInfo& probe, std::span<const std::uint8_t> bytes,
                Firing& firing) const;
  void readings(const Clause& clause, std::span<const std::uint8_t> bytes, Firing& firing) const;
  void leaves(const Clause& clause, const ProbeInfo& probe, std::span<const std::uint8_t> bytes,
              Firing& firing) const;

  Program& program_;
  const EventProbes& probes_;
  const types::Catalog& types_;
  Messages& messages_;
  std::vector<Clause> clauses_;
};

}  // namespace dt::stap
