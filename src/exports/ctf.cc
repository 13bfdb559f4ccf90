// See ctf.h. All fields are byte-aligned, without padding.

#include "exports/ctf.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "consumer/output/output.h"
#include "exports/metrics.h"
#include "support/fd.h"
#include "support/shown.h"

namespace dt::exports {
namespace {

constexpr std::size_t kPacketBytes = 64 << 10;
constexpr std::uint32_t kMagic = 0xc1fc1fc1;
constexpr std::uint32_t kHeaderBytes = 4 + 4 + 8 + 8 + 8 + 8 + 8 + 4;

// The one way in which texts get into metadata: strings as of C.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : support::shown_name(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Readers take the first '_' away, so that a name may be a word of the language.
std::string identifier(std::string_view text) {
  std::string out = "_";
  for (const char c : text) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || (out.back() != '_' && out.size() > 1)) out += is_plain ? c : '_';
  }
  while (out.size() > 1 && out.back() == '_') out.pop_back();
  return out == "_" ? "_value" : out;
}

std::string field_text(const CtfField& field, Names& names) {
  const std::string name = names.unique(identifier(field.name));
  switch (field.kind) {
    case CtfField::Kind::kInteger:
      return fmt::format("    integer {{ size = {}; align = 8; signed = {}; }} {};\n",
                         8 * field.bytes, field.is_signed ? "true" : "false", name);
    case CtfField::Kind::kString:
      return fmt::format("    string {{ encoding = UTF8; }} {};\n", name);
    case CtfField::Kind::kStrings: {
      const std::string length = names.unique(name + "_length");
      return fmt::format("    uint32_t {0};\n    string {{ encoding = UTF8; }} {1}[{0}];\n", length,
                         name);
    }
  }
  return "";
}

}  // namespace

std::string ctf_metadata(const std::vector<CtfEvent>& events, std::string_view host,
                         std::string_view title) {
  std::string out = R"(/* CTF 1.8 */

typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;

trace {
  major = 1;
  minor = 8;
  byte_order = le;
  packet.header := struct { uint32_t magic; uint32_t stream_id; };
};

)";
  out +=
      fmt::format("env {{\n  tracer_name = \"dtrace\";\n  hostname = {};\n  program = {};\n}};\n\n",
                  in_quotes(host), in_quotes(title));
  out += R"(clock {
  name = realtime;
  description = "ns since 1970";
  freq = 1000000000;
  offset_s = 0;
  absolute = true;
};

typealias integer { size = 64; align = 8; signed = false; map = clock.realtime.value; } := time_t;

stream {
  id = 0;
  packet.context := struct {
    time_t timestamp_begin;
    time_t timestamp_end;
    uint64_t content_size;
    uint64_t packet_size;
    uint64_t events_discarded;
    uint32_t cpu_id;
  };
  event.header := struct { uint32_t id; time_t timestamp; };
  event.context := struct { int32_t _pid; int32_t _tid; };
};
)";
  for (const CtfEvent& event : events) {
    out += fmt::format(
        "\nevent {{\n  id = {};\n  stream_id = 0;\n  name = {};\n  fields := struct {{\n", event.id,
        in_quotes(event.name));
    Names names;
    for (const CtfField& field : event.fields) out += field_text(field, names);
    out += "  };\n};\n";
  }
  return out;
}

void CtfStreams::put_integer(std::string& to, std::uint64_t value, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

// It ends with a NUL, and is UTF-8.
void CtfStreams::put_string(std::string& to, std::string_view text) {
  to += support::shown_name(text);
  to += '\0';
}

// An empty packet first: what is lost before the second one is then seen to be new.
CtfStreams::Stream& CtfStreams::stream(std::uint32_t cpu, std::int64_t time_ns) {
  Stream& stream = streams_[cpu];
  if (!std::exchange(stream.is_begun, true)) {
    stream.first_ns = stream.last_ns = stream.latest_ns = time_ns;
    write_packet(fmt::format("cpu{}", cpu), stream, cpu);
  }
  return stream;
}

void CtfStreams::add(std::uint32_t cpu, std::int64_t time_ns, std::uint32_t event,
                     std::int32_t process, std::int32_t thread, std::string_view fields) {
  constexpr std::uint32_t kTimeBytes = 8, kWordBytes = 4;
  std::string bytes;
  put_integer(bytes, event, kWordBytes);
  put_integer(bytes, static_cast<std::uint64_t>(time_ns), kTimeBytes);
  put_integer(bytes, static_cast<std::uint32_t>(process), kWordBytes);
  put_integer(bytes, static_cast<std::uint32_t>(thread), kWordBytes);
  bytes += fields;
  Stream& at = stream(cpu, time_ns);
  if (time_ns < at.latest_ns) {
    at.late.emplace_back(time_ns, std::move(bytes));
    return;
  }
  if (at.events.empty()) at.first_ns = time_ns;
  at.last_ns = at.latest_ns = time_ns;
  at.events += bytes;
  if (at.events.size() >= kPacketBytes) write_packet(fmt::format("cpu{}", cpu), at, cpu);
}

void CtfStreams::discard(std::uint32_t cpu, std::uint64_t count, std::int64_t time_ns) {
  if (count == 0 && !streams_.contains(cpu)) return;
  Stream& at = stream(cpu, time_ns);
  if (at.discarded == count) return;
  at.discarded = count;
  if (at.events.empty()) at.first_ns = std::max(at.latest_ns, time_ns);
  at.last_ns = at.latest_ns = std::max(at.latest_ns, time_ns);
  write_packet(fmt::format("cpu{}", cpu), at, cpu);
}

void CtfStreams::write_packet(const std::string& file, Stream& stream, std::uint32_t cpu) {
  constexpr std::uint32_t kWordBytes = 4, kLongBytes = 8;
  std::string packet;
  put_integer(packet, kMagic, kWordBytes);
  put_integer(packet, 0, kWordBytes);
  const std::uint64_t bits = 8 * (kHeaderBytes + stream.events.size());
  for (const std::uint64_t value :
       {static_cast<std::uint64_t>(stream.first_ns), static_cast<std::uint64_t>(stream.last_ns),
        bits, bits, stream.discarded}) {
    put_integer(packet, value, kLongBytes);
  }
  put_integer(packet, cpu, kWordBytes);
  packet += stream.events;
  stream.events.clear();
  write(file, packet);
}

void CtfStreams::write(const std::string& file, std::string_view bytes) {
  if (!status_.ok()) return;
  const Fd fd(::openat(directory_, file.c_str(),
                       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd.valid()) {
    status_ = support::system_error("failed to create " + file, errno);
    return;
  }
  consumer::FileOutput output(fd.get(), file);
  output.write(bytes);
  output.flush();
  if (output.error()) status_ = *output.error();
}

Status CtfStreams::finish() {
  for (auto& [cpu, at] : streams_) {
    if (!at.events.empty()) write_packet(fmt::format("cpu{}", cpu), at, cpu);
    if (at.late.empty()) continue;
    std::ranges::stable_sort(at.late, {}, &std::pair<std::int64_t, std::string>::first);
    Stream late;
    const std::string file = fmt::format("cpu{}_late", cpu);
    for (const auto& [time_ns, bytes] : at.late) {
      if (late.events.empty()) late.first_ns = time_ns;
      late.last_ns = time_ns;
      late.events += bytes;
      if (late.events.size() >= kPacketBytes) write_packet(file, late, cpu);
    }
    if (!late.events.empty()) write_packet(file, late, cpu);
  }
  return status_;
}

}  // namespace dt::exports
