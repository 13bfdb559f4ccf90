#pragma once
// Files that this process answers for: a file system of FUSE with a few files, whose text is made
// when a program reads it, and whose writes are taken as they come.
//
// No library and no other process is needed: the kernel's protocol is spoken on /dev/fuse. A file
// of FUSE can be read and written by several programs at once, which a FIFO cannot, and has the
// permissions that it is given.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/guardian.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// The thread that reads or writes.
struct Asker {
  pid_t tid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

struct ServedFile {
  std::string path;  // below the directory, "limits/most"
  std::uint32_t mode = 0;
  // The whole text, once for each time that the file was opened, when it is read first; nullopt: an
  // error of input and output.
  std::function<std::optional<std::string>(const Asker& asker)> read = {};
  // What one write() gives, at most `most_bytes` of it: a longer one is taken in parts, as its
  // program goes on with the rest. False: an error of input and output.
  std::function<bool(std::string_view text, const Asker& asker)> write = {};
  std::size_t most_bytes = 4096;
};

class ServedFiles {
 public:
  // Makes the directory, and that which it is in. They are removed at the end, also when this
  // process is killed.
  static Result<std::unique_ptr<ServedFiles>> mount(const std::string& directory,
                                                    std::vector<ServedFile> files);
  ServedFiles(const ServedFiles&) = delete;
  ServedFiles& operator=(const ServedFiles&) = delete;
  ~ServedFiles();

  // Readable when a program waits for an answer.
  int descriptor() const { return device_.get(); }
  // Answers all that wait. True if there was one.
  bool serve();

 private:
  struct Node {
    std::string name;
    std::size_t parent = 0;
    const ServedFile* file = nullptr;  // null: a directory
  };
  struct Open {
    std::size_t node = 0;
    std::optional<std::string> text = {};
    bool is_made = false;
  };
  using Bytes = std::span<const char>;

  ServedFiles(std::string directory, std::vector<ServedFile> files, Fd device);
  void add(const ServedFile& file);
  void answer(Bytes request);
  // Answers to requests; `unique` is the number of the request, and 0 no error.
  void reply(std::uint64_t unique, int error, Bytes body = {}) const;
  void introduce(std::uint64_t unique) const;
  void describe(std::uint64_t unique, std::uint64_t id) const;
  void describe_system(std::uint64_t unique) const;
  void release(std::uint64_t unique, Bytes body);
  void look_up(std::uint64_t unique, std::size_t parent, std::string_view name) const;
  void list(std::uint64_t unique, std::size_t node, Bytes body) const;
  void open(std::uint64_t unique, std::size_t node);
  void read(std::uint64_t unique, Bytes body, const Asker& asker);
  void write(std::uint64_t unique, std::size_t node, Bytes body, const Asker& asker) const;
  const Node* node(std::uint64_t number) const;

  std::string directory_;
  std::vector<ServedFile> files_;
  std::vector<Node> nodes_;  // the first is the directory; the kernel's numbers are one more
  std::map<std::uint64_t, Open> opened_;
  std::uint64_t next_open_ = 1;
  std::uint64_t made_s_ = 0;  // since 1970
  std::vector<char> buffer_;
  Fd device_;
  std::optional<Guardian> guardian_;
};

}  // namespace dt::kernel
