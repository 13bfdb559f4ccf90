#pragma once
// Stacks of Python's functions, read where a probe fires: jstack().
//
// The interpreter's function that runs byte code (_PyEval_EvalFrameDefault) has in its
// frame a _PyCFrame, which leads to the functions that this call of it is running:
//
//   frames of the processor          of CPython 3.11
//
//   os_getpid                        thread state (the one of this thread)
//   cfunction_vectorcall               |
//   _PyEval_EvalFrameDefault [cframe <-+ ] -> inner -> middle -> key (is_entry)
//   sort                        |  previous
//   _PyEval_EvalFrameDefault [cframe     ] -> outer -> <module> (is_entry)
//   PyEval_EvalCode             |
//   main                        +--> that of the thread state, which runs nothing
//
// So a frame of the processor is one of the interpreter's if its _PyCFrame is between its
// stack pointer and its caller's: this, and the types of the objects, show that nothing
// else was read. In its place those functions are entered as
// symbol::source_frame.h has them: the line from the table of the code object, and a name
// by which the texts are found that were there at this very moment. A code object is never
// known by its address, which another one may have a moment later.
//
// Where something is not resident, the frame is there without name and line.

#include <algorithm>
#include <cstdint>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"
#include "bpf/stack/unwind.h"
#include "kernel/function.h"
#include "symbol/interpreter/python.h"

namespace dt::bpf {

// What the routines have between them, in every scratch frame: words, and two buffers. Those
// of Ruby (ruby.h) use the same.
enum PythonState : std::int32_t {
  kPythonIndex = 0,      // of the scratch frame
  kPythonAt = 8,         // behind the frames that are entered: bytes
  kPythonSp = 16,        // of the frame that was unwound last
  kPythonCframe = 24,    // the next one; or one of those below
  kPythonRuntime = 32,   // _PyRuntime
  kPythonCodeType = 40,  // types of objects
  kPythonTextType = 48,
  kPythonBytesType = 56,
  kPythonIsMore = 64,   // not 0: there are several interpreters
  kPythonCurrent = 72,  // the function that is looked at, and then its caller
  kPythonIsEntry = 80,  // 1: what called it is further up
  kPythonWord = 88,     // what it is entered as
  kPythonFunction = 96,
  kPythonFile = 104,
  kPythonTable = 112,        // of lines
  kPythonNumber = 120,       // the first; then that of kPythonTarget
  kPythonTarget = 128,       // in units of two bytes of code, as all that follows
  kPythonPlace = 136,        // of the table that is looked at
  kPythonSize = 144,         // of what is left of it
  kPythonEnd = 152,          // of the entry that was begun last
  kPythonKind = 160,         // of that entry
  kPythonSum = 168,          // of the number that is open in it
  kPythonShift = 176,        // where its next bits go; below 0: none is open
  kPythonLost = 184,         // how many names found no room
  kPythonSelf = 192,         // by which the interpreter knows this thread: what fs:0 is
  kPythonThread = 200,       // the thread state that is looked at; 0: of the next interpreter
  kPythonInterpreter = 208,  // the next one
  kPythonHasLock = 216,      // 1: it is that which holds the lock
  kRubyTag = 224,            // see ruby.h: of the next rb_vm_exec(); or as kPythonCframe
  kRubyTagNext = 232,        // what is further up than that
  kRubyRun = 240,            // rb_vm_exec(), and its end
  kRubyRunEnd = 248,
  kRubyReturn = 256,      // where the loop of instructions returns to in it
  kRubyFrameAt = 264,     // the next one of Ruby
  kRubyEnd = 272,         // of the stack that it is on
  kRubyIsLoop = 280,      // 1: the loop's place has been taken, and its caller's is to be
  kRubyIsFirst = 288,     // 1: nothing has been entered yet
  kRubyCalls = 296,       // how many frames with a mark are to come
  kRubyAhead = 304,       // a frame further up
  kRubyTagAhead = 312,    // likewise
  kRubyDifference = 320,  // how many more marks than tags there are
  kRubyNames = 328,       // of symbols; 0: not known
  kRubyMethod = 336,      // what the frame in C is of; 0: it is none
  kPythonBuffer = 344,    // of the process's memory
  kPythonRecord = 504,    // symbol::SourceRecord
};
constexpr std::int32_t kPythonWindowBytes = 64;  // of a table of lines
constexpr std::int32_t kPythonRecordBytes = sizeof(symbol::SourceRecord);
constexpr std::int32_t kPythonBytes = kPythonRecord + kPythonRecordBytes;
static_assert(kPythonBuffer + std::max(kPythonWindowBytes, symbol::python::kThreadBytes) <=
              kPythonRecord);

// Values of kPythonCframe and of kRubyTag that are no addresses.
constexpr std::int32_t kPythonUnknown = 0, kPythonNone = 1;

constexpr kernel::Parameter kPythonMemory = {kernel::Parameter::Kind::kMemory, kPythonBytes};

// Where it is in a scratch frame.
constexpr std::uint32_t kPythonOffset = kUnwindCacheAt + kUnwindCacheBytes;

// When a scratch frame has been taken.
void note_frame(Emitter& e, const Memory& memory, Reg frame, Reg index);
// Before a stack is unwound.
void begin_python(Emitter& e, Reg python);

// (frames, state, python): when the frame that was unwound last is the interpreter's, the
// functions that it runs are entered in its place.
void emit_python(Unit& unit, Label name, std::uint32_t bytes);
// (state, python): finds this thread's kPythonCframe.
void emit_python_thread(Unit& unit, Label name);
// (python) -> 0 when there are more: looks at one thread state, or interpreter.
void emit_python_step(Unit& unit, Label name);
// (python): kPythonCurrent as a kPythonWord, and what called it.
void emit_python_frame(Unit& unit, Label name);
// (python): the line at kPythonTarget, 0 for none.
void emit_python_line(Unit& unit, Label name);
// (python) -> 1 when a part of the table, which is in the buffer, has it; -1 when the
// table has no part there.
void emit_python_window(Unit& unit, Label name);
// (python): the name in kPythonWord, 0 for none.
void emit_python_name(Unit& unit, Label name);

}  // namespace dt::bpf
