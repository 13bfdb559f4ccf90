// Messages to a reader who does not read, or reads late.

#include "cli/messages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace dt::cli {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reader = Fd(ends[0]);
    writer = Fd(ends[1]);
  }
  std::string read_all() {
    ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
    std::string text;
    char part[4096];
    for (ssize_t n = 0; (n = ::read(reader.get(), part, sizeof part)) > 0;) {
      text.append(part, static_cast<std::size_t>(n));
    }
    return text;
  }
  Fd reader, writer;
};

TEST(Messages, AreWrittenAtOnceWhereThereIsRoom) {
  Pipe pipe;
  Messages messages(pipe.writer.get());
  messages.say("no probes matched");
  EXPECT_EQ(pipe.read_all(), "dtrace: no probes matched\n");
  EXPECT_TRUE(messages.finish(std::chrono::milliseconds(0)));
}

TEST(Messages, WaitForAFullPipeToBeRead) {
  Pipe pipe;
  ::fcntl(pipe.writer.get(), F_SETPIPE_SZ, 4096);
  Messages messages(pipe.writer.get());
  std::string wanted;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = "message " + std::to_string(i);
    messages.say(text);
    wanted += "dtrace: " + text + "\n";
  }
  std::string got;
  while (got.size() < wanted.size()) {
    const std::string part = pipe.read_all();
    ASSERT_FALSE(part.empty());
    got += part;
    messages.flush();
  }
  EXPECT_EQ(got, wanted);
  EXPECT_TRUE(messages.finish(std::chrono::milliseconds(0)));
}

TEST(Messages, CountWhatTheyCannotKeep) {
  Pipe pipe;
  Messages messages(pipe.writer.get());
  const std::string text(Messages::kMaxWaitingBytes / 4, 'x');
  for (int i = 0; i < 8; ++i) {
    messages.say(text);
  }
  EXPECT_FALSE(messages.finish(std::chrono::milliseconds(0)));
  std::string got;
  for (std::string part = pipe.read_all(); !part.empty(); part = pipe.read_all()) {
    got += part;
    messages.finish(std::chrono::milliseconds(0));
    messages.flush();
  }
  EXPECT_TRUE(got.ends_with("messages were lost: standard error was not read\n"))
      << got.substr(got.size() - std::min<std::size_t>(got.size(), 100));
}

TEST(Messages, EndWhenNobodyCanReadThem) {
  Pipe pipe;
  pipe.reader.reset();
  ::signal(SIGPIPE, SIG_IGN);
  Messages messages(pipe.writer.get());
  messages.say("lost");
  EXPECT_TRUE(messages.finish(std::chrono::seconds(500)));
}

}  // namespace
}  // namespace dt::cli
