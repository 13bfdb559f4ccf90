// Output to descriptors that work, fill up and close.

#include "consumer/output/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/fd.h"

namespace dt::consumer {
namespace {

TEST(FileOutput, WritesEverythingInOrder) {
  char path[] = "/tmp/dt-output-XXXXXX";
  const Fd fd(::mkstemp(path));
  ASSERT_TRUE(fd.valid());
  std::string expected;
  {
    FileOutput output(fd.get(), path);
    for (int i = 0; i < 100000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      output.write(line);
      expected += line;
    }
    const std::string big(FileOutput::kBufferBytes * 2, 'x');
    output.write(big);
    expected += big;
    output.write("end");
    expected += "end";
    EXPECT_FALSE(output.error());
  }
  std::string text(expected.size() + 1, '\0');
  EXPECT_EQ(::pread(fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(expected.size()));
  text.resize(expected.size());
  EXPECT_TRUE(text == expected);
  ::unlink(path);
}

TEST(FileOutput, KeepsTheFirstFailure) {
  const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.valid());
  FileOutput output(full.get(), "out.txt");
  output.write("x");
  EXPECT_FALSE(output.error()) << "still buffered";
  output.flush();
  ASSERT_TRUE(output.error());
  EXPECT_EQ(output.error()->text, "failed to write to out.txt: No space left on device");
  EXPECT_EQ(output.error()->code, ENOSPC);
}

TEST(FileOutput, SaysThatAPipeIsClosed) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Fd reader(ends[0]);
  const Fd writer(ends[1]);
  reader.reset();
  FileOutput output(writer.get(), "<stdout>");
  output.write("x");
  output.flush();
  ASSERT_TRUE(output.error());
  EXPECT_EQ(output.error()->text, "failed to write to <stdout>: Broken pipe");
}

TEST(FileOutput, GivesAReaderUpWhoDoesNotReadWhenToldTo) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd reader(ends[0]);
  const Fd writer(ends[1]);
  FileOutput output(writer.get(), "<stdout>");
  int asked = 0;
  const Fd always(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  output.when_full(always.get(), [&](std::chrono::milliseconds) { return ++asked == 3; });
  output.write(std::string(1024 * 1024, 'x'));
  EXPECT_EQ(asked, 3);
  ASSERT_TRUE(output.error());
  EXPECT_EQ(output.error()->text, "failed to write to <stdout>: its reader does not read");
  EXPECT_EQ(::fcntl(writer.get(), F_GETFL) & O_NONBLOCK, 0) << "the pipe is not ours alone";
}

TEST(FileOutput, WaitsForAReaderWhoReadsLate) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd reader(ends[0]);
  const Fd writer(ends[1]);
  FileOutput output(writer.get(), "<stdout>");
  std::string got;
  const auto read_some = [&] {
    char part[65536];
    const ssize_t size = ::read(reader.get(), part, sizeof part);
    ASSERT_GT(size, 0);
    got.append(part, static_cast<std::size_t>(size));
  };
  const Fd always(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  output.when_full(always.get(), [&](std::chrono::milliseconds) {
    read_some();
    return false;
  });
  output.write(std::string(1024 * 1024, 'x'));
  while (got.size() < 1024 * 1024) {
    read_some();
  }
  EXPECT_FALSE(output.error());
  EXPECT_EQ(got.size(), 1024U * 1024);
}

TEST(FileOutput, AFunctionTakesWhatNoFileTakes) {
  std::string got;
  FileOutput output([&got](std::string_view text) { got += text; });
  EXPECT_TRUE(output.is_wanted());
  output.write("one ");
  output.flush();
  EXPECT_EQ(got, "one ");
  Fd file(::memfd_create("other", MFD_CLOEXEC));
  const int fd = file.get();
  output.redirect(std::move(file), "other");
  output.write("elsewhere");
  output.flush();
  char part[16] = {};
  EXPECT_EQ(::pread(fd, part, sizeof part, 0), 9);
  output.redirect(Fd(), "");
  output.write("two");
  output.flush();
  EXPECT_EQ(got, "one two");
}

TEST(FileOutput, NobodyWantsTextUntilItIsRedirected) {
  FileOutput output{std::function<void(std::string_view)>()};
  EXPECT_FALSE(output.is_wanted());
  output.write("gone");
  output.redirect(Fd(::open("/dev/null", O_WRONLY | O_CLOEXEC)), "null");
  EXPECT_TRUE(output.is_wanted());
  EXPECT_FALSE(output.error());
}

}  // namespace
}  // namespace dt::consumer
