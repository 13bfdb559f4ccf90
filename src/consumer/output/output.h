#pragma once
// Where text goes: a file descriptor behind a big buffer, or a string.

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::consumer {

// A destination of text. Writing can fail (a closed pipe, a full disk); the first failure is kept,
// and the caller ends the run with it.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::string_view text) = 0;
  virtual void flush() = 0;
  // False if the text is not used: then it need not be made.
  virtual bool is_wanted() const { return true; }
};

// Writes to a descriptor that it does not own. The first failure (EPIPE,
// ENOSPC, ...) is kept; what is written after it is dropped, so that whatever
// stands in the file is a prefix of the output.
class FileOutput final : public Output {
 public:
  static constexpr std::size_t kBufferBytes = 256 * 1024;

  // `name` is how messages call the file: "<stdout>", "out.txt".
  FileOutput(int fd, std::string name);
  // Gives its text to a function instead; without one, the text is not wanted
  // until redirect() says where it goes.
  explicit FileOutput(std::function<void(std::string_view)> take);
  ~FileOutput() override;
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  void write(std::string_view text) override;
  void flush() override;
  bool is_wanted() const override { return other_.valid() || given_ >= 0 || take_; }

  // Whether to stop waiting for a reader that has taken nothing for so long. Asked when `wake_fd`
  // becomes readable, and a few times a second, while a pipe or a terminal is full; without it, the
  // wait ends only when the reader closes its end.
  using GiveUp = std::function<bool(std::chrono::milliseconds idle)>;
  void when_full(int wake_fd, GiveUp give_up);

  // Writes to another file from now on, which is ours; without one, to the
  // descriptor that there was at first.
  void redirect(Fd fd, std::string name);
  // Empties the file; what is not a file stays as it is.
  Status truncate();
  // The descriptor that is written to, as it was given; standard output where
  // there is none.
  int descriptor() const;
  bool is_terminal() const;
  // Whether it is an empty file, or none at all (a pipe), once flushed.
  bool is_at_start();

  // "failed to write to <stdout>: Broken pipe", once something has failed.
  const std::optional<Error>& error() const { return error_; }

 private:
  void put(std::string_view text);
  bool wait_for_room(std::chrono::steady_clock::time_point since);

  int given_;  // -1: take_
  int fd_;
  std::function<void(std::string_view)> take_;
  Fd own_;    // the given pipe or terminal, but non-blocking for us alone
  Fd other_;  // of redirect()
  std::string given_name_;
  int wake_fd_ = -1;
  GiveUp give_up_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::optional<Error> error_;
};

class StringOutput final : public Output {
 public:
  void write(std::string_view text) override { text_ += text; }
  void flush() override {}
  const std::string& text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

}  // namespace dt::consumer
