#pragma once
// Anonymous tracing: an enabling that begins without anybody, at boot, and is
// claimed later.
//
//     dtrace -A ...        saves the enabling: its command line and programs
//     dtrace --anonymous   traces it; a service runs this at boot
//     dtrace -a            claims it: its output is then the claimer's
//
// Until then records wait in the buffer, by its policy. The tracer listens on a
// socket; who claims sends standard output and standard error, then the signals
// it gets, and receives the exit status.

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::cli {

// Where the enabling is saved, and the socket: /var/lib/dtrace, or what the
// environment's DTRACE_ANONYMOUS says.
std::string anonymous_directory();

// dtrace -A: saves this command line, of which `line` is what it means, and its
// programs as they were compiled; without programs, removes what is saved.
int save_anonymous(int argc, char** argv, const CommandLine& line);

// dtrace --anonymous.
int serve_anonymous();

// dtrace -a; with `ends`, tracing ends with the claim.
int claim_anonymous(const CommandLine& line, bool ends);

// The side of the tracer.
class Claim {
 public:
  // An error when another one listens there.
  static Result<Claim> create(const std::string& directory);
  // From now on there is something to claim.
  Status listen();
  Claim(Claim&&) = default;
  Claim& operator=(Claim&&) = delete;
  ~Claim();

  // Becomes readable when a process claims the output; once claimed, when there is a signal.
  int fd() const { return peer_.valid() ? peer_.get() : listener_.get(); }
  // True when it is claimed: `output` and standard error are then the claimer's,
  // and no other process can claim it.
  bool accept(int output);
  // Whether tracing is to end now that it is claimed.
  bool ends() const { return ends_; }
  // The next signal that the claimer got, 0 for none; SIGTERM when it is gone.
  int take_signal();
  // What the claimer is to exit with.
  void finish(int status);

 private:
  Claim() = default;
  Fd listener_, peer_;
  std::string path_;  // of the socket, as long as it is there
  bool ends_ = false;
};

}  // namespace dt::cli
