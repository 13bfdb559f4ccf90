// The profiles of pprof: https://github.com/google/pprof/blob/main/proto/profile.proto, gzipped. No
// time is in it, so that equal runs make equal files.

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <unordered_map>

#include "exports/picture.h"
#include "record/aggregation.h"
#include "support/check.h"
#include "support/shown.h"
#include "support/tagged.h"

namespace dt::exports {
namespace {

using support::TaggedWriter;
using view::Code;
using view::FrameTree;

// Tags of messages Profile, ValueType, Sample, Label, Location, Line and Function.
enum ProfileTag : std::uint32_t {
  kSampleType = 1,
  kSample = 2,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kComment = 13
};
enum ValueTypeTag : std::uint32_t { kType = 1, kUnit = 2 };
enum SampleTag : std::uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
enum LabelTag : std::uint32_t { kLabelKey = 1, kLabelText = 2 };
enum LocationTag : std::uint32_t { kId = 1, kLine = 4 };
enum LineTag : std::uint32_t { kFunctionId = 1 };
enum FunctionTag : std::uint32_t { kName = 2, kSystemName = 3, kFileName = 4 };

class Profile {
 public:
  explicit Profile(const Picture& picture) : picture_(picture), tree_(picture.flame->tree) {
    number("");  // the first string is empty
  }

  std::string bytes() {
    const view::Flame& flame = *picture_.flame;
    within(kSampleType, [&](TaggedWriter& out) {
      out.number(kType,
                 number(flame.name == "_" ? record::agg_func_name(flame.function) : flame.name));
      out.number(kUnit, number("count"));
    });
    for (std::uint32_t i = 0; i < tree_.nodes().size(); ++i) {
      if (tree_.nodes()[i].self != 0) put_sample(i);
    }
    for (const auto& [name, id] : functions_) put_function(name, id);
    writer_.number(kComment, number(support::shown_name(picture_.title)));
    if (picture_.dropped != 0) {
      writer_.number(kComment, number(fmt::format("{} dropped", picture_.dropped)));
    }
    for (const std::string_view text : texts_) writer_.text(kString, text);
    return out_;
  }

 private:
  template <typename Fill>
  void within(std::uint32_t tag, const Fill& fill) {
    std::string bytes;
    TaggedWriter writer(bytes);
    fill(writer);
    writer_.text(tag, bytes);
  }

  std::uint64_t number(std::string_view text) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(text), texts_.size());
    if (is_new) texts_.push_back(at->first);
    return at->second;
  }

  // One location for each function.
  std::uint64_t function(const std::string& name) {
    const std::string shown = support::shown_name(name);
    const auto [at, is_new] = ids_.try_emplace(shown, functions_.size() + 1);
    if (is_new) functions_.emplace_back(shown, at->second);
    return at->second;
  }

  void put_sample(std::uint32_t node) {
    // From the innermost, as pprof has them.
    std::vector<const view::Frame*> frames;
    for (std::uint32_t at = node; at != FrameTree::kRoot; at = tree_.nodes()[at].parent) {
      frames.push_back(&tree_.frame(tree_.nodes()[at].frame));
    }
    const auto is_key = [](const view::Frame* frame) { return frame->code == Code::kKey; };
    std::string locations;
    for (const view::Frame* frame : frames) {
      if (!is_key(frame)) support::append_varint(locations, function(frame->name));
    }
    if (locations.empty()) support::append_varint(locations, function("[no frames]"));
    within(kSample, [&](TaggedWriter& out) {
      out.text(kLocationId, locations);
      std::string value;
      support::append_varint(value, static_cast<std::uint64_t>(tree_.nodes()[node].self));
      out.text(kValue, value);
      // Keys stand before and behind the frames, in their order.
      std::size_t key = 0;
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        if (!is_key(*frame)) continue;
        std::string label;
        TaggedWriter writer(label);
        writer.number(kLabelKey, number(key < picture_.keys.size() ? picture_.keys[key] : "key"));
        writer.number(kLabelText, number(support::shown_name((*frame)->name)));
        out.text(kLabel, label);
        ++key;
      }
    });
  }

  // "libc.so.6`read": of a file libc.so.6.
  void put_function(const std::string& name, std::uint64_t id) {
    const std::size_t quote = std::min(name.find('`'), name.size());
    within(kFunction, [&](TaggedWriter& out) {
      out.number(kId, id);
      out.number(kName, number(name));
      out.number(kSystemName, number(name));
      if (quote < name.size()) out.number(kFileName, number(name.substr(0, quote)));
    });
    within(kLocation, [&](TaggedWriter& out) {
      out.number(kId, id);
      std::string line;
      TaggedWriter(line).number(kFunctionId, id);
      out.text(kLine, line);
    });
  }

  const Picture& picture_;
  const FrameTree& tree_;
  std::string out_;
  TaggedWriter writer_{out_};
  std::unordered_map<std::string, std::uint64_t> numbers_;  // of texts
  std::vector<std::string_view> texts_;                     // in numbers_
  std::unordered_map<std::string, std::uint64_t> ids_;
  std::vector<std::pair<std::string, std::uint64_t>> functions_;
};

std::string gzipped(std::string bytes) {
  constexpr int kGzip = 16;  // zlib.h: a header and trailer of gzip
  constexpr int kMemory = 8;
  z_stream stream{};
  DT_CHECK(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                          Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  DT_CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

}  // namespace

std::string pprof(const Picture& picture) { return gzipped(Profile(picture).bytes()); }

}  // namespace dt::exports
