// See functions.h.

#include "stap/meaning/functions.h"

#include <iterator>

namespace dt::stap {
namespace {

constexpr FunctionInfo kFunctions[] = {
#define DT_FUNCTION(name, result, parameters, where) {#name, result, parameters, Where::where},
#include "stap/meaning/functions.def"
#undef DT_FUNCTION
};

struct Refused {
  std::string_view name, why;
};
constexpr Refused kRefusedFunctions[] = {
    {"printk", "the kernel's log is not written"},
    {"ftrace", "the kernel's trace buffer is not written"},
    {"raise", "no signal is sent by a script here: system(\"kill ...\") sends one"},
    {"set_kernel_long", "kernel memory is not written"},
    {"set_kernel_int", "kernel memory is not written"},
    {"set_kernel_string", "kernel memory is not written"},
    {"set_user_string", "memory of programs is not written"},
    {"set_user_string_arg", "memory of programs is not written"},
    {"returnstr", "in a function, use return_str(format, value)"},
    {"print_regs", "registers are read one by one: register(\"rdi\")"},
    {"sprint_regs", "registers are read one by one: register(\"rdi\")"},
    {"set_kernel_char", "kernel memory is not written"},
    {"set_kernel_short", "kernel memory is not written"},
    {"set_kernel_pointer", "kernel memory is not written"},
    {"set_kernel_string_n", "kernel memory is not written"},
    {"set_user_char", "memory of programs is not written"},
    {"set_user_short", "memory of programs is not written"},
    {"set_user_int", "memory of programs is not written"},
    {"set_user_long", "memory of programs is not written"},
    {"mdelay", "no event is held up by a script"},
    {"udelay", "no event is held up by a script"},
    {"task_backtrace",
     "the stack of a task that does not run is not walked: backtrace() is that of the current one"},
    {"switch_file", "the output has one file, that of -o: a script can be started once more"},
    {"panic", "the kernel is not stopped by a script"},
    {"addr_to_node", "the memory node of an address is not known here"},
    {"stack_size",
     "the stack of the kernel is not measured: that of a thread has 16384 bytes, or 32768 where "
     "CONFIG_KASAN is set"},
    {"stack_used", "the stack of the kernel is not measured"},
    {"stack_unused", "the stack of the kernel is not measured"},
    {"pnlabel", "no probe is at a label here: pp() is the point"},
    {"task_stack", "the stack of a task that does not run is not walked"},
    {"module_size", "the sizes of modules are not known here"},
    // Of other languages, and of C.
    {"switch", "the language has if and else"},
    {"trace", "println() prints a value"},
    {"printa", "foreach (k in a) goes over an array, and print(@hist_log(s)) prints a histogram"},
    {"quantize", "s <<< value collects values, and print(@hist_log(s)) prints them"},
    {"lquantize",
     "s <<< value collects values, and print(@hist_linear(s, 0, 100, 10)) prints them"},
    {"hist", "s <<< value collects values, and print(@hist_log(s)) prints them"},
    {"lhist", "s <<< value collects values, and print(@hist_linear(s, 0, 100, 10)) prints them"},
    {"count", "s <<< 1 counts, and @count(s) is how often"},
    {"sum", "s <<< value collects values, and @sum(s) is their sum"},
    {"avg", "s <<< value collects values, and @avg(s) is their average"},
    {"copyin", "user_string(), user_long() and their like read memory of programs"},
    {"copyinstr", "user_string(address) reads a text of a program"},
    {"stringof", "kernel_string(address) reads a text of the kernel"},
    {"str",
     "user_string(address) reads a text of a program, kernel_string(address) one of the kernel"},
    {"kstack", "print_backtrace() prints the stack, and backtrace() is it as a text"},
    {"strftime", "ctime(gettimeofday_s()) is the time as a text"},
};

}  // namespace

const FunctionInfo& info(Fn fn) { return kFunctions[static_cast<std::size_t>(fn)]; }
std::size_t function_count() { return std::size(kFunctions); }

int find_function(std::string_view name) {
  if (name == "register") name = "__register";
  for (std::size_t i = 0; i < std::size(kFunctions); ++i) {
    if (kFunctions[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string_view why_no_function(std::string_view name) {
  for (const Refused& one : kRefusedFunctions) {
    if (one.name == name) return one.why;
  }
  return "";
}

bool is_printing(Fn fn) {
  switch (fn) {
    case Fn::print:
    case Fn::println:
    case Fn::printd:
    case Fn::printdln:
    case Fn::printf:
    case Fn::sprint:
    case Fn::sprintln:
    case Fn::sprintd:
    case Fn::sprintdln:
    case Fn::sprintf:
      return true;
    default:
      return false;
  }
}

}  // namespace dt::stap
