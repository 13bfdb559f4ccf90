// Arbitrary bytes as a recording: nothing may be read out of bounds, loop for ever, or take memory
// that the bytes do not account for. The input is the list of entries of one chunk, as a checksum
// would keep a fuzzer from everything behind it; the first byte chooses the form of output.

#include <cstdint>
#include <span>
#include <string>

#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "recording/chunk.h"
#include "recording/names.h"
#include "recording/program.h"
#include "recording/reader.h"
#include "recording/reads.h"

namespace {

using namespace dt;
using recording::Entry;

class Output final : public consumer::Output {
 public:
  void write(std::string_view text) override { bytes_ += text.size(); }
  void flush() override {}

 private:
  std::size_t bytes_ = 0;
};

recording::ChunkReader::ReadSome from(std::string_view bytes) {
  return [bytes](std::span<char> into) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(into.size(), bytes.size());
    bytes.copy(into.data(), count);
    bytes.remove_prefix(count);
    return count;
  };
}

void replay(const std::string& bytes, consumer::Form form) {
  recording::Reader reader(from(bytes));
  recording::Program program;
  Sources sources;
  if (!reader.begin(program, sources).ok()) return;
  recording::KnownNames names;
  recording::KnownReads reads(program.schema);
  Output output;
  consumer::Options options;
  options.form = form;
  consumer::Consumer consumer({program.schema, sources, names, reads, output, [](auto) {}},
                              options);
  support::Tagged entry;
  for (int i = 0; i < 256; ++i) {
    const auto outcome = reader.next(entry);
    if (!outcome.ok() || *outcome != recording::Reader::Outcome::kEntry) break;
    const std::span<const std::uint8_t> payload(
        reinterpret_cast<const std::uint8_t*>(entry.text.data()), entry.text.size());
    switch (static_cast<Entry>(entry.tag)) {
      case Entry::kRecord:
        consumer.consume(payload);
        break;
      case Entry::kRead:
        static_cast<void>(reads.take(entry.text));
        break;
      case Entry::kRefresh:
        consumer.refresh();
        break;
      default:
        names.take(static_cast<Entry>(entry.tag), entry.text);
    }
  }
  consumer.print_aggregations();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view entries(reinterpret_cast<const char*>(data) + 1, size - 1);
  recording::ChunkHeader header;
  header.type = recording::kEntries;
  header.flags = recording::kLast;
  // As it came, for the framing; and framed, for what is within.
  replay(std::string(entries), consumer::Form::kText);
  const consumer::Form forms[] = {consumer::Form::kText, consumer::Form::kJsonLines,
                                  consumer::Form::kCsv, consumer::Form::kJson};
  recording::Packer packer;
  replay(std::string(recording::kMagic).append(packer.pack(entries, header)), forms[data[0] % 4]);
  return 0;
}
