#pragma once
// dtrace's side of the page: a process of its own that has no rights (server.h). Tracing never
// waits for it.

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dt::page {

class PageProcess {
 public:
  // What is not read by the page for so long that more would wait is too much: it is given up.
  static constexpr std::size_t kMostWaiting = 16 << 20;

  // "": a free port of 127.0.0.1; "8080": that port; "/run/x.sock": a Unix socket. `program` is
  // what becomes the page process, which serves under the name "dtrace-page".
  static Result<std::unique_ptr<PageProcess>> start(const std::string& where,
                                                    const std::string& program);
  ~PageProcess();
  PageProcess(const PageProcess&) = delete;
  PageProcess& operator=(const PageProcess&) = delete;

  // Where a browser finds it, with the token that it has to show.
  const std::string& address() const { return address_; }
  void send(std::string_view lines);
  // What /metrics answers from now on.
  void send_metrics(std::string_view text);
  // As much as the page takes now.
  void flush();
  // Readable when the page process has gone.
  int fd() const { return lines_.get(); }
  bool has_waiting() const { return sent_ < waiting_.size(); }
  // Whether the page process still serves; why() is the reason why it does not any more.
  bool is_alive() const { return why_.empty(); }
  const std::string& why() const { return why_; }

 private:
  PageProcess() = default;

  Fd lines_;
  pid_t pid_ = -1;
  std::string address_, path_, why_;
  std::string waiting_;
  std::size_t sent_ = 0;
};

}  // namespace dt::page
