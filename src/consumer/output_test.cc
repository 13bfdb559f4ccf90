// Output to descriptors that work, fill up and close.

#include "consumer/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
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

}  // namespace
}  // namespace dt::consumer
