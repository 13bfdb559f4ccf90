#pragma once
// Stacks of Ruby's methods, read where a probe fires: jstack().
//
// Each call of rb_vm_exec() runs methods and blocks of Ruby, of which the outermost one has
// a mark (kFlagFinish). They are on a stack of their own, with those that are written in C,
// which the processor's stack has, too. And it has a rb_vm_tag in its frame, which says where
// exceptions go; so have functions in C, but its label is in rb_vm_exec():
//
//   frames of the processor                      of Ruby 3.1, from its execution context on
//
//   rb_f_sleep                                   sleep (C)
//   loop of instructions <--.
//   rb_vm_exec [tag <-- ] --+------------------> wait -> block in add (finish)
//   rb_yield          |
//   rb_ary_each       |                          each (C)
//   loop of instructions <--.
//   rb_vm_exec [tag <-- ] --+------------------> add -> outer -> <main> (finish)
//   ruby_run_node
//   main
//
// So a frame of the processor is one of rb_vm_exec() if such a tag is between its stack pointer
// and its caller's. It, and the loop that it has called, are replaced by the frames of Ruby down to
// the next mark. What is written in C has, as in Ruby's own lists, its name and the line of its
// caller. The execution context is that of ruby_current_ec, a variable of each thread,
// which is found as the loader has laid it out. The kinds of the objects are checked,
// so that nothing else is read as one of them.
//
// A thread that is just about to call rb_vm_exec() has already entered what that will run, and
// one that returns from it has left it: then there is one mark more, or one less, than tags. That
// can be where the innermost frame has a mark and has not begun, or where one with a mark has
// been left and nothing has been entered since: there they are counted.

#include "bpf/asm/emitter.h"

namespace dt::bpf {

struct Unit;

// (frames, state, python's): when the frame that was unwound last is the interpreter's, the
// methods that it runs are entered in its place.
void emit_ruby(Unit& unit, Label name, std::uint32_t bytes);
// (state, python's): finds this thread's kRubyTag and kRubyFrameAt.
void emit_ruby_thread(Unit& unit, Label name);
// (python's): kRubyTag becomes the next one of rb_vm_exec(), from kRubyTagNext on.
void emit_ruby_tag(Unit& unit, Label name);
// (python's) -> how many marks belong to the innermost call of rb_vm_exec(): 1, but at such a
// moment 0 or 2; below 0 when that is not known.
void emit_ruby_balance(Unit& unit, Label name);
// (python's) -> 0 when there are more: counts kRubyAhead and kRubyTagAhead.
void emit_ruby_step(Unit& unit, Label name);
// (python's) -> one of these, below 0 when it cannot be read: kRubyFrameAt, which becomes the next
// one, as a kPythonWord.
constexpr std::int32_t kRubyOver = 0, kRubyEnter = 1, kRubySkip = 2;
void emit_ruby_frame(Unit& unit, Label name);
// (python's): kPythonNumber, the line at kPythonTarget, 0 for none.
void emit_ruby_line(Unit& unit, Label name);
// (python's): the name in kPythonWord, 0 for none.
void emit_ruby_name(Unit& unit, Label name);
// (python's) -> 0 when kPythonFunction has become the name of kRubyMethod.
void emit_ruby_method(Unit& unit, Label name);

}  // namespace dt::bpf
