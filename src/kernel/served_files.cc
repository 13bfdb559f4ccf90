// See served_files.h. The protocol is that of <linux/fuse.h>: the kernel writes a request, a header
// and what belongs to it, and reads an answer with the request's number. Its version 7.31 is
// spoken, that of Linux 5.4: the kernel then uses nothing that is newer.

#include "kernel/served_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dt::kernel {
namespace {

constexpr std::uint32_t kMinor = 31;
constexpr std::uint32_t kMostWrite = 128 << 10;
constexpr std::size_t kHeaders = 4096;  // beside what is written
constexpr std::size_t kMostOpen = 1 << 16;
constexpr std::uint64_t kSeconds = 3600;  // how long the kernel may remember names: they stay
constexpr std::uint32_t kDirectoryMode = 0555;

// The beginning of a request's body. False: the request is too short for it.
template <typename T>
bool take(std::span<const char> body, T& out) {
  if (body.size() < sizeof out) return false;
  std::memcpy(&out, body.data(), sizeof out);
  return true;
}

template <typename T>
std::span<const char> bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string_view text_of(std::span<const char> body) {
  return {body.data(), ::strnlen(body.data(), body.size())};
}

// A directory of our own: in /var/tmp another user could have made one, or a link to another place.
Status make_directory(const std::string& path, bool may_be_there) {
  constexpr mode_t kMode = 0755;
  if (::mkdir(path.c_str(), kMode) == 0) return {};
  if (errno != EEXIST || !may_be_there) return support::system_error("mkdir of " + path, errno);
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return support::system_error(path, errno);
  if (S_ISDIR(found.st_mode) && found.st_uid == ::geteuid()) return {};
  return Error::of(fmt::format("{} is there and is no directory of this user", path));
}

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Another run that ends removes the outer directory if it is empty at that moment.
Status make_directories(const std::string& path) {
  constexpr int kTries = 10;
  for (int i = 0;; ++i) {
    DT_TRY(make_directory(parent_of(path), true));
    Status made = make_directory(path, false);
    if (made.ok() || made.error().code != ENOENT || i >= kTries) return made;
  }
}

void remove_directories(const std::string& path) {
  ::rmdir(path.c_str());
  ::rmdir(parent_of(path).c_str());
}

}  // namespace

Result<std::unique_ptr<ServedFiles>> ServedFiles::mount(const std::string& directory,
                                                        std::vector<ServedFile> files) {
  Fd device(::open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!device.valid()) return support::system_error("open /dev/fuse", errno);
  DT_TRY(make_directories(directory));
  // Programs of all users may ask, and the kernel checks the permissions of the files.
  const std::string options =
      fmt::format("fd={},rootmode={:o},user_id={},group_id={},allow_other,default_permissions",
                  device.get(), S_IFDIR | kDirectoryMode, ::geteuid(), ::getegid());
  Result<Guardian> guardian = Guardian::start(directory);
  const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME;
  const bool is_mounted =
      guardian.ok() && ::mount("stap", directory.c_str(), "fuse.stap", flags, options.c_str()) == 0;
  if (!is_mounted) {
    const int code = errno;
    remove_directories(directory);
    if (!guardian.ok()) return std::move(guardian.error());
    return support::system_error("mount of fuse at " + directory, code);
  }
  std::unique_ptr<ServedFiles> made(
      new ServedFiles(directory, std::move(files), std::move(device)));
  made->guardian_.emplace(std::move(*guardian));
  return made;
}

ServedFiles::ServedFiles(std::string directory, std::vector<ServedFile> files, Fd device)
    : directory_(std::move(directory)),
      files_(std::move(files)),
      made_s_(static_cast<std::uint64_t>(::time(nullptr))),
      buffer_(kMostWrite + kHeaders),
      device_(std::move(device)) {
  nodes_.push_back({});
  for (const ServedFile& one : files_) add(one);
}

// Before the guardian ends, so that there is one at each moment. What programs wait for is an error
// then.
ServedFiles::~ServedFiles() {
  ::umount2(directory_.c_str(), MNT_DETACH);
  device_.reset();
  remove_directories(directory_);
}

void ServedFiles::add(const ServedFile& file) {
  std::size_t parent = 0;
  for (std::size_t at = 0; at < file.path.size();) {
    const std::size_t end = std::min(file.path.find('/', at), file.path.size());
    const std::string name = file.path.substr(at, end - at);
    const bool is_last = end == file.path.size();
    const auto found = std::find_if(nodes_.begin() + 1, nodes_.end(), [&](const Node& one) {
      return one.parent == parent && one.name == name;
    });
    at = end + 1;
    const std::size_t number = static_cast<std::size_t>(found - nodes_.begin());
    if (found == nodes_.end()) nodes_.push_back({name, parent, is_last ? &file : nullptr});
    parent = number;
  }
}

const ServedFiles::Node* ServedFiles::node(std::uint64_t number) const {
  return number >= 1 && number <= nodes_.size() ? &nodes_[number - 1] : nullptr;
}

bool ServedFiles::serve() {
  bool has_served = false;
  while (true) {
    const ssize_t size = ::read(device_.get(), buffer_.data(), buffer_.size());
    // ENOENT: the request was taken back.
    if (size < 0 && (errno == EINTR || errno == ENOENT)) continue;
    if (size < 0) return has_served;
    answer(Bytes(buffer_.data(), static_cast<std::size_t>(size)));
    has_served = true;
  }
}

void ServedFiles::reply(std::uint64_t unique, int error, Bytes body) const {
  fuse_out_header header = {};
  header.len = static_cast<std::uint32_t>(sizeof header + body.size());
  header.error = -error;
  header.unique = unique;
  const iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(body.data()), body.size()}};
  // An error: the program has ended, or the request was interrupted.
  static_cast<void>(!::writev(device_.get(), parts, 2));
}

namespace {

fuse_attr attributes(std::uint64_t number, const ServedFile* file, std::uint64_t time_s) {
  fuse_attr out = {};
  out.ino = number;
  out.atime = out.mtime = out.ctime = time_s;
  out.mode = file != nullptr ? S_IFREG | file->mode : S_IFDIR | kDirectoryMode;
  out.nlink = file != nullptr ? 1 : 2;
  out.uid = ::geteuid();
  out.gid = ::getegid();
  out.blksize = 4096;
  return out;
}

}  // namespace

void ServedFiles::look_up(std::uint64_t unique, std::size_t parent, std::string_view name) const {
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (nodes_[i].parent != parent || nodes_[i].name != name) continue;
    fuse_entry_out out = {};
    out.nodeid = i + 1;
    out.entry_valid = out.attr_valid = kSeconds;
    out.attr = attributes(i + 1, nodes_[i].file, made_s_);
    return reply(unique, 0, bytes_of(out));
  }
  reply(unique, ENOENT);
}

// Entries are numbered from 1; 0 is where a reader begins.
void ServedFiles::list(std::uint64_t unique, std::size_t node, Bytes body) const {
  fuse_read_in asked = {};
  if (!take(body, asked)) return reply(unique, EINVAL);
  std::vector<std::pair<std::string, std::size_t>> all = {{".", node}, {"..", nodes_[node].parent}};
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (nodes_[i].parent == node) all.emplace_back(nodes_[i].name, i);
  }
  std::vector<char> out;
  for (std::size_t i = asked.offset; i < all.size(); ++i) {
    fuse_dirent entry = {};
    entry.ino = all[i].second + 1;
    entry.off = i + 1;
    entry.namelen = static_cast<std::uint32_t>(all[i].first.size());
    entry.type = (nodes_[all[i].second].file != nullptr ? S_IFREG : S_IFDIR) >> 12;
    const std::size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + all[i].first.size());
    if (out.size() + size > asked.size) break;
    const std::size_t at = out.size();
    out.resize(at + size);
    std::memcpy(out.data() + at, &entry, FUSE_NAME_OFFSET);
    std::memcpy(out.data() + at + FUSE_NAME_OFFSET, all[i].first.data(), all[i].first.size());
  }
  reply(unique, 0, out);
}

// The kernel asks for each read and write (direct), and does not look at the size, which is 0.
void ServedFiles::open(std::uint64_t unique, std::size_t node) {
  if (opened_.size() >= kMostOpen) return reply(unique, ENFILE);
  fuse_open_out out = {};
  out.fh = next_open_++;
  out.open_flags = FOPEN_DIRECT_IO;
  opened_[out.fh].node = node;
  reply(unique, 0, bytes_of(out));
}

void ServedFiles::read(std::uint64_t unique, Bytes body, const Asker& asker) {
  fuse_read_in asked = {};
  if (!take(body, asked)) return reply(unique, EINVAL);
  const auto found = opened_.find(asked.fh);
  if (found == opened_.end()) return reply(unique, EBADF);
  Open& open = found->second;
  const ServedFile* const file = nodes_[open.node].file;
  if (file == nullptr || !file->read) return reply(unique, EINVAL);
  if (!std::exchange(open.is_made, true)) open.text = file->read(asker);
  if (!open.text) return reply(unique, EIO);
  const std::size_t from = std::min<std::uint64_t>(asked.offset, open.text->size());
  const std::size_t size = std::min<std::size_t>(asked.size, open.text->size() - from);
  reply(unique, 0, Bytes(open.text->data() + from, size));
}

void ServedFiles::write(std::uint64_t unique, std::size_t node, Bytes body,
                        const Asker& asker) const {
  fuse_write_in asked = {};
  if (!take(body, asked)) return reply(unique, EINVAL);
  const ServedFile* const file = nodes_[node].file;
  if (file == nullptr || !file->write) return reply(unique, EINVAL);
  const Bytes text = body.subspan(sizeof asked);
  const std::size_t size = std::min({std::size_t{asked.size}, text.size(), file->most_bytes});
  if (!file->write(std::string(text.data(), size), asker)) return reply(unique, EIO);
  fuse_write_out out = {};
  out.size = static_cast<std::uint32_t>(size);
  reply(unique, 0, bytes_of(out));
}

void ServedFiles::answer(Bytes request) {
  fuse_in_header header = {};
  if (!take(request, header)) return;
  const std::uint64_t unique = header.unique;
  if (header.opcode == FUSE_INIT) return introduce(unique);
  const bool has_no_answer = header.opcode == FUSE_FORGET || header.opcode == FUSE_BATCH_FORGET ||
                             header.opcode == FUSE_INTERRUPT;
  if (has_no_answer) return;
  const Node* const found = node(header.nodeid);
  if (found == nullptr) return reply(unique, ENOENT);
  const Bytes body = request.subspan(sizeof header);
  const std::size_t number = header.nodeid - 1;
  const Asker asker = {static_cast<pid_t>(header.pid), header.uid, header.gid};
  switch (header.opcode) {
    case FUSE_LOOKUP:
      return look_up(unique, number, text_of(body));
    case FUSE_SETATTR: {
      fuse_setattr_in asked = {};
      // A file that is truncated before it is written stays as it is; others do not change.
      if (!take(body, asked) || (asked.valid & (FATTR_MODE | FATTR_UID | FATTR_GID)) != 0) {
        return reply(unique, EPERM);
      }
      return describe(unique, header.nodeid);
    }
    case FUSE_GETATTR:
      return describe(unique, header.nodeid);
    case FUSE_OPEN:
    case FUSE_OPENDIR:
      return open(unique, number);
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
      return release(unique, body);
    case FUSE_READ:
      return read(unique, body, asker);
    case FUSE_READDIR:
      return list(unique, number, body);
    case FUSE_WRITE:
      return write(unique, number, body, asker);
    case FUSE_FLUSH:
    case FUSE_FSYNC:
    case FUSE_DESTROY:
      return reply(unique, 0);
    case FUSE_STATFS:
      return describe_system(unique);
    default:
      return reply(unique, ENOSYS);
  }
}

void ServedFiles::introduce(std::uint64_t unique) const {
  fuse_init_out out = {};
  out.major = FUSE_KERNEL_VERSION;
  out.minor = kMinor;
  out.max_readahead = kMostWrite;
  out.flags = FUSE_BIG_WRITES | FUSE_ATOMIC_O_TRUNC;
  out.max_write = kMostWrite;
  out.time_gran = 1;
  reply(unique, 0, bytes_of(out));
}

void ServedFiles::describe(std::uint64_t unique, std::uint64_t id) const {
  fuse_attr_out out = {};
  out.attr_valid = kSeconds;
  out.attr = attributes(id, node(id)->file, made_s_);
  reply(unique, 0, bytes_of(out));
}

void ServedFiles::release(std::uint64_t unique, Bytes body) {
  fuse_release_in asked = {};
  if (take(body, asked)) opened_.erase(asked.fh);
  reply(unique, 0);
}

void ServedFiles::describe_system(std::uint64_t unique) const {
  constexpr std::uint32_t kMostName = 255, kBlock = 4096;
  fuse_statfs_out out = {};
  out.st.namelen = kMostName;
  out.st.bsize = kBlock;
  reply(unique, 0, bytes_of(out));
}

}  // namespace dt::kernel
