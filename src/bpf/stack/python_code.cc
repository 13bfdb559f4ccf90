// Routines that read stacks of Python's functions: see python.h. What they follow is
// described in symbol/interpreter/python.h.

#include <cstddef>

#include "bpf/stack/python.h"
#include "bpf/stack/source_name.h"
#include "bpf/stack/unwind_state.h"

namespace dt::bpf {

namespace {

namespace cpython = symbol::python;

constexpr std::int32_t kMaxThreads = 512;  // of a process, and interpreters, that are looked at
constexpr std::int32_t kMaxWindows = 512;  // of a table of lines
// Entries of a table of lines, after their kinds (Objects/locations.md): what kKindNone is for has
// no line; the others have none, a small or a long difference from that of the entry before.
constexpr std::int32_t kKindOneLine = 10, kKindNoColumn = 13, kKindNone = 15;

}  // namespace

void note_frame(Emitter& e, const Memory& memory, Reg frame, Reg index) {
  if (!memory.machine.unwind.with_sources) return;
  e.store(8, frame, static_cast<std::int32_t>(kPythonOffset) + kPythonIndex, index);
}

void begin_python(Emitter& e, Reg python) {
  for (const std::int32_t word : {kPythonAt, kPythonCframe, kPythonLost, kRubyTag}) {
    e.store_imm(8, python, word, 0);
  }
}

void emit_python(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_python",
                    {{kernel::Parameter::Kind::kMemory, bytes}, kStateParameter, kPythonMemory});
  const Reg frames = r[0], state = r[1], python = r[2];
  const Label known = e.label(), none = e.label(), out = e.label(), loop = e.label();
  const Label done = e.label(), last = e.label();
  const Reg cframe = e.load(8, python, kPythonCframe);
  e.jump_if_imm(Cond::kNe, cframe, kPythonUnknown, known);
  e.call_subprogram(unit.routine(Routine::Kind::kPythonThread), {state, python});
  e.load_to(cframe, 8, python, kPythonCframe);
  e.bind(known);
  e.jump_if_imm(Cond::kEq, cframe, kPythonNone, out);
  e.jump_if(Cond::kLt, cframe, e.load(8, python, kPythonSp), none);
  e.jump_if(Cond::kGe, cframe, e.load(8, state, kSp), out);
  read_buffer(e, python, cframe, cpython::kCframeBytes, none);
  const Reg next = in_buffer(e, python, cpython::kCframePrevious);
  e.store(8, python, kPythonCframe, next);
  const Reg first = in_buffer(e, python, cpython::kCframeCurrent);
  e.jump_if_imm(Cond::kEq, first, 0, last);
  e.store(8, python, kPythonCurrent, first);
  const Reg begin = e.load(8, python, kPythonAt);
  e.alu_imm(Alu::kSub, begin, 8);
  e.store(8, python, kPythonAt, begin);
  const Reg left = e.imm(bytes / 8);
  e.bind(loop);
  const Reg at = e.held_copy(e.load(8, python, kPythonAt));
  e.jump_if_imm(Cond::kGt, at, static_cast<std::int32_t>(bytes) - 8, done);
  e.call_subprogram(unit.routine(Routine::Kind::kPythonFrame), {python});
  const Reg to = e.held_copy(e.load(8, python, kPythonAt));
  e.jump_if_imm(Cond::kGt, to, static_cast<std::int32_t>(bytes) - 8, done);
  e.alu(Alu::kAdd, to, frames);
  e.store(8, to, 0, e.load(8, python, kPythonWord));
  e.store(8, python, kPythonAt, behind(e, e.load(8, python, kPythonAt), 8));
  e.jump_if_imm(Cond::kNe, e.load(8, python, kPythonIsEntry), 0, last);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonCurrent), 0, last);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.jump(done);
  // Behind the outermost one of an interpreter another one may have called it.
  e.bind(last);
  read_buffer(e, python, e.load(8, python, kPythonCframe), cpython::kCframeBytes, none);
  e.jump_if_imm(Cond::kNe, in_buffer(e, python, cpython::kCframePrevious), 0, done);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonIsMore), 0, none);
  e.store_imm(8, python, kPythonCframe, kPythonUnknown);
  e.bind(done);
  ret_imm(e, 0);
  e.bind(none);
  e.store_imm(8, python, kPythonCframe, kPythonNone);
  e.bind(out);
  ret_imm(e, 0);
}

namespace {

// The places of the interpreter that the last frame's code is of.
void find_image(Emitter& e, Reg state, Reg python) {
  using symbol::PythonImage;
  constexpr std::size_t kPython = offsetof(symbol::InterpreterImage, python);
  const Reg base = e.load(8, state, kOwnerAt), image = interpreter_image(e, state);
  for (const auto& [to, from] : {std::pair{kPythonRuntime, offsetof(PythonImage, runtime)},
                                 std::pair{kPythonCodeType, offsetof(PythonImage, code_type)},
                                 std::pair{kPythonTextType, offsetof(PythonImage, text_type)},
                                 std::pair{kPythonBytesType, offsetof(PythonImage, bytes_type)}}) {
    const Reg place = e.load(8, image, static_cast<std::int32_t>(kPython + from));
    e.alu(Alu::kAdd, place, base);
    e.store(8, python, to, place);
  }
}

}  // namespace

// A thread has a state in each interpreter where it runs something: that whose _PyCFrame is
// innermost is what it runs now. The one that holds the lock of all of them (GIL) is known.
void emit_python_thread(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const std::int32_t base = unit.memory.machine.unwind.task_thread_base;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_python_thread", {kStateParameter, kPythonMemory});
  const Reg state = r[0], python = r[1];
  const Label loop = e.label(), done = e.label(), none = e.label();
  find_image(e, state, python);
  const Reg thread = e.call(BPF_FUNC_get_current_task, {});
  e.store(8, python, kPythonSelf, Sight(unit, state, thread, base).word(base));
  e.store_imm(8, python, kPythonCframe, kPythonNone);
  e.store_imm(8, python, kPythonHasLock, 1);
  const Reg runtime = e.load(8, python, kPythonRuntime);
  read_buffer(e, python, behind(e, runtime, cpython::kRuntimeInterpreters), 8, none);
  const Reg newest = in_buffer(e, python, 0);
  e.store(8, python, kPythonInterpreter, newest);
  read_buffer(e, python, newest, cpython::kInterpreterBytes, none);
  e.store(8, python, kPythonIsMore, in_buffer(e, python, cpython::kInterpreterNext));
  read_buffer(e, python, behind(e, runtime, cpython::kRuntimeCurrent), 8, none);
  e.store(8, python, kPythonThread, in_buffer(e, python, 0));
  const Reg left = e.imm(kMaxThreads);
  e.bind(loop);
  const Reg status = e.call_subprogram(unit.routine(Routine::Kind::kPythonStep), {python});
  e.jump_if_imm(Cond::kNe, status, 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(done);
  e.bind(none);
  ret_imm(e, 0);
}

void emit_python_step(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_python_step", {kPythonMemory})[0];
  const Label have = e.label(), other = e.label(), look = e.label(), take = e.label();
  const Label go_on = e.label(), done = e.label();
  const Reg thread = e.load(8, python, kPythonThread);
  e.jump_if_imm(Cond::kNe, thread, 0, have);
  e.store_imm(8, python, kPythonHasLock, 0);
  const Reg interpreter = e.load(8, python, kPythonInterpreter);
  e.jump_if_imm(Cond::kEq, interpreter, 0, done);
  read_buffer(e, python, interpreter, cpython::kInterpreterBytes, done);
  e.store(8, python, kPythonThread, in_buffer(e, python, cpython::kInterpreterThreads));
  e.store(8, python, kPythonInterpreter, in_buffer(e, python, cpython::kInterpreterNext));
  e.jump(go_on);
  e.bind(have);
  read_buffer(e, python, thread, cpython::kThreadBytes, other);
  e.store(8, python, kPythonThread, in_buffer(e, python, cpython::kThreadNext));
  e.jump_if(Cond::kNe, in_buffer(e, python, cpython::kThreadId), e.load(8, python, kPythonSelf),
            look);
  const Reg cframe = in_buffer(e, python, cpython::kThreadCframe),
            best = e.load(8, python, kPythonCframe);
  e.jump_if(Cond::kLt, cframe, e.load(8, python, kPythonSp), look);
  e.jump_if_imm(Cond::kEq, best, kPythonNone, take);
  e.jump_if(Cond::kGe, cframe, best, look);
  e.bind(take);
  e.store(8, python, kPythonCframe, cframe);
  // One that has the lock, or the only one that the thread has.
  e.jump_if_imm(Cond::kNe, e.load(8, python, kPythonHasLock), 0, done);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonIsMore), 0, done);
  e.bind(look);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonHasLock), 0, go_on);
  e.bind(other);
  e.store_imm(8, python, kPythonThread, 0);
  e.bind(go_on);
  ret_imm(e, 0);
  e.bind(done);
  ret_imm(e, 1);
}

void emit_python_frame(Unit& unit, Label name) {
  constexpr auto kTag = static_cast<std::int64_t>(symbol::kSourceTag);
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_python_frame", {kPythonMemory})[0];
  const Label out = e.label(), named = e.label(), lost = e.label();
  e.store_imm(8, python, kPythonIsEntry, 1);
  read_buffer(e, python, e.load(8, python, kPythonCurrent), cpython::kFrameBytes, lost);
  const Reg code = in_buffer(e, python, cpython::kFrameCode),
            is_entry = in_buffer(e, python, cpython::kFrameIsEntry, 1);
  const Reg target = in_buffer(e, python, cpython::kFrameInstruction);
  e.store(8, python, kPythonCurrent, in_buffer(e, python, cpython::kFramePrevious));
  e.alu(Alu::kSub, target, code);
  e.alu_imm(Alu::kSub, target, cpython::kCodeInstructions);
  e.alu_imm(Alu::kArsh, target, 1);
  e.store(8, python, kPythonTarget, target);
  e.store(8, python, kPythonWord, is_entry);  // until its code is seen to be one
  read_buffer(e, python, code, cpython::kCodeBytes, out);
  e.jump_if(Cond::kNe, in_buffer(e, python, cpython::kObjectType),
            e.load(8, python, kPythonCodeType), lost);
  e.store(8, python, kPythonFunction, in_buffer(e, python, cpython::kCodeFunction));
  e.store(8, python, kPythonFile, in_buffer(e, python, cpython::kCodeFile));
  e.store(8, python, kPythonTable, in_buffer(e, python, cpython::kCodeLines));
  e.store(8, python, kPythonNumber, in_buffer(e, python, cpython::kCodeFirstLine, 4));
  e.store(8, python, kPythonIsEntry, e.load(8, python, kPythonWord));
  e.jump_if_imm(Cond::kSlt, e.load(8, python, kPythonTarget), 0, named);  // it has not begun
  e.call_subprogram(unit.routine(Routine::Kind::kPythonLine), {python});
  e.bind(named);
  e.call_subprogram(unit.routine(Routine::Kind::kPythonName), {python});
  const Reg word = e.load(8, python, kPythonWord);
  e.jump_if_imm(Cond::kEq, word, 0, lost);
  enter_line(e, python);
  ret_imm(e, 0);
  e.bind(out);
  e.store(8, python, kPythonIsEntry, e.load(8, python, kPythonWord));
  e.bind(lost);
  e.store(8, python, kPythonWord, e.imm(kTag));
  ret_imm(e, 0);
}

void emit_python_line(Unit& unit, Label name) {
  constexpr std::int32_t kGoOn = 0, kFound = 1;
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_python_line", {kPythonMemory})[0];
  const Label loop = e.label(), none = e.label(), done = e.label();
  const Reg table = e.load(8, python, kPythonTable);
  read_buffer(e, python, table, cpython::kBytesData, none);
  e.jump_if(Cond::kNe, in_buffer(e, python, cpython::kObjectType),
            e.load(8, python, kPythonBytesType), none);
  e.store(8, python, kPythonSize, in_buffer(e, python, cpython::kBytesLength));
  e.alu_imm(Alu::kAdd, table, cpython::kBytesData);
  e.store(8, python, kPythonPlace, table);
  e.store_imm(8, python, kPythonEnd, 0);
  e.store_imm(8, python, kPythonKind, kKindNone);
  e.store_imm(8, python, kPythonSum, 0);
  e.store_imm(8, python, kPythonShift, -1);
  const Reg left = e.imm(kMaxWindows);
  e.bind(loop);
  const Reg status = e.call_subprogram(unit.routine(Routine::Kind::kPythonWindow), {python});
  e.jump_if_imm(Cond::kEq, status, kFound, done);
  e.jump_if_imm(Cond::kNe, status, kGoOn, none);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  e.store_imm(8, python, kPythonNumber, 0);
  e.bind(done);
  ret_imm(e, 0);
}

namespace {

// Writes emit_python_window()'s function. Of an entry only the first byte has its highest bit:
//
//   1kkk knnn            kind, units of code - 1
//   0mvv vvvv ...        of kKindNoColumn and the one after it first of all a number, the
//                        difference of lines: bits from the lowest on, m: there are more;
//                        its lowest bit says that it is negative
class WindowCode {
 public:
  WindowCode(Emitter& e, Reg python) : e_(e), python_(python) {}

  void write() {
    const Label loop = e_.label(), end = e_.label(), go_on = e_.label();
    const Reg size = read();
    for (const auto& [word, value] : words()) e_.load_to(value, 8, python_, word);
    e_.jump_if_imm(Cond::kEq, size, 0, end);
    const Reg at = e_.imm(0);
    e_.bind(loop);
    e_.jump_if(Cond::kGe, at, size, go_on);
    const Reg byte = e_.load(1, sum(e_, python_, at), kPythonBuffer);
    begin_entry(byte);
    more_of_entry(byte);
    e_.bind(next_);
    e_.alu_imm(Alu::kAdd, at, 1);
    e_.jump_if_imm(Cond::kLt, at, kPythonWindowBytes, loop);
    e_.bind(go_on);
    for (const auto& [word, value] : words()) e_.store(8, python_, word, value);
    ret_imm(e_, 0);
    e_.bind(end);
    e_.jump_if(Cond::kGe, target_, end_, bad_);
    e_.bind(found_);
    const Label has_line = e_.label();
    e_.jump_if_imm(Cond::kNe, kind_, kKindNone, has_line);
    e_.mov_imm(line_, 0);
    e_.bind(has_line);
    e_.store(8, python_, kPythonNumber, line_);
    ret_imm(e_, 1);
    e_.bind(bad_);
    ret_imm(e_, -1);
  }

 private:
  std::vector<std::pair<std::int32_t, Reg>> words() const {
    return {{kPythonTarget, target_}, {kPythonEnd, end_}, {kPythonKind, kind_},
            {kPythonNumber, line_},   {kPythonSum, sum_}, {kPythonShift, shift_}};
  }

  // How many bytes there are in the buffer.
  Reg read() {
    const Label whole = e_.label();
    const Reg left = e_.load(8, python_, kPythonSize), place = e_.load(8, python_, kPythonPlace);
    const Reg size = e_.held_copy(left);
    e_.jump_if_imm(Cond::kLe, size, kPythonWindowBytes, whole);
    e_.mov_imm(size, kPythonWindowBytes);
    e_.bind(whole);
    e_.alu(Alu::kSub, left, size);
    e_.store(8, python_, kPythonSize, left);
    e_.store(8, python_, kPythonPlace, sum(e_, place, size));
    const Reg buffer = copy(e_, python_), read = copy(e_, size);
    e_.alu_imm(Alu::kAdd, buffer, kPythonBuffer);
    const Reg status = e_.call(BPF_FUNC_probe_read_user, {buffer, size, place});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad_);
    return read;
  }

  // The verifier is to follow the loop once, whatever is open.
  void set(Reg reg, std::int32_t value) {
    e_.mov_imm(reg, value);
    forget(e_, reg, target_);
  }

  void begin_entry(Reg byte) {
    e_.jump_if_imm(Cond::kLt, byte, 0x80, more_);
    e_.jump_if(Cond::kLt, target_, end_, found_);
    e_.mov(kind_, byte);
    e_.alu_imm(Alu::kRsh, kind_, 3);
    e_.alu_imm(Alu::kAnd, kind_, 15);
    forget(e_, kind_, target_);
    e_.alu_imm(Alu::kAnd, byte, 7);
    e_.alu(Alu::kAdd, end_, byte);
    e_.alu_imm(Alu::kAdd, end_, 1);
    set(shift_, -1);
    e_.jump_if_imm(Cond::kLt, kind_, kKindOneLine, next_);
    e_.jump_if_imm(Cond::kEq, kind_, kKindNone, next_);
    const Label is_long = e_.label();
    e_.jump_if_imm(Cond::kGe, kind_, kKindNoColumn, is_long);
    e_.alu(Alu::kAdd, line_, kind_);
    e_.alu_imm(Alu::kSub, line_, kKindOneLine);
    e_.jump(next_);
    e_.bind(is_long);
    set(sum_, 0);
    set(shift_, 0);
    e_.jump(next_);
  }

  void more_of_entry(Reg byte) {
    constexpr std::int32_t kBits = 6, kMore = 1 << kBits, kMaxShift = 30;
    const Label last = e_.label(), is_negative = e_.label();
    e_.bind(more_);
    e_.jump_if_imm(Cond::kGt, shift_, kMaxShift, next_);  // none, or it is too long
    const Reg bits = copy(e_, byte);
    e_.alu_imm(Alu::kAnd, bits, kMore - 1);
    e_.alu(Alu::kLsh, bits, shift_);
    e_.alu(Alu::kOr, sum_, bits);
    e_.alu_imm(Alu::kAdd, shift_, kBits);
    e_.jump_if_imm(Cond::kLt, byte, kMore, last);
    e_.jump(next_);
    e_.bind(last);
    set(shift_, -1);
    const Reg difference = copy(e_, sum_);
    e_.alu_imm(Alu::kRsh, difference, 1);
    e_.jump_if_imm(Cond::kSet, sum_, 1, is_negative);
    e_.alu(Alu::kAdd, line_, difference);
    e_.jump(next_);
    e_.bind(is_negative);
    e_.alu(Alu::kSub, line_, difference);
  }

  Emitter& e_;
  Reg python_;
  Reg target_ = e_.reg(), end_ = e_.reg(), kind_ = e_.reg(), line_ = e_.reg(), sum_ = e_.reg(),
      shift_ = e_.reg();
  Label next_ = e_.label(), more_ = e_.label(), found_ = e_.label(), bad_ = e_.label();
};

}  // namespace

void emit_python_window(Unit& unit, Label name) {
  const Reg python = begin_routine(unit.e, name, "dt_python_window", {kPythonMemory})[0];
  WindowCode(unit.e, python).write();
}

namespace {

// A str whose characters are in it.
void take_python_text(Emitter& e, Reg python, SourceNameCode& name, std::int32_t object,
                      const SourceText& text) {
  constexpr std::int32_t kWidthShift = 2, kCompact = 1 << 5, kAscii = 1 << 6;
  const Label compact = e.label(), sized = e.label(), has_text = e.label();
  const Reg from = e.load(8, python, object);
  read_buffer(e, python, from, cpython::kTextAscii, name.none());
  e.jump_if(Cond::kNe, in_buffer(e, python, cpython::kObjectType),
            e.load(8, python, kPythonTextType), name.none());
  const Reg length = in_buffer(e, python, cpython::kTextLength);
  const Reg state = in_buffer(e, python, cpython::kTextState, 4);
  e.jump_if_imm(Cond::kSet, state, kCompact, compact);
  e.jump(name.none());
  e.bind(compact);
  const Reg width = copy(e, state);
  e.alu_imm(Alu::kRsh, width, kWidthShift);
  e.alu_imm(Alu::kAnd, width, 7);
  for (const std::int32_t good : {1, 2, 4}) e.jump_if_imm(Cond::kEq, width, good, sized);
  e.jump(name.none());
  e.bind(sized);
  e.alu_imm(Alu::kAdd, from, cpython::kTextAscii);
  e.jump_if_imm(Cond::kSet, state, kAscii, has_text);
  e.alu_imm(Alu::kAdd, from, cpython::kTextWide - cpython::kTextAscii);
  e.bind(has_text);
  name.take(text, from, length, width, width);
}

}  // namespace

void emit_python_name(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_python_name", {kPythonMemory})[0];
  SourceNameCode(e, python).write([&](SourceNameCode& code) {
    take_python_text(e, python, code, kPythonFunction, kSourceFunction);
    take_python_text(e, python, code, kPythonFile, kSourceFile);
  });
}

}  // namespace dt::bpf
