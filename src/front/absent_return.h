#pragma once
// Returns of system calls that do not happen, or not under the name of the call.

#include <string>

namespace dt::front {

// Why a probe of the return of `call` (its name, or that of Solaris) does not fire; empty if it
// does. The kernel reports a return by the number of the call that is in orig_ax then. On x86-64,
// rt_sigreturn() leaves -1 there, and an exec() that succeeds the number of execve().
inline std::string why_no_return(const std::string& call) {
  if (call == "exit" || call == "exit_group" || call == "rexit" || call == "lwp_exit") {
    return call + "() does not return";
  }
  if (call == "rt_sigreturn") return "the kernel does not report the return of rt_sigreturn()";
  if (call != "execveat") return "";
  return "the kernel reports the return of an execveat() that has succeeded as one of execve()";
}

}  // namespace dt::front
