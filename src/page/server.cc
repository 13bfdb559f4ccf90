// See server.h.

#include "page/server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>

#include "exports/html.h"
#include "page/rights.h"
#include "support/check.h"

namespace dt::page {
namespace {

// For a request, and for an answer that is not a stream: who takes longer is no browser.
constexpr std::chrono::seconds kPatience{10};
// A client that has shown the token may read a long answer slowly, as through ssh. In this time the
// client has to take a part of the answer: the server sees it as soon as a third of the socket's
// buffer, which is a few megabytes, is free.
constexpr std::chrono::seconds kPatienceForSome{60};
constexpr int kLookMs = 1000;
constexpr std::size_t kReadBytes = 64 << 10;

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string_view without_query(std::string_view path) { return path.substr(0, path.find('?')); }

}  // namespace

Server::Server(Fd listener, Fd lines, Access access)
    : listener_(std::move(listener)), lines_(std::move(lines)), access_(std::move(access)) {
  set_nonblocking(listener_.get());
  set_nonblocking(lines_.get());
}

void Server::run() {
  while (true) {
    std::vector<pollfd> polls = {{lines_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const auto& client : clients_) {
      const bool has_output = client->sent < client->queue.size();
      polls.push_back(
          {client->fd.get(), static_cast<short>(POLLIN | (has_output ? POLLOUT : 0)), 0});
    }
    if (::poll(polls.data(), polls.size(), kLookMs) < 0 && errno != EINTR) return;
    if (polls[0].revents != 0 && !take_lines()) return;
    std::vector<std::unique_ptr<Client>> stay;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      Client& client = *clients_[i];
      const auto patience = client.has_shown_token ? kPatienceForSome : kPatience;
      const bool is_late =
          !(client.has_asked && client.is_reader) && Clock::now() - client.since > patience;
      const bool reads = i + 2 >= polls.size() || polls[i + 2].revents == 0 || read_from(client);
      if (!is_late && reads && write_to(client)) stay.push_back(std::move(clients_[i]));
    }
    clients_ = std::move(stay);
    while (kept_.held_bytes() > kMostHeldBytes) close_slowest();
    if (polls[1].revents != 0) accept();
  }
}

void Server::accept() {
  Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!fd.valid()) return;
  if (clients_.size() >= kMostClients) {
    // A client that has not asked yet gives way: idle connections must not keep a page out.
    const auto idle =
        std::ranges::find_if(clients_, [](const auto& client) { return !client->has_asked; });
    if (idle != clients_.end()) clients_.erase(idle);
  }
  if (clients_.size() >= kMostClients) {
    const std::string busy = answer(503, "16 pages are open already\n");
    static_cast<void>(::send(fd.get(), busy.data(), busy.size(), MSG_NOSIGNAL));
    return;
  }
  auto client = std::make_unique<Client>();
  client->fd = std::move(fd);
  clients_.push_back(std::move(client));
}

// False when there will be no more.
bool Server::take_lines() {
  static char buffer[kReadBytes];
  while (true) {
    const ssize_t count = ::read(lines_.get(), buffer, sizeof buffer);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    rest_.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string_view line(rest_.data() + begin, end - begin);
      if (line.starts_with(kMetrics)) {
        take_metrics(line.substr(kMetrics.size()));
        continue;
      }
      kept_.add(line);
      tell(line);
    }
    rest_.erase(0, begin);
  }
}

// A scrape is given all of them as of one moment.
void Server::take_metrics(std::string_view line) {
  if (!line.empty()) {
    next_metrics_.append(line).append("\n");
    return;
  }
  metrics_ = std::move(next_metrics_);
  next_metrics_.clear();
}

void Server::tell(std::string_view line) {
  for (const auto& client : clients_) {
    if (!client->is_reader || client->needs_state) continue;
    const std::size_t waiting = client->has_state ? 0 : client->queue.size() - client->sent;
    if (waiting + client->live.size() + line.size() > kQueueBytes) {
      client->needs_state = true;
      client->live = {};
      continue;
    }
    client->live.append("data: ").append(line).append("\n\n");
  }
}

bool Server::read_from(Client& client) {
  char buffer[4096];
  const ssize_t count = ::recv(client.fd.get(), buffer, sizeof buffer, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  if (client.has_asked) return true;  // what comes behind a request is not read
  client.request.append(buffer, static_cast<std::size_t>(count));
  const auto end = header_end(client.request);
  if (!end && client.request.size() <= kMostHeaderBytes) return true;
  client.has_asked = true;
  if (!end || *end > kMostHeaderBytes) {
    client.queue = answer(431, "the header of the request is too long\n");
    return true;
  }
  const auto request = parse_request(std::string_view(client.request).substr(0, *end));
  if (!request) {
    client.queue = answer(400, "this is no request of HTTP/1.1\n");
  } else {
    serve(client, *request);
  }
  return true;
}

void Server::serve_file(Client& client, std::string_view type, std::string_view text) {
  client.queue = answer_head(200, type, text.size()).append(text);
}

void Server::serve(Client& client, const Request& request) {
  const std::string_view path = without_query(request.path);
  if (!is_for_us(request, access_)) {
    client.queue = answer(403, "only pages of this server may ask, under the name localhost\n");
  } else if (request.method != "GET") {
    client.queue = answer(405, "only GET is understood\n");
  } else if (path == "/") {
    serve_file(client, "text/html; charset=utf-8", exports::live_page());
  } else if (path == "/page.js") {
    serve_file(client, "text/javascript; charset=utf-8", exports::page_script());
  } else if (path == "/page.css") {
    serve_file(client, "text/css; charset=utf-8", exports::page_style());
  } else if (path == "/favicon.ico") {  // browsers ask for it, whatever the page says
    serve_file(client, "image/svg+xml", exports::page_icon());
  } else if (path != "/lines" && path != "/state" && path != "/save" && path != "/metrics") {
    client.queue = answer(404, "there is no such page\n");
  } else if (!has_token(request, access_)) {
    client.queue = answer(401, "the token of the address that dtrace has printed is needed\n");
  } else {
    client.has_shown_token = true;
    serve_data(client, path);
  }
}

void Server::serve_data(Client& client, std::string_view path) {
  if (path == "/lines") {
    client.queue = answer_head(200, "text/event-stream; charset=utf-8", std::nullopt);
    client.is_reader = true;
    client.needs_state = true;
  } else if (path == "/metrics" && metrics_.empty()) {
    client.queue = answer(503, "nothing was read yet\n");
  } else if (path == "/metrics") {
    serve_file(client, "text/plain; version=0.0.4; charset=utf-8", metrics_);
  } else if (path == "/state") {
    std::size_t length = 0;
    client.state_since = Clock::now();
    for (KeptLines::Block& block : kept_.state()) {
      length += block->size();
      client.state.push_back(std::move(block));
    }
    client.queue = answer_head(200, "application/x-ndjson; charset=utf-8", length);
  } else {
    serve_file(client, "text/html; charset=utf-8", saved());
  }
}

std::string Server::saved() const {
  exports::Html html;
  kept_.each([&](std::string_view line) {
    html.add(line);
    html.add("\n");
  });
  return html.document();
}

void Server::begin_lines(Client& client) {
  client.needs_state = false;
  client.has_state = true;
  client.state_since = Clock::now();
  client.queue = "event: state\n";
  for (KeptLines::Block& block : kept_.state()) client.state.push_back(std::move(block));
}

// Puts into the empty queue what is to be sent next. False when there is nothing, for now.
bool Server::next_output(Client& client) {
  client.queue = {};
  client.sent = 0;
  if (!client.state.empty()) {
    const KeptLines::Block block = std::move(client.state.front());
    client.state.pop_front();
    if (!client.is_reader) {
      client.queue = *block;
      return true;
    }
    std::string_view rest = *block;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n') + 1;
      client.queue.append("data: ").append(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    return true;
  }
  if (client.has_state) {
    client.has_state = false;
    client.queue = "\n";  // the event is whole
  } else if (client.needs_state) {
    begin_lines(client);
  } else {
    client.queue = std::move(client.live);
    client.live = {};
  }
  return !client.queue.empty();
}

// Of the clients that are sent a state, the one that began first.
void Server::close_slowest() {
  auto slowest = clients_.end();
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    const bool is_slower =
        slowest == clients_.end() || (*client)->state_since < (*slowest)->state_since;
    if (!(*client)->state.empty() && is_slower) slowest = client;
  }
  DT_CHECK(slowest != clients_.end());  // only clients hold blocks
  clients_.erase(slowest);
}

// False when it is over.
bool Server::write_to(Client& client) {
  while (true) {
    while (client.sent < client.queue.size()) {
      const ssize_t count = ::send(client.fd.get(), client.queue.data() + client.sent,
                                   client.queue.size() - client.sent, MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      client.sent += static_cast<std::size_t>(count);
      if (client.has_shown_token) client.since = Clock::now();
    }
    if (!next_output(client)) return !client.has_asked || client.is_reader;
  }
}

int run_page_process(const std::function<void(std::string_view text)>& say) {
  // Ctrl-C is for dtrace, which then ends this.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  if (::fcntl(kListener, F_GETFD) < 0 || ::fcntl(kLines, F_GETFD) < 0) {
    say("dtrace-page is a part of dtrace: -x listen starts it");
    return 2;
  }
  if (const auto refused = give_up_rights()) {
    say(fmt::format("the page process could not give up its rights: {}", *refused));
    return 1;
  }
  // "TOKEN PORT\n", a port of 0 for a Unix socket; from a pipe, as everybody can read arguments.
  std::string line;
  for (char c = 0; c != '\n' && ::read(kLines, &c, 1) == 1;) line += c;
  const std::size_t blank = line.find(' ');
  if (blank == std::string::npos) return 1;
  Access access;
  access.token = line.substr(0, blank);
  int port = 0;
  std::from_chars(line.data() + blank + 1, line.data() + line.size(), port);
  if (port != 0) access.port = port;
  Server(Fd(kListener), Fd(kLines), std::move(access)).run();
  return 0;
}

}  // namespace dt::page
