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
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13
};
enum ValueTypeTag : std::uint32_t { kType = 1, kUnit = 2 };
enum SampleTag : std::uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
enum LabelTag : std::uint32_t { kLabelKey = 1, kLabelText = 2 };
enum LocationTag : std::uint32_t { kId = 1, kLine = 4 };
enum LineTag : std::uint32_t { kFunctionId = 1 };
enum FunctionTag : std::uint32_t { kFunctionName = 2, kSystemName = 3, kFileName = 4 };

class Profile {
 public:
  explicit Profile(const Picture& picture) : picture_(picture) {
    number("");  // the first string is empty
  }

  std::string bytes() {
    // A value for each type: of a sample, those of the other aggregations are 0.
    for (const Layer& layer : picture_.layers) {
      const view::Flame& flame = *layer.flame;
      const bool adds_values = flame.function == record::AggFunc::kSum && !layer.unit.empty();
      put_type(kSampleType, flame.name == "_" ? record::agg_func_name(flame.function) : flame.name,
               adds_values ? unit_name(layer.unit) : "count");
      has_time_.push_back(picture_.period_ns != 0 && flame.function == record::AggFunc::kCount);
      values_ += has_time_.back() ? 2 : 1;
      if (has_time_.back()) put_type(kSampleType, "cpu", "nanoseconds");
    }
    for (std::size_t layer = 0, first = 0; layer < picture_.layers.size(); ++layer) {
      const FrameTree& tree = picture_.layers[layer].flame->tree;
      for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
        if (tree.nodes()[i].self != 0) put_sample(layer, first, i);
      }
      first += has_time_[layer] ? 2 : 1;
    }
    if (picture_.period_ns != 0) {
      put_type(kPeriodType, "cpu", "nanoseconds");
      writer_.number(kPeriod, picture_.period_ns);
    }
    for (const auto& [name, id] : functions_) put_function(name, id);
    writer_.number(kComment, number(support::shown_name(picture_.title)));
    writer_.number(kComment, number(fmt::format("{} dropped", picture_.dropped)));
    for (const std::string_view text : texts_) writer_.text(kString, text);
    return out_;
  }

 private:
  // As pprof calls units, which it then shows as "1.2s".
  static std::string_view unit_name(std::string_view unit) {
    return unit == "ns"   ? "nanoseconds"
           : unit == "us" ? "microseconds"
           : unit == "ms" ? "milliseconds"
                          : "seconds";
  }

  void put_type(std::uint32_t tag, std::string_view type, std::string_view unit) {
    writer_.within(tag, [&](TaggedWriter& out) {
      out.number(kType, number(support::shown_name(type)));
      out.number(kUnit, number(unit));
    });
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

  void put_sample(std::size_t layer, std::size_t first, std::uint32_t node) {
    const FrameTree& tree = picture_.layers[layer].flame->tree;
    const std::vector<std::string>& keys = picture_.layers[layer].keys;
    // From the innermost, as pprof has them.
    std::vector<const view::Frame*> frames;
    for (std::uint32_t at = node; at != FrameTree::kRoot; at = tree.nodes()[at].parent) {
      frames.push_back(&tree.frame(tree.nodes()[at].frame));
    }
    const auto is_key = [](const view::Frame* frame) { return frame->code == Code::kKey; };
    std::string locations;
    for (const view::Frame* frame : frames) {
      if (!is_key(frame)) support::append_varint(locations, function(frame->name));
    }
    if (locations.empty()) support::append_varint(locations, function("[no frames]"));
    writer_.within(kSample, [&](TaggedWriter& out) {
      out.text(kLocationId, locations);
      const auto weight = static_cast<std::uint64_t>(tree.nodes()[node].self);
      std::string values;
      for (std::size_t i = 0; i < values_; ++i) {
        const bool is_time = has_time_[layer] && i == first + 1;
        support::append_varint(values, i == first ? weight
                                       : is_time  ? weight * picture_.period_ns
                                                  : 0);
      }
      out.text(kValue, values);
      // Keys stand before and behind the frames, in their order.
      std::size_t key = 0;
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        if (!is_key(*frame)) continue;
        std::string label;
        TaggedWriter writer(label);
        writer.number(kLabelKey, number(key < keys.size() ? keys[key] : "key"));
        writer.number(kLabelText, number(support::shown_name((*frame)->name)));
        out.text(kLabel, label);
        ++key;
      }
    });
  }

  // "libc.so.6`read": of a file libc.so.6.
  void put_function(const std::string& name, std::uint64_t id) {
    const std::size_t quote = std::min(name.find('`'), name.size());
    writer_.within(kFunction, [&](TaggedWriter& out) {
      out.number(kId, id);
      out.number(kFunctionName, number(name));
      out.number(kSystemName, number(name));
      if (quote < name.size()) out.number(kFileName, number(name.substr(0, quote)));
    });
    writer_.within(kLocation, [&](TaggedWriter& out) {
      out.number(kId, id);
      std::string line;
      TaggedWriter(line).number(kFunctionId, id);
      out.text(kLine, line);
    });
  }

  const Picture& picture_;
  std::vector<bool> has_time_;  // by layer
  std::size_t values_ = 0;      // of a sample
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
