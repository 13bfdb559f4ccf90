// Routines: json(). The automaton is json_table.h; its state is in
// scratch memory, so that a step costs the verifier the same wherever it is.

#include "bpf/routine/json_table.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

// A name of the selector in one word: where it begins, where it ends (from bit
// 16 on) and from bit 32 on the number that it is, or kNoNumber.
constexpr std::int32_t kNoNumber = 0x7fffffff;
constexpr std::int32_t kNumberDigits = 9;

// What the steps of one search share, a word each.
enum Word : std::int32_t {
  kAt = 0,
  kState = 8,
  kStart = 16,  // of the value
  kDepth = 24,
  kIndex = 32,  // in an array
  kName = 40,   // of the selector; the one that is looked for
  kNextName = 48,
  kMatched = 56,  // where in the selector the key agrees up to, or far beyond
  kWanted = 64,   // the value is the one
  kIsObject = 72,
  kResult = kJsonResult,
};
static_assert(kJsonNextName == kNextName);

// Writes the steps of the automaton that walks through a JSON text. Its table is states by classes
// of bytes; an entry is the next state and, in the upper bits, an action:
//
//   class = table[byte];  entry = table[256 + state * classes + class]
//
// So what all bytes have in common is a handful of instructions, without a branch on the state, and
// the verifier sees one state of its own per step, whatever the automaton's. The values that steps
// share are in memory, not in registers, so that the verifier forgets them between steps.
class JsonSteps {
 public:
  JsonSteps(Unit& unit, const std::vector<Reg>& r, const Routine& routine)
      : unit_(unit), e_(unit.e), text_(r[0]), selector_(r[1]), work_(r[2]), routine_(routine) {}

  void write() {
    const std::uint32_t table = unit_.add_rodata(json_table());
    const Label loop = e_.label();
    const Reg count = e_.imm(0);
    e_.bind(loop);
    at_ = get(kAt);
    e_.jump_if_imm(Cond::kGe, at_, static_cast<std::int32_t>(routine_.first), fail_);
    byte_ = e_.load(1, sum(e_, text_, at_), 0);
    const Reg cls = e_.map_value({MapKind::kRodata, 0}, table);
    e_.alu(Alu::kAdd, cls, byte_);
    const Reg state = get(kState);
    e_.alu_imm(Alu::kAnd, state, kJsonStates - 1);
    e_.alu_imm(Alu::kMul, state, kJsonClasses * 2);
    const Reg column = e_.load(1, cls, 0);
    e_.alu_imm(Alu::kAnd, column, kJsonClasses - 1);
    e_.alu_imm(Alu::kLsh, column, 1);
    e_.alu(Alu::kAdd, state, column);
    e_.alu(Alu::kAdd, state, e_.map_value({MapKind::kRodata, 0}, table + 256));
    const Reg entry = e_.load(2, state, 0);
    const Reg action = copy(e_, entry);
    e_.alu_imm(Alu::kAnd, entry, kJsonStates - 1);
    put(kState, entry);
    put(kAt, plus(at_, 1));
    e_.alu_imm(Alu::kRsh, action, kJsonActionShift);
    e_.jump_if_imm(Cond::kNe, action, 0, dispatch_);
    e_.bind(next_);
    e_.alu_imm(Alu::kAdd, count, 1);
    e_.jump_if_imm(Cond::kLt, count, kStepsPerCall, loop);
    ret_imm(e_, 0);
    dispatch(action);
  }

 private:
  Reg get(Word word) { return e_.load(8, work_, word); }
  void put(Word word, Reg value) { e_.store(8, work_, word, value); }
  void put_imm(Word word, std::int32_t value) { e_.store_imm(8, work_, word, value); }
  Reg plus(Reg value, std::int32_t more) {
    const Reg out = copy(e_, value);
    e_.alu_imm(Alu::kAdd, out, more);
    return out;
  }
  Reg name_begin(Reg name) {
    const Reg out = copy(e_, name);
    e_.alu_imm(Alu::kAnd, out, 0xffff);
    return out;
  }
  Reg name_end(Reg name) {
    const Reg out = copy(e_, name);
    e_.alu_imm(Alu::kRsh, out, 16);
    e_.alu_imm(Alu::kAnd, out, 0xffff);
    return out;
  }

  void dispatch(Reg action) {
    e_.bind(dispatch_);
    const auto on = [&](JsonAction which, void (JsonSteps::*handle)()) {
      const Label other = e_.label();
      e_.jump_if_imm(Cond::kNe, action, static_cast<std::int32_t>(which), other);
      (this->*handle)();
      e_.bind(other);
    };
    on(JsonAction::kKeyByte, &JsonSteps::key_byte);
    on(JsonAction::kBegin, &JsonSteps::begin);
    on(JsonAction::kBeginKey, &JsonSteps::begin_key);
    on(JsonAction::kEndKey, &JsonSteps::end_key);
    on(JsonAction::kNext, &JsonSteps::next);
    on(JsonAction::kEndString, &JsonSteps::end_string);
    on(JsonAction::kEndWord, &JsonSteps::end_word);
    on(JsonAction::kOpen, &JsonSteps::open);
    on(JsonAction::kDeeper, &JsonSteps::deeper);
    on(JsonAction::kShallower, &JsonSteps::shallower);
    on(JsonAction::kDescend, &JsonSteps::descend);
    e_.bind(fail_);
    put_imm(kResult, -1);
    ret_imm(e_, 1);
  }

  void begin_key() {
    put(kMatched, name_begin(get(kName)));
    e_.jump(next_);
  }

  void key_byte() {
    const Label differs = e_.label();
    const Reg matched = get(kMatched);
    e_.jump_if_imm(Cond::kGe, matched, static_cast<std::int32_t>(routine_.second), next_);
    e_.jump_if(Cond::kGe, matched, name_end(get(kName)), differs);
    e_.jump_if(Cond::kNe, e_.load(1, sum(e_, selector_, matched), 0), byte_, differs);
    put(kMatched, plus(matched, 1));
    e_.jump(next_);
    e_.bind(differs);
    put_imm(kMatched, -1);
    e_.jump(next_);
  }

  void end_key() {
    const Label differs = e_.label();
    put_imm(kWanted, 0);
    e_.jump_if(Cond::kNe, get(kMatched), name_end(get(kName)), differs);
    put_imm(kWanted, 1);
    e_.bind(differs);
    e_.jump(next_);
  }

  void begin() {
    put(kStart, at_);
    e_.jump(next_);
  }

  void next() {
    const Label object = e_.label();
    e_.jump_if_imm(Cond::kNe, get(kIsObject), 0, object);
    put(kIndex, plus(get(kIndex), 1));
    want_index();
    e_.bind(object);
    put_imm(kState, kJsonKeyStart);
    e_.jump(next_);
  }

  // The value that follows is wanted if the name is its number.
  void want_index() {
    put_imm(kWanted, 0);
    const Reg number = get(kName);
    e_.alu_imm(Alu::kRsh, number, 32);
    e_.jump_if(Cond::kNe, number, get(kIndex), next_);
    put_imm(kWanted, 1);
    e_.jump(next_);
  }

  void end_string() { end_value(plus(at_, 1), 1); }
  void end_word() {
    put(kAt, at_);
    end_value(at_, 0);
  }

  // Ends a value from kStart to `end`, without `quotes` bytes at either side. The result is a span
  // of the text: its start in the lower half, its length in the upper.
  void end_value(Reg end, std::int32_t quotes) {
    e_.jump_if_imm(Cond::kEq, get(kWanted), 0, next_);
    e_.jump_if_imm(Cond::kSge, get(kNextName), 0, fail_);
    const Reg start = get(kStart);
    const Reg span = copy(e_, end);
    e_.alu(Alu::kSub, span, start);
    e_.alu_imm(Alu::kSub, span, 2 * quotes);
    e_.alu_imm(Alu::kLsh, span, 32);
    e_.alu_imm(Alu::kAdd, start, quotes);
    e_.alu(Alu::kOr, span, start);
    put(kResult, span);
    ret_imm(e_, 1);
  }

  void open() {
    const Label pass = e_.label();
    e_.jump_if_imm(Cond::kEq, get(kWanted), 0, pass);
    e_.jump_if_imm(Cond::kSge, get(kNextName), 0, descend_);
    e_.bind(pass);
    put(kStart, at_);
    put_imm(kDepth, 1);
    e_.jump(next_);
  }
  void deeper() {
    put(kDepth, plus(get(kDepth), 1));
    e_.jump(next_);
  }
  void shallower() {
    const Label inner = e_.label();
    const Reg depth = plus(get(kDepth), -1);
    put(kDepth, depth);
    e_.jump_if_imm(Cond::kNe, depth, 0, inner);
    put_imm(kState, kJsonAfter);
    end_value(plus(at_, 1), 0);
    e_.bind(inner);
    e_.jump(next_);
  }

  // Into the bracket, for the selector's next name.
  void descend() {
    const Label array = e_.label();
    e_.bind(descend_);
    const Reg name = get(kNextName);
    e_.jump_if_imm(Cond::kSlt, name, 0, fail_);
    put(kName, name);
    const Label routine = unit_.routine(Routine::Kind::kJsonName, routine_.second);
    put(kNextName, e_.call_subprogram(routine, {selector_, name_end(name)}));
    put_imm(kIndex, 0);
    put_imm(kIsObject, 0);
    e_.jump_if_imm(Cond::kNe, byte_, '{', array);
    put_imm(kIsObject, 1);
    put_imm(kState, kJsonKeyStart);
    e_.jump(next_);
    e_.bind(array);
    put_imm(kState, kJsonValue);
    const Reg number = get(kName);
    e_.alu_imm(Alu::kRsh, number, 32);
    e_.jump_if_imm(Cond::kEq, number, kNoNumber, fail_);
    want_index();
  }

  Unit& unit_;
  Emitter& e_;
  Reg text_, selector_, work_;
  const Routine& routine_;
  Reg at_, byte_;
  Label next_ = e_.label(), fail_ = e_.label(), dispatch_ = e_.label(), descend_ = e_.label();
};

}  // namespace

void emit_json_steps(Unit& unit, Label name, const Routine& routine) {
  const std::vector<Reg> r =
      begin_routine(unit.e, name, "dt_json",
                    {string_of(routine.first), string_of(routine.second), string_of(kJsonBytes)});
  JsonSteps(unit, r, routine).write();
}

namespace {

void if_parting(Emitter& e, Reg byte, Label to) {
  for (const char c : {'.', '[', ']'}) e.jump_if_imm(Cond::kEq, byte, c, to);
}

}  // namespace

void emit_name_run(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_name = routine.kind == Routine::Kind::kNameRun;
  const std::vector<Reg> r = begin_routine(e, name, is_name ? "dt_name_run" : "dt_parting_run",
                                           {string_of(routine.first), kNumberParameter});
  const Label done = e.label(), next = e.label();
  const Reg count = e.imm(0);
  each_of_run(e, r[1], e.load(8, r[0], 0), routine.first, done, count, [&](Reg at) {
    const Reg byte = e.load(1, sum(e, r[0], at), 0);
    if_parting(e, byte, is_name ? done : next);
    if (is_name)
      e.jump_if_imm(Cond::kEq, byte, 0, done);
    else
      e.jump(done);
    e.bind(next);
  });
  e.ret(count);
}

namespace {

// Where the next name of a long selector begins and ends.
struct NameBounds {
  Reg at, begin;
};
NameBounds wide_name(Unit& unit, const std::vector<Reg>& r, std::uint32_t capacity, Label none) {
  Emitter& e = unit.e;
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Reg unknown = e.load(8, r[0], 0);
  const Reg at = copy(e, r[1]), begin = e.reg();
  const auto skip = [&](Routine::Kind kind) {
    const Label run = unit.routine(kind, capacity);
    pass_run(e, at, capacity, [&] { return e.call_subprogram(run, {r[0], at}); });
    forget(e, at, unknown);
  };
  skip(Routine::Kind::kPartingRun);
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  e.jump_if_imm(Cond::kEq, e.load(1, sum(e, r[0], at), 0), 0, none);
  e.mov(begin, at);
  forget(e, begin, unknown);
  skip(Routine::Kind::kNameRun);
  return {at, begin};
}

void emit_json_name_wide(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_json_name", {string_of(capacity), kNumberParameter});
  const Label none = e.label(), loop = e.label(), bad = e.label(), end = e.label();
  const NameBounds found = wide_name(unit, r, capacity, none);
  const Reg number = e.imm(0), i = e.imm(0);
  const Reg length = copy(e, found.at);
  e.alu(Alu::kSub, length, found.begin);
  e.jump_if_imm(Cond::kGt, length, kNumberDigits, bad);
  e.bind(loop);
  e.jump_if(Cond::kGe, i, length, end);
  const Reg place = sum(e, found.begin, i);
  e.jump_if_imm(Cond::kGe, place, static_cast<std::int32_t>(capacity), end);
  const Reg byte = e.load(1, sum(e, r[0], place), 0);
  e.alu_imm(Alu::kSub, byte, '0');
  e.jump_if_imm(Cond::kGt, byte, 9, bad);
  e.alu_imm(Alu::kMul, number, 10);
  e.alu(Alu::kAdd, number, byte);
  e.alu_imm(Alu::kAdd, i, 1);
  e.jump_if_imm(Cond::kLt, i, kNumberDigits, loop);
  e.jump(end);
  e.bind(bad);
  e.mov_imm(number, kNoNumber);
  e.bind(end);
  e.alu_imm(Alu::kLsh, number, 32);
  e.alu_imm(Alu::kLsh, found.at, 16);
  e.alu(Alu::kOr, number, found.at);
  e.alu(Alu::kOr, number, found.begin);
  e.ret(number);
  e.bind(none);
  ret_imm(e, -1);
}

}  // namespace

void emit_json_name(Unit& unit, Label name, std::uint32_t capacity) {
  if (is_wide(capacity)) return emit_json_name_wide(unit, name, capacity);
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_json_name", {string_of(capacity), kNumberParameter});
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Label skip = e.label(), parting = e.label(), start = e.label(), loop = e.label();
  const Label none = e.label(), end = e.label(), no_digit = e.label(), next = e.label();
  const Label numbered = e.label();
  const Reg unknown = e.load(8, r[0], 0);
  const Reg at = copy(e, r[1]);
  const auto load_byte = [&] { return e.load(1, sum(e, r[0], at), 0); };
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  e.bind(skip);
  const Reg first = load_byte();
  if_parting(e, first, parting);
  e.jump_if_imm(Cond::kNe, first, 0, start);
  e.bind(none);
  ret_imm(e, -1);
  e.bind(parting);
  e.alu_imm(Alu::kAdd, at, 1);
  e.jump_if_imm(Cond::kLt, at, bytes, skip);
  e.jump(none);

  e.bind(start);
  forget(e, at, unknown);
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  const Reg begin = copy(e, at), number = e.imm(0), broken = e.imm(0);
  forget(e, begin, unknown);
  e.bind(loop);
  const Reg byte = load_byte();
  e.jump_if_imm(Cond::kEq, byte, 0, end);
  if_parting(e, byte, end);
  e.alu_imm(Alu::kSub, byte, '0');
  e.jump_if_imm(Cond::kGt, byte, 9, no_digit);
  e.alu_imm(Alu::kMul, number, 10);
  e.alu(Alu::kAdd, number, byte);
  e.jump(next);
  e.bind(no_digit);
  e.mov_imm(broken, 1);
  e.bind(next);
  forget(e, broken, unknown);
  e.alu_imm(Alu::kAdd, at, 1);
  e.jump_if_imm(Cond::kLt, at, bytes, loop);
  e.bind(end);
  const Reg length = copy(e, at);
  e.alu(Alu::kSub, length, begin);
  const Label bad = e.label();
  e.jump_if_imm(Cond::kGt, length, kNumberDigits, bad);
  e.jump_if_imm(Cond::kEq, broken, 0, numbered);
  e.bind(bad);
  e.mov_imm(number, kNoNumber);
  e.bind(numbered);
  e.alu_imm(Alu::kLsh, number, 32);
  e.alu_imm(Alu::kLsh, at, 16);
  e.alu(Alu::kOr, number, at);
  e.alu(Alu::kOr, number, begin);
  e.ret(number);
}

}  // namespace dt::bpf
