#pragma once
// A trace in the Common Trace Format 1.8 (https://diamon.org/ctf/v1.8.3/): a directory with the
// file `metadata`, which describes events, and a file of packets for each CPU.
//
// Events of a file are in the order of their times. One that comes later than its successors (of a
// speculation, for example) goes to another file of its CPU.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.h"

namespace dt::exports {

struct CtfField {
  std::string name;
  enum class Kind : std::uint8_t { kInteger, kString, kStrings } kind = Kind::kInteger;
  std::uint32_t bytes = 8;  // of an integer
  bool is_signed = true;
};

struct CtfEvent {
  std::uint32_t id = 0;
  std::string name;
  std::vector<CtfField> fields;
};

// The content of the file `metadata`; it names `host` and `title`.
std::string ctf_metadata(const std::vector<CtfEvent>& events, std::string_view host,
                         std::string_view title);

class CtfStreams {
 public:
  // `directory` is open, and must outlive this.
  explicit CtfStreams(int directory) : directory_(directory) {}

  void add(std::uint32_t cpu, std::int64_t time_ns, std::uint32_t event, std::int32_t process,
           std::int32_t thread, std::string_view fields);
  // How many events of a CPU were lost since the start.
  void discard(std::uint32_t cpu, std::uint64_t count, std::int64_t time_ns);
  // All files are whole behind this.
  Status finish();

  // Bytes of fields.
  static void put_integer(std::string& to, std::uint64_t value, std::uint32_t bytes);
  static void put_string(std::string& to, std::string_view text);

 private:
  struct Stream {
    std::string events;  // of the packet that is open
    std::int64_t first_ns = 0, last_ns = 0;
    std::int64_t latest_ns = 0;  // of all that is written or waits
    std::uint64_t discarded = 0;
    bool is_begun = false;
    std::vector<std::pair<std::int64_t, std::string>> late;
  };
  Stream& stream(std::uint32_t cpu, std::int64_t time_ns);
  void write_packet(const std::string& file, Stream& stream, std::uint32_t cpu);
  void write(const std::string& file, std::string_view bytes);

  int directory_;
  std::map<std::uint32_t, Stream> streams_;
  Status status_;
};

}  // namespace dt::exports
