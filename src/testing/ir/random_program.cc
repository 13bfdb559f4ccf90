// The generator: statements over a pool of values that grows as it goes.

#include "testing/ir/random_program.h"

#include <array>

#include "ir/builder.h"

namespace dt::ir {

namespace {

// xorshift64*: small, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dU;
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() >> 33) % n; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

const std::array kTypes = {Type::s64(),
                           Type::u64(),
                           Type::s32(),
                           Type::u32(),
                           Type::integer(2, true),
                           Type::integer(2, false),
                           Type::integer(1, true),
                           Type::integer(1, false)};

constexpr std::uint32_t kStringBytes = 16;

// Texts that subroutines have something to do with.
constexpr const char* kStrings[] = {
    "",
    "a",
    "hello",
    "fifteen letters",
    "/",
    "//usr/./lib/x/..//../b/",
    "../a/../..",
    ",",
    "/.",
    "lo",
    "lo hello hell",
    "hell",
    "longer than eight",
    "aaaaaaaaaaaaaaaaaaab",
    "aaaaaaaab",
    " \t-0x7Fg",
    "0XfF",
    "99999999999999999999z",
    "Z[@`az{\xc1\xe1\xff\x80 Mixed Case",
    "[10, {\"k\": [true, \"s\\u00e9\"]}, -1.5e3 ]",
    "{\"a\":{\"b\":[1,2]},\"c\":null,\"b\": \"\"}",
    "[1].k[1]",
    "a.b[0]",
    "b",
    "2",
    "x/",
    "every one of the 72 bytes that a capacity may have, the NUL as well: 72",
};
constexpr std::uint32_t kStringCount = std::size(kStrings);

// Indices into the program that tables() makes.
constexpr std::uint32_t kIntVariables = 8;  // scalars: global, thread and clause
constexpr std::uint32_t kArray = 8;         // global [s32, str16] : s64
constexpr std::uint32_t kStringVariable = 9;
constexpr std::uint32_t kLocalString = 10;
constexpr std::uint32_t kObjects = 11;  // bytes: clause, global, thread, global [s32]
constexpr std::uint32_t kObjectCount = 4;
constexpr std::uint32_t kObjectArray = kObjects + 3;
constexpr std::uint32_t kObjectBytes = 21;
constexpr std::uint32_t kAggregations = 9;

void tables(Program& program) {
  const Scope scopes[] = {Scope::kClause, Scope::kGlobal, Scope::kThread, Scope::kClause,
                          Scope::kClause, Scope::kGlobal, Scope::kClause, Scope::kClause};
  for (std::uint32_t i = 0; i < kIntVariables; ++i) {
    program.variables.push_back(
        {std::string("v") + static_cast<char>('0' + i), scopes[i], kTypes[i % kTypes.size()], {}});
  }
  const Type text = Type::string(kStringBytes);
  program.variables.push_back({"a", Scope::kGlobal, Type::s64(), {Type::s32(), text}});
  program.variables.push_back({"s", Scope::kGlobal, text, {}});
  program.variables.push_back({"t", Scope::kClause, text, {}});
  const Type object = Type::bytes(kObjectBytes);
  program.variables.push_back({"o", Scope::kClause, object, {}});
  program.variables.push_back({"p", Scope::kGlobal, object, {}});
  program.variables.push_back({"q", Scope::kThread, object, {}});
  program.variables.push_back({"r", Scope::kGlobal, object, {Type::s32()}});
  program.strings.assign(std::begin(kStrings), std::end(kStrings));
  for (std::uint32_t i = 0; i < kAggregations; ++i) {
    record::AggLayout agg;
    agg.name = std::string("g") + static_cast<char>('0' + i);
    agg.func = static_cast<record::AggFunc>(i);
    agg.params = {
        .base = -50, .limit = 50, .step = 10, .factor = 10, .low = 0, .high = 3, .nsteps = 10};
    if (i % 2 == 0) agg.keys = {{{record::FieldKind::kInt, 4, true}, 0}};
    record::place_keys(agg);
    agg.value_words = record::value_words(agg.func, agg.params);
    program.aggregations.push_back(agg);
  }
}

class Generator {
 public:
  Generator(Random& random, const RandomOptions& options, EcbDesc& clause)
      : random_(random), options_(options), clause_(clause) {}

  void run() {
    push(b_.constant(interesting()));
    push(b_.builtin(Builtin::kArg, random_.below(10)));
    if (options_.strings) strings_.push_back(b_.string(random_.below(kStringCount), any_string()));
    if (random_.one_in(2)) predicate();
    block(options_.steps, 0);
    if (random_.one_in(2)) record();
    b_.ret();
    clause_.body = b_.finish();
  }

 private:
  static Type string_type() { return Type::string(kStringBytes); }
  Type any_string() {
    const std::uint32_t sizes[] = {8, 16, 24, 40, 72, 13};
    return Type::string(sizes[random_.below(std::size(sizes))]);
  }

  std::int64_t interesting() {
    const std::int64_t values[] = {
        0,          1,         -1,        2,      7,     8,          63,
        64,         255,       256,       -128,   65535, 0x7fffffff, -0x7fffffff - 1,
        0xffffffff, INT64_MAX, INT64_MIN, 1000000};
    if (random_.one_in(3)) return static_cast<std::int64_t>(random_.next());
    return values[random_.below(std::size(values))];
  }

  void push(ValueId id) { ints_.push_back(id); }
  // Recent values more often.
  ValueId pick() {
    const auto count = static_cast<std::uint32_t>(ints_.size());
    const std::uint32_t window = random_.one_in(3) || count < 6 ? count : 6;
    return ints_[count - 1 - random_.below(window)];
  }
  ValueId pick_string() {
    return strings_[random_.below(static_cast<std::uint32_t>(strings_.size()))];
  }
  Type any_type() { return kTypes[random_.below(kTypes.size())]; }

  void predicate() {
    const BlockId body = b_.block();
    const BlockId leave = b_.block();
    b_.branch(comparison(), body, leave);
    b_.enter(leave);
    b_.ret();
    b_.enter(body);
  }

  ValueId comparison() {
    const Op ops[] = {Op::kEq, Op::kNe, Op::kLtS, Op::kLeS, Op::kLtU, Op::kLeU};
    const ValueId a = pick();
    const ValueId c = random_.one_in(2) ? b_.constant(interesting()) : pick();
    return b_.binary(ops[random_.below(6)], a, c, Type::s32());
  }

  void block(std::uint32_t steps, int depth) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      b_.action(1 + i);
      if (depth < 3 && random_.one_in(5)) {
        diamond(steps / 2, depth);
      } else {
        statement();
      }
    }
  }

  // if/else with a value that both sides give, as ?: has.
  void diamond(std::uint32_t steps, int depth) {
    const BlockId then = b_.block();
    const BlockId otherwise = b_.block();
    const BlockId join = b_.block();
    const ValueId result = b_.param(join, Type::s64());
    b_.branch(random_.one_in(4) ? pick() : comparison(), then, otherwise);
    const std::size_t ints = ints_.size();
    const std::size_t strings = strings_.size();
    for (const BlockId side : {then, otherwise}) {
      b_.enter(side);
      block(random_.below(steps + 1), depth + 1);
      b_.jump(join, {random_.one_in(3) ? b_.constant(random_.below(2)) : pick()});
      // What one side defines is not there in the other, nor after.
      ints_.resize(ints);
      strings_.resize(strings);
    }
    b_.enter(join);
    push(result);
  }

  void statement() {
    switch (random_.below(13)) {
      case 0:
        push(b_.constant(interesting()));
        return;
      case 1:
        push(b_.builtin(builtin()));
        return;
      case 2:
        push(comparison());
        return;
      case 3:
        push(b_.extend(pick(), any_type()));
        return;
      case 4: {
        const std::uint32_t v = random_.below(kIntVariables);
        push(b_.load(v, kTypes[v % kTypes.size()]));
        return;
      }
      case 5:
        b_.store(random_.below(kIntVariables), {pick()});
        return;
      case 6:
        b_.atomic_add(random_.below(kIntVariables), {pick()});
        return;
      case 7:
        aggregate();
        return;
      case 12:
        return object();
      case 8:
        if (options_.strings) return text();
        [[fallthrough]];
      case 9:
        if (options_.faults && random_.one_in(3)) return read();
        [[fallthrough]];
      default:
        arithmetic();
        return;
    }
  }

  Builtin builtin() {
    const Builtin all[] = {Builtin::kPid,       Builtin::kTid,     Builtin::kUid, Builtin::kCpu,
                           Builtin::kTimestamp, Builtin::kProbeId, Builtin::kEpid};
    return all[random_.below(std::size(all))];
  }

  void arithmetic() {
    const Op ops[] = {Op::kAdd, Op::kSub,  Op::kMul,  Op::kAnd,  Op::kOr,
                      Op::kXor, Op::kShl,  Op::kShrS, Op::kShrU, Op::kNeg,
                      Op::kNot, Op::kDivS, Op::kDivU, Op::kRemS, Op::kRemU};
    const Op op = ops[random_.below(std::size(ops))];
    const ValueId a = pick();
    if (op == Op::kNeg || op == Op::kNot) return push(b_.unary(op, a, Type::s64()));
    const bool divides = op == Op::kDivS || op == Op::kDivU || op == Op::kRemS || op == Op::kRemU;
    ValueId c = random_.one_in(2) ? b_.constant(interesting()) : pick();
    if (divides && !options_.faults) c = b_.constant(1 + random_.below(1000));
    push(b_.binary(op, a, c, Type::s64()));
  }

  void aggregate() {
    const std::uint32_t index = random_.below(kAggregations);
    std::vector<ValueId> args;
    if (index % 2 == 0) args.push_back(pick());
    if (index != 0) args.push_back(pick());
    if (index % 2 != 0 || !random_.one_in(3)) return b_.aggregate(index, std::move(args));
    // Whether there is an element depends on the CPU; both ways add the same.
    Inst add;
    add.op = Op::kAccumulate;
    add.index = index;
    add.type = Type::s32();
    add.args = args;
    const ValueId is_there = b_.add(std::move(add));
    const BlockId absent = b_.block(), end = b_.block();
    b_.branch(is_there, end, absent);
    b_.enter(absent);
    b_.aggregate(index, std::move(args));
    b_.jump(end);
    b_.enter(end);
  }

  void text() {
    switch (random_.below(12)) {
      case 0:
        strings_.push_back(b_.builtin(Builtin::kExecname));
        return;
      case 1:
        strings_.push_back(b_.string(random_.below(kStringCount), any_string()));
        return;
      case 7:
      case 8:
      case 9:
      case 10:
      case 11:
        return call();
      case 2:
        push(b_.binary(Op::kStrCmp, pick_string(), pick_string(), Type::s32()));
        return;
      case 3: {
        const std::uint32_t v = random_.one_in(2) ? kStringVariable : kLocalString;
        strings_.push_back(b_.load(v, string_type()));
        return;
      }
      case 4:
        b_.store(random_.one_in(2) ? kStringVariable : kLocalString, {pick_string()});
        return;
      case 5:
        push(b_.load(kArray, Type::s64(), {pick(), pick_string()}));
        return;
      default:
        b_.store(kArray, {pick(), pick_string(), pick()});
        return;
    }
  }

  // A key, when the variable has one.
  std::vector<ValueId> object_keys(std::uint32_t variable) {
    return variable == kObjectArray ? std::vector<ValueId>{pick()} : std::vector<ValueId>{};
  }

  // The operations on parts, at a place that is known or computed.
  void object() {
    if (options_.faults && random_.one_in(4)) return addressed();
    Inst inst;
    inst.index = kObjects + random_.below(kObjectCount);
    inst.args = object_keys(inst.index);
    const Type part = random_.one_in(5) ? Type::bytes(1 + random_.below(9)) : any_type();
    inst.imm = random_.below(kObjectBytes - part.size + 1);
    const bool is_moved = random_.one_in(3);
    switch (random_.below(6)) {
      case 0:
      case 1:
        inst.op = Op::kLoadPart;
        if (is_moved) inst.args.push_back(pick());
        return load_object(std::move(inst), part);
      case 2:
        inst.op = Op::kLoad;
        inst.type = Type::bytes(kObjectBytes);
        return copy_object(std::move(inst), part, is_moved);
      case 3:
        inst.op = Op::kClear;
        b_.add(std::move(inst));
        return;
      default:
        inst.op = Op::kStorePart;
        if (is_moved) inst.args.push_back(pick());
        return store_object(std::move(inst), part);
    }
  }

  // A part of one by its address: it is read there and, of a global one, written.
  void addressed() {
    const Type part = any_type();
    Inst inst;
    inst.op = Op::kAddressOf;
    inst.type = Type::u64();
    inst.index = kObjects + random_.below(kObjectCount - 1);
    inst.imm = random_.below(kObjectBytes - part.size + 1);
    const bool is_global = inst.index == kObjects + 1;
    const ValueId address = b_.add(std::move(inst));
    if (is_global && random_.one_in(2)) {
      Inst store;
      store.op = Op::kStoreScratch;
      store.imm = part.size;
      store.args = {address, pick()};
      b_.add(std::move(store));
    }
    push(b_.unary(Op::kLoadKernel, address, part));
  }

  void load_object(Inst inst, const Type& part) {
    inst.type = part;
    const ValueId loaded = b_.add(std::move(inst));
    if (part.kind == TypeKind::kInt) return push(loaded);
    Inst store;
    store.op = Op::kStorePart;
    store.index = kObjects + random_.below(kObjectCount);
    store.stored = part;
    store.imm = random_.below(kObjectBytes - part.size + 1);
    store.args = object_keys(store.index);
    store.args.push_back(loaded);
    b_.add(std::move(store));
  }

  void store_object(Inst inst, const Type& part) {
    inst.stored = part;
    if (part.kind == TypeKind::kInt) {
      inst.args.push_back(pick());
    } else if (options_.strings) {
      inst.stored = Type::string(part.size);
      inst.args.push_back(pick_string());
    } else {
      inst.stored = Type::integer(1, true);
      inst.args.push_back(pick());
    }
    b_.add(std::move(inst));
  }

  // A whole object: a part of it is taken, and it is stored elsewhere.
  void copy_object(Inst inst, const Type& part, bool is_moved) {
    const ValueId whole = b_.add(std::move(inst));
    Inst take;
    take.op = Op::kPart;
    take.type = part.kind == TypeKind::kInt ? part : Type::integer(4, true);
    take.imm = random_.below(kObjectBytes - take.type.size + 1);
    take.args = {whole};
    if (is_moved) take.args.push_back(pick());
    push(b_.add(std::move(take)));
    const std::uint32_t to = kObjects + random_.below(kObjectCount);
    std::vector<ValueId> args = object_keys(to);
    args.push_back(whole);
    b_.store(to, std::move(args));
  }

  void call() {
    Inst inst;
    inst.op = Op::kCall;
    inst.index = random_.below(kSubroutineCount);
    const SubroutineInfo& info = subroutine_info(static_cast<Subroutine>(inst.index));
    if (info.may_fault && !options_.faults) return;
    for (const char* operand = info.operands; *operand != '\0'; ++operand) {
      inst.args.push_back(*operand == 's' ? pick_string() : small_or_any());
    }
    const bool reads = info.may_fault && inst.args.size() > 1;
    if (reads) inst.args[0] = b_.constant(readable(random_.one_in(2)));
    inst.type = info.result == TypeKind::kInt ? Type::s64() : any_string();
    const ValueId result = b_.add(inst);
    (info.result == TypeKind::kInt ? ints_ : strings_).push_back(result);
  }

  // What positions, bytes, bases and counts are like.
  ValueId small_or_any() {
    const std::int64_t values[] = {0, 1, 2, 5, 8, 10, 16, 36, 'l', '/', '.', 'a', -1, -3, 63, 1000};
    return random_.one_in(3) ? pick() : b_.constant(values[random_.below(std::size(values))]);
  }

  std::int64_t readable(bool is_user) {
    const std::uint64_t base = is_user ? options_.user_base : options_.kernel_base;
    const std::uint32_t reach = options_.memory_size + (random_.one_in(4) ? 16 : 0);
    return static_cast<std::int64_t>(base + random_.below(reach));
  }

  // Reads at addresses of which some are not readable.
  void read() {
    const bool is_user = random_.one_in(2);
    const std::int64_t place = readable(is_user);
    const ValueId address = b_.constant(place);
    if (options_.strings && random_.one_in(3)) {
      const Op op = is_user ? Op::kCopyinstr : Op::kKernelString;
      strings_.push_back(place % 4 == 3 ? text(is_user, address)
                                        : b_.unary(op, address, string_type()));
    } else if (random_.one_in(3)) {
      try_load(is_user, address);
    } else {
      push(b_.unary(is_user ? Op::kLoadUser : Op::kLoadKernel, address, any_type()));
    }
  }

  void try_load(bool is_user, ValueId address) {
    const Type type = any_type();
    Inst inst;
    inst.op = is_user ? Op::kTryUser : Op::kTryKernel;
    inst.type = Type::bytes(16);
    inst.args = {address};
    inst.imm = type.size;
    const ValueId loaded = b_.add(inst);
    const auto part = [&](std::int64_t offset, Type of) {
      Inst take;
      take.op = Op::kPart;
      take.type = of;
      take.args = {loaded};
      take.imm = offset;
      push(b_.add(std::move(take)));
    };
    part(0, type);
    part(8, Type::s32());
  }

  // The same without a fault.
  ValueId text(bool is_user, ValueId address) {
    Inst inst;
    inst.op = is_user ? Op::kUserText : Op::kKernelText;
    inst.type = string_type();
    inst.args = {address};
    inst.imm = 1;
    return b_.add(inst);
  }

  void record() {
    const auto index = static_cast<std::uint32_t>(clause_.layouts.size());
    std::vector<ValueId> fields;
    record::Layout& layout = clause_.layouts.emplace_back();
    const std::uint32_t sizes[] = {1, 2, 4, 8};
    for (std::uint32_t i = 0; i <= random_.below(4); ++i) {
      record::Action action;
      action.kind = record::ActionKind::kTrace;
      action.first_field = i;
      action.field_count = 1;
      layout.actions.push_back(action);
      if (options_.strings && random_.one_in(3)) {
        layout.fields.push_back({{record::FieldKind::kString, kStringBytes, true}, 0});
        fields.push_back(pick_string());
      } else {
        layout.fields.push_back({{record::FieldKind::kInt, sizes[random_.below(4)], true}, 0});
        fields.push_back(pick());
      }
    }
    record::place_fields(layout);
    b_.emit(std::move(fields), index);
  }

  Random& random_;
  const RandomOptions& options_;
  EcbDesc& clause_;
  FunctionBuilder b_;
  std::vector<ValueId> ints_;  // values that are defined here
  std::vector<ValueId> strings_;
};

}  // namespace

Program random_program(std::uint64_t seed, const RandomOptions& options) {
  Random random(seed);
  Program program;
  tables(program);
  for (std::uint32_t i = 0; i < options.clauses; ++i) {
    EcbDesc clause;
    clause.points = {probe::parse_point("BEGIN")};
    Generator(random, options, clause).run();
    program.clauses.push_back(std::move(clause));
  }
  return program;
}

}  // namespace dt::ir
