// Routines: parts of strings as a start and a length: of paths, and substr().
//
// A part of a string is found as a start and a length and copied once, instead of being copied step
// by step: basename(), dirname() and substr() all end in the same copy.

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

// Moves `end` back while the byte before it is a slash, or while it is none;
// goes to `empty` when that is at the start. Code behind is looked at once.
void back(Unit& unit, Reg s, Reg end, std::uint32_t capacity, bool over_slashes, Label empty) {
  Emitter& e = unit.e;
  const Label loop = e.label(), stop = e.label();
  const Reg unknown = e.load(8, s, 0);
  // Any place in the string, whatever way led here.
  const auto generalise = [&] {
    const Label good = e.label();
    forget(e, end, unknown);
    e.jump_if_imm(Cond::kLt, end, static_cast<std::int32_t>(capacity), good);
    ret_imm(e, 0);
    e.bind(good);
  };
  generalise();
  if (is_wide(capacity)) {
    const Label some = unit.routine(Routine::Kind::kBack, capacity);
    const Reg calls = e.imm(capacity / kWindow + 1);
    e.bind(loop);
    const Reg moved = copy(e, end);
    e.mov(end, e.call_subprogram(some, {s, end, e.imm(over_slashes ? 1 : 0)}));
    e.alu(Alu::kSub, moved, end);
    e.jump_if_imm(Cond::kNe, moved, static_cast<std::int32_t>(kWindow), stop);
    e.alu_imm(Alu::kSub, calls, 1);
    e.jump_if_imm(Cond::kNe, calls, 0, loop);
    e.bind(stop);
    generalise();
    return e.jump_if_imm(Cond::kEq, end, 0, empty);
  }
  e.bind(loop);
  e.jump_if_imm(Cond::kLt, end, 1, empty);
  const Reg byte = e.load(1, sum(e, s, end), -1);
  e.jump_if_imm(over_slashes ? Cond::kNe : Cond::kEq, byte, '/', stop);
  e.alu_imm(Alu::kSub, end, 1);
  e.jump(loop);
  e.bind(stop);
  generalise();
}

}  // namespace

void emit_back(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_back", {string_of(capacity), kNumberParameter, kNumberParameter});
  const Label loop = e.label(), stop = e.label();
  const Reg end = copy(e, r[1]), left = e.imm(kWindow);
  const Reg is_over_slashes = copy(e, r[2]);
  forget(e, end, e.load(8, r[0], 0));
  e.jump_if_imm(Cond::kGe, end, static_cast<std::int32_t>(capacity), stop);
  e.bind(loop);
  e.jump_if_imm(Cond::kLt, end, 1, stop);
  // 1 for a slash, by its sign: one branch, and not one for each kind of call.
  const Reg is_slash = e.load(1, sum(e, r[0], end), -1);
  e.alu_imm(Alu::kXor, is_slash, '/');
  e.alu_imm(Alu::kSub, is_slash, 1);
  e.alu_imm(Alu::kRsh, is_slash, 63);
  e.jump_if(Cond::kNe, is_slash, is_over_slashes, stop);
  e.alu_imm(Alu::kSub, end, 1);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(stop);
  e.ret(end);
}

void emit_path_part(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_base = routine.kind == Routine::Kind::kBasename;
  const std::uint32_t capacity = routine.first;
  const std::vector<Reg> r =
      begin_routine(e, name, is_base ? "dt_basename" : "dt_dirname", {string_of(capacity)});
  const Label nothing = e.label(), no_slash = e.label(), root = e.label(), out = e.label();
  const Reg end = string_length(e, r[0], capacity);
  const Reg start = e.reg();
  // What is left is a slash if it is anything.
  back(unit, r[0], end, capacity, true, nothing);
  e.mov(start, end);
  back(unit, r[0], start, capacity, false, no_slash);
  if (!is_base) {
    e.mov(end, start);
    e.mov_imm(start, 0);
    back(unit, r[0], end, capacity, true, root);
  }
  e.bind(out);
  e.alu(Alu::kSub, end, start);
  e.alu_imm(Alu::kLsh, end, 32);
  e.alu(Alu::kOr, end, start);
  e.ret(end);
  e.bind(no_slash);
  e.mov_imm(start, 0);
  if (is_base) e.jump(out);
  if (!is_base) ret_imm(e, 0);
  e.bind(nothing);
  const Label is_empty = e.label();
  e.jump_if_imm(Cond::kEq, e.load(1, r[0], 0), 0, is_empty);
  e.bind(root);
  ret_imm(e, std::int64_t{1} << 32);
  e.bind(is_empty);
  ret_imm(e, 0);
}

namespace {

// Writes emit_clean_path()'s function: ir::clean_path(), step by step. A step reads a byte of the
// path, or takes one of the result back: those of the component before "..".
class CleanPathCode {
 public:
  // `words`: Word.
  CleanPathCode(Unit& unit, Reg result, Reg path, Reg words, std::uint32_t capacity)
      : e_(unit.e), result_(result), path_(path), words_(words), bytes_(to_signed(capacity)) {}

  void write() {
    const Label loop = e_.label();
    const Reg count = e_.imm(0);
    e_.bind(loop);
    at_ = e_.load(8, words_, kAt);
    to_ = e_.load(8, words_, kTo);
    e_.jump_if_imm(Cond::kGe, at_, bytes_, done_);
    e_.jump_if_imm(Cond::kGe, to_, bytes_, done_);
    e_.jump_if_imm(Cond::kEq, e_.load(8, words_, kGoesBack), 0, forward_);
    take_back();
    e_.bind(next_);
    e_.alu_imm(Alu::kAdd, count, 1);
    e_.jump_if_imm(Cond::kLt, count, kStepsPerCall, loop);
    ret_imm(e_, 0);
    read_byte();
    read_slash();
    e_.bind(done_);
    ret_imm(e_, 1);
  }

 private:
  // What is kept between calls: up to where the path is read and the result written, and whether a
  // component is being taken back.
  enum Word : std::int32_t { kAt = 0, kTo = 8, kGoesBack = 16 };
  static constexpr std::int32_t kLastTime = 2;  // in kGoesBack: this is the end of the path

  static std::int32_t to_signed(std::uint32_t capacity) {
    return static_cast<std::int32_t>(capacity);
  }

  // The slash before the component goes, too.
  void take_back() {
    const Label over = e_.label();
    e_.jump_if_imm(Cond::kLt, to_, 1, over);
    e_.alu_imm(Alu::kSub, to_, 1);
    const Reg last = sum(e_, result_, to_);
    const Reg taken = e_.load(1, last, 0);
    e_.store_imm(1, last, 0, 0);
    e_.store(8, words_, kTo, to_);
    e_.jump_if_imm(Cond::kNe, taken, '/', next_);
    e_.bind(over);
    const Reg mode = e_.load(8, words_, kGoesBack);
    e_.store_imm(8, words_, kGoesBack, 0);
    e_.jump_if_imm(Cond::kNe, mode, kLastTime, next_);
    e_.store_imm(1, sum(e_, result_, to_), 0, '/');
  }

  // Writes a byte that is no slash, and goes on behind the `used_` bytes that have been read.
  void read_byte() {
    e_.bind(forward_);
    const Reg four = e_.load(4, sum(e_, path_, at_), 0);
    used_ = e_.imm(1);
    const Reg byte = copy(e_, four);
    behind_ = copy(e_, four);
    e_.alu_imm(Alu::kAnd, byte, 0xff);
    e_.jump_if_imm(Cond::kEq, byte, 0, done_);
    e_.jump_if_imm(Cond::kEq, byte, '/', at_slash_);
    e_.bind(take_);
    e_.store(1, sum(e_, result_, to_), 0, byte);
    e_.alu_imm(Alu::kAdd, to_, 1);
    e_.store(8, words_, kTo, to_);
    e_.bind(skip_);
    e_.alu(Alu::kAdd, at_, used_);
    e_.store(8, words_, kAt, at_);
    e_.jump(next_);
  }

  // A slash is written unless "/", "./" or "../" is behind it, or ".." at the end.
  void read_slash() {
    // The three bytes behind the slash, the first of them lowest.
    constexpr std::int32_t kSame = '.' | '/' << 8, kParent = '.' | '.' << 8;
    const Label parent = e_.label(), last_parent = e_.label();
    e_.bind(at_slash_);
    e_.alu_imm(Alu::kRsh, behind_, 8);
    e_.jump_if_imm(Cond::kEq, behind_, kParent, last_parent);
    e_.jump_if_imm(Cond::kEq, behind_, kParent | '/' << 16, parent);
    e_.alu_imm(Alu::kAnd, behind_, 0xffff);
    e_.mov_imm(used_, 2);
    e_.jump_if_imm(Cond::kEq, behind_, kSame, skip_);
    e_.alu_imm(Alu::kAnd, behind_, 0xff);
    e_.mov_imm(used_, 1);
    e_.jump_if_imm(Cond::kEq, behind_, '/', skip_);
    e_.jump(take_);
    e_.bind(parent);
    e_.mov_imm(used_, 3);
    e_.store_imm(8, words_, kGoesBack, 1);
    e_.jump(skip_);
    // At the end: a slash stays.
    e_.bind(last_parent);
    e_.mov_imm(used_, 3);
    e_.store_imm(8, words_, kGoesBack, kLastTime);
    e_.jump(skip_);
  }

  Emitter& e_;
  Reg result_, path_, words_;
  std::int32_t bytes_;  // that each of the strings can have
  Reg at_, to_;         // the places of this step in the path and in the result
  Reg used_;            // how many bytes of the path the step takes
  Reg behind_;          // a slash: the bytes of the path from it on
  Label next_ = e_.label(), done_ = e_.label(), forward_ = e_.label();
  Label take_ = e_.label(), skip_ = e_.label(), at_slash_ = e_.label();
};

}  // namespace

void emit_clean_path(Unit& unit, Label name, std::uint32_t capacity) {
  const std::vector<Reg> r =
      begin_routine(unit.e, name, "dt_cleanpath",
                    {string_of(capacity), string_of(capacity), string_of(kPathBytes)});
  CleanPathCode(unit, r[0], r[1], r[2], capacity).write();
}

// As ir::substring() does; `count` may be of any size, `start` too.
void emit_substr(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_substr", {kNumberParameter, kNumberParameter, kNumberParameter});
  const Reg length = r[0], start = r[1], count = r[2];
  const Label nothing = e.label(), has_start = e.label();
  const Label positive = e.label(), whole = e.label();
  // Distances beyond any string are reduced, so that sums do not wrap.
  constexpr std::int32_t kFar = 1 << 30;
  for (const Reg value : {start, count}) {
    const Label low = e.label(), good = e.label();
    e.jump_if_imm(Cond::kSle, value, kFar, low);
    e.mov_imm(value, kFar);
    e.bind(low);
    e.jump_if_imm(Cond::kSge, value, -kFar, good);
    e.mov_imm(value, -kFar);
    e.bind(good);
  }
  e.jump_if_imm(Cond::kSge, start, 0, has_start);
  e.alu(Alu::kAdd, start, length);
  e.jump_if_imm(Cond::kSge, start, 0, has_start);
  e.alu(Alu::kAdd, count, start);
  e.jump_if_imm(Cond::kSle, count, 0, nothing);
  e.mov_imm(start, 0);
  e.bind(has_start);
  e.jump_if(Cond::kSge, start, length, nothing);
  const Reg left = copy(e, length);
  e.alu(Alu::kSub, left, start);
  e.jump_if_imm(Cond::kSge, count, 0, positive);
  e.alu(Alu::kAdd, count, left);
  e.jump_if_imm(Cond::kSle, count, 0, nothing);
  e.bind(positive);
  e.jump_if(Cond::kSle, count, left, whole);
  e.mov(count, left);
  e.bind(whole);
  e.alu_imm(Alu::kLsh, count, 32);
  e.alu(Alu::kOr, count, start);
  e.ret(count);
  e.bind(nothing);
  ret_imm(e, 0);
}

}  // namespace dt::bpf
