#pragma once
// Stacks of Ruby's methods, read where a probe fires: jstack().
//
// Each call of rb_vm_exec() runs methods and blocks of Ruby, of which the outermost one has
// a mark (kFlagFinish). They are on a stack of their own, with those that are written in C,
// which the processor's stack has, too:
//
//   frames of the processor         of Ruby 3.1
//
//   rb_f_sleep                      sleep (C)
//   (of the interpreter)
//   rb_vm_exec  ------------------> wait -> block in add (finish)
//   rb_yield
//   rb_ary_each                     each (C)
//   (of the interpreter)
//   rb_vm_exec  ------------------> add -> outer -> <main> (finish)
//   ruby_run_node
//   main
//
// So in the place of each frame of rb_vm_exec() stand those down to the next mark. The stack
// is that of ruby_current_ec, a variable of each thread, which is found as the loader has laid it
// out. That objects have the kinds that they should tells that what is read is what it is taken
// for.
//
// A thread that is just about to call rb_vm_exec() has already entered what that will run, and
// one that returns from it has left it. Then the outermost frames are one too many or too few: on
// the last place of the stack there is always one that nothing runs. Where that comes out, the
// stack is unwound once more, and the innermost frames or the innermost call are passed over.

#include "bpf/emitter.h"

namespace dt::bpf {

struct Unit;

// Of kRubyPass.
constexpr std::int32_t kPassNothing = 0, kPassCall = 1, kPassFrames = 2, kPassed = 3;

// (frames, state, python's): when the frame that was unwound last is one of rb_vm_exec(), the
// methods that it runs are entered in its place.
void emit_ruby(Unit& unit, Label name, std::uint32_t bytes);
// (state, python's): finds this thread's kRubyFrameAt.
void emit_ruby_thread(Unit& unit, Label name);
// (python's) -> 1 when kRubyFrameAt has come behind the next frame with the mark, 0 when there is
// none, 2 when it is to be called again.
void emit_ruby_skip(Unit& unit, Label name);
// (python's), when the stack is whole -> 1 when it is to be unwound once more.
void emit_ruby_check(Unit& unit, Label name);
// (python's): kRubyFrameAt as a kPythonWord, 0 when it is none of Ruby's own; kPythonIsEntry:
// it has the mark.
void emit_ruby_frame(Unit& unit, Label name);
// (python's): kPythonNumber, the line at kPythonTarget, 0 for none.
void emit_ruby_line(Unit& unit, Label name);
// (python's): the name in kPythonWord, 0 for none.
void emit_ruby_name(Unit& unit, Label name);

}  // namespace dt::bpf
