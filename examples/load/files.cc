// Workloads of files: opened, read and written.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "workloads.h"

namespace load {
namespace {

int open_or_throw(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

class FileOpener : public Workload {
 public:
  FileOpener(std::filesystem::path root, int created) : root_(std::move(root)) {
    std::filesystem::create_directories(root_);
    remove_numbers();
    for (int i = 1; i <= created; ++i) close(open_or_throw(name(i), O_CREAT | O_WRONLY));
  }

  void serve(const nlohmann::json& request, unsigned) override {
    const bool create = request.at("create").get<bool>();
    const std::string path = name(request.at("file").get<int>());
    const int fd = open(path.c_str(), create ? O_CREAT | O_RDWR : O_RDONLY, 0644);
    ++(create ? creations_ : openings_);
    if (fd < 0) {
      ++failed_;
    } else {
      close(fd);
    }
  }

  std::vector<Count> counts() const override {
    return {{"opened with O_CREAT", creations_},
            {"opened without O_CREAT", openings_},
            {"failed", failed_}};
  }

 private:
  // What an earlier run has created.
  void remove_numbers() const {
    for (const auto& entry : std::filesystem::directory_iterator(root_)) {
      const std::string file = entry.path().filename();
      if (file.find_first_not_of("0123456789") == std::string::npos) {
        std::filesystem::remove(entry.path());
      }
    }
  }

  std::string name(int number) const { return root_ / std::to_string(number); }

  std::filesystem::path root_;
  std::atomic<std::uint64_t> creations_ = 0, openings_ = 0, failed_ = 0;
};

class FileIo : public Workload {
 public:
  FileIo(const std::string& path, std::int64_t size, bool write, bool sync)
      : size_(size), write_(write) {
    make_file(path);
    fd_ = open_or_throw(path, (write ? O_WRONLY : O_RDONLY) | (sync ? O_DSYNC : 0));
  }

  ~FileIo() override { close(fd_); }

  void serve(const nlohmann::json& request, unsigned) override {
    const std::int64_t block = request.at("block_size").get<std::int64_t>();
    const std::int64_t blocks = size_ / block;
    if (block <= 0 || blocks == 0) throw std::runtime_error("block_size: not within file_size");
    const std::int64_t at = request.at("offset").get<std::int64_t>() % blocks * block;
    std::vector<char> bytes(static_cast<std::size_t>(block), 'x');
    const ssize_t done = write_ ? pwrite(fd_, bytes.data(), bytes.size(), at)
                                : pread(fd_, bytes.data(), bytes.size(), at);
    if (done < 0) throw std::system_error(errno, std::generic_category(), "fileio");
    bytes_ += static_cast<std::uint64_t>(done);
    ++requests_;
  }

  std::vector<Count> counts() const override {
    return {{write_ ? "writes" : "reads", requests_},
            {write_ ? "bytes written" : "bytes read", bytes_}};
  }

 private:
  // The file, on the disk and not in memory.
  void make_file(const std::string& path) const {
    const int fd = open_or_throw(path, O_CREAT | O_WRONLY | O_TRUNC);
    const std::vector<char> zeros(1 << 16);
    for (std::int64_t at = 0; at < size_; at += static_cast<std::int64_t>(zeros.size())) {
      const auto part = static_cast<std::size_t>(
          std::min<std::int64_t>(size_ - at, static_cast<std::int64_t>(zeros.size())));
      if (pwrite(fd, zeros.data(), part, at) != static_cast<ssize_t>(part)) {
        const int error = errno;
        close(fd);
        throw std::system_error(error, std::generic_category(), path);
      }
    }
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
  }

  std::int64_t size_;
  bool write_;
  int fd_ = -1;
  std::atomic<std::uint64_t> requests_ = 0, bytes_ = 0;
};

}  // namespace

std::unique_ptr<Workload> make_file_opener(const nlohmann::json& params, unsigned) {
  return std::make_unique<FileOpener>(params.at("root_dir").get<std::string>(),
                                      params.at("created_files").get<int>());
}

std::unique_ptr<Workload> make_fileio(const nlohmann::json& params, unsigned) {
  const std::string rw = params.at("rw").get<std::string>();
  if (rw != "read" && rw != "write") throw std::runtime_error("rw: read or write, not " + rw);
  return std::make_unique<FileIo>(params.at("path").get<std::string>(),
                                  params.at("file_size").get<std::int64_t>(), rw == "write",
                                  params.value("sync", false));
}

}  // namespace load
