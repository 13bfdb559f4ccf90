#pragma once
// The page process: serves the page, and the view lines that come through a pipe, to browsers of
// this machine.
//
//     dtrace --- pipe ---> KeptLines --> a queue for each client --> browsers
//
// A client that reads slowly never holds anything up: when its queue is full, it is emptied, and
// the client is sent the whole state anew once it reads again. It loses moments, and no sums.
//
// The state is sent in blocks that all clients share. One that reads it so slowly that too much is
// kept for it alone is closed: a browser asks again.

#include <poll.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "page/http.h"
#include "page/kept_lines.h"
#include "support/fd.h"

namespace dt::page {

class Server {
 public:
  static constexpr std::size_t kMostClients = 16;
  static constexpr std::size_t kQueueBytes = 1 << 20;
  static constexpr std::size_t kMostHeldBytes = 96 << 20;

  Server(Fd listener, Fd lines, Access access);

  // Until the process that writes the lines has ended.
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    Fd fd;
    std::string request;
    std::string queue;
    std::size_t sent = 0;                // of the queue
    std::deque<KeptLines::Block> state;  // what is left of one; it comes behind the queue
    bool has_state = false;              // it is being sent, as events
    Clock::time_point state_since = {};
    std::string live;        // comes behind the state
    bool is_reader = false;  // of lines, until it goes
    bool needs_state = false;
    bool has_asked = false;
    bool has_shown_token = false;
    Clock::time_point since = Clock::now();  // with the token: since it has taken something
  };

  void accept();
  bool take_lines();
  bool read_from(Client& client);
  bool write_to(Client& client);
  void serve(Client& client, const Request& request);
  void serve_data(Client& client, std::string_view path);
  void serve_file(Client& client, std::string_view type, std::string_view text);
  void take_metrics(std::string_view line);
  void begin_lines(Client& client);
  bool next_output(Client& client);
  void close_slowest();
  std::string saved() const;
  void tell(std::string_view line);

  Fd listener_, lines_;
  Access access_;
  KeptLines kept_;
  std::string metrics_, next_metrics_;
  std::string rest_;  // of a line that is not whole yet
  std::vector<std::unique_ptr<Client>> clients_;
};

// The descriptors with which the page process starts: one listens, the other has the token, the
// port and then lines.
constexpr int kListener = 3, kLines = 4;
// What a line of metrics begins with, among view lines, which begin with '{'.
constexpr std::string_view kMetrics = "M ";
// What /proc/self/exe does as "dtrace-page". `say` reports why it cannot serve.
int run_page_process(const std::function<void(std::string_view text)>& say);

}  // namespace dt::page
