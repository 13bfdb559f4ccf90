// Actions that do something besides recording: freopen(), system() and, refused
// by name, what no BPF program can do.

#include "d/check/checker.h"

namespace dt::d {

// freopen(format, ...): an empty format is the output that there was at first.
void Checker::freopen(Expr* e) {
  const Expr* format = e->args[0];
  if (format->kind == ExprKind::kString &&
      (format->text == "." || format->text == ".." || format->text == "...")) {
    error("D_FREOPEN_INVALID", format->span,
          fmt::format("freopen( ) argument #1 cannot be \"{}\"", format->text));
    return;
  }
  if (format->kind == ExprKind::kString && format->text.empty() && e->args.size() == 1) {
    return;
  }
  printf(e);
}

bool Checker::is_impossible(const Expr* e, Fn fn) {
  if (fn != Fn::kPanic && fn != Fn::kBreakpoint) {
    return false;
  }
  Diagnostic& d = error(
      "D_UNKNOWN", name_span(e),
      fn == Fn::kPanic ? "action panic( ) cannot be done: no BPF program may bring the kernel down"
                       : "action breakpoint( ) cannot be done: no BPF program may stop the kernel");
  d.hint = fn == Fn::kPanic
               ? "system(\"echo c >/proc/sysrq-trigger\") does so from dtrace itself, with -w"
               : "stop() stops the process, with -w";
  return true;
}

}  // namespace dt::d
