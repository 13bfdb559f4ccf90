// See kept_lines.h. Lines come from our own writer (view/lines.cc): their members have one order,
// and no blanks stand between them. What is not of that form is kept as it is.

#include "page/kept_lines.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <variant>

namespace dt::page {
namespace {

// "column" of {"v":1,"type":"column",...
std::string_view type_of(std::string_view line) {
  constexpr std::string_view kBegin = "{\"v\":1,\"type\":\"";
  if (!line.starts_with(kBegin)) return {};
  line.remove_prefix(kBegin.size());
  return line.substr(0, line.find('"'));
}

// The number behind "name":, of a member that comes before any text.
std::optional<std::uint64_t> number_of(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(fmt::format("\"{}\":", name));
  if (at == std::string_view::npos) return std::nullopt;
  const char* const begin = line.data() + at + name.size() + 3;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(begin, line.data() + line.size(), number);
  return error == std::errc() && end != begin ? std::optional(number) : std::nullopt;
}

using Counts = std::map<std::uint64_t, std::int64_t>;
using Value = std::variant<std::int64_t, Counts>;
using Rows = std::map<std::uint64_t, Value>;

// [[key,value],...] with values n, "n" or [bucket,n,...].
class RowReader {
 public:
  explicit RowReader(std::string_view text) : text_(text) {}

  bool read(Rows& rows) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      std::int64_t key = 0;
      Value value;
      if (!take('[') || !number(key) || !take(',') || !read(value) || !take(']')) return false;
      rows[static_cast<std::uint64_t>(key)] = std::move(value);
    } while (take(','));
    return take(']');
  }

 private:
  bool read(Value& value) {
    if (!take('[')) return number(value.emplace<std::int64_t>());
    Counts& counts = value.emplace<Counts>();
    if (take(']')) return true;
    do {
      std::int64_t bucket = 0, count = 0;
      if (!number(bucket) || !take(',') || !number(count)) return false;
      counts[static_cast<std::uint64_t>(bucket)] = count;
    } while (take(','));
    return take(']');
  }

  bool number(std::int64_t& out) {
    const bool is_text = take('"');
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), out);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return !is_text || take('"');
  }

  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view text_;
};

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::string exact(std::int64_t number) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  return number >= -kExact && number <= kExact ? std::to_string(number)
                                               : fmt::format("\"{}\"", number);
}

void add_to(Value& into, const Value& from) {
  if (into.index() != from.index()) {
    into = from;
  } else if (const auto* number = std::get_if<std::int64_t>(&from)) {
    std::get<std::int64_t>(into) = sum(std::get<std::int64_t>(into), *number);
  } else {
    for (const auto& [bucket, count] : std::get<Counts>(from)) {
      std::int64_t& at = std::get<Counts>(into)[bucket];
      at = sum(at, count);
    }
  }
}

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return exact(*number);
  std::string text = "[";
  for (const auto& [bucket, count] : std::get<Counts>(value)) {
    text += fmt::format("{}{},{}", text.size() == 1 ? "" : ",", bucket, exact(count));
  }
  return text + "]";
}

constexpr std::string_view kRows = "\"rows\":";

}  // namespace

std::string merged_columns(std::string_view earlier, std::string_view later, bool adds_up) {
  const std::size_t a = earlier.find(kRows), b = later.find(kRows);
  if (!adds_up || a == std::string_view::npos || b == std::string_view::npos) {
    return std::string(later);
  }
  Rows rows, more;
  if (!RowReader(earlier.substr(a + kRows.size())).read(rows) ||
      !RowReader(later.substr(b + kRows.size())).read(more)) {
    return std::string(later);
  }
  for (const auto& [key, value] : more) {
    const auto [at, is_new] = rows.try_emplace(key, value);
    if (!is_new) add_to(at->second, value);
  }
  std::string out(later.substr(0, b + kRows.size()));
  out += '[';
  bool is_first = true;
  for (const auto& [key, value] : rows) {
    out += fmt::format("{}[{},{}]", is_first ? "" : ",", key, text_of(value));
    is_first = false;
  }
  return out + "]}";
}

void KeptLines::add_column(std::string_view line) {
  const std::uint64_t aggregation = number_of(line, "aggregation").value_or(0);
  std::vector<std::string>& columns = columns_[aggregation];
  columns.emplace_back(line);
  if (columns.size() <= kMostColumns) return;
  const bool adds_up = aggregation < adds_up_.size() && adds_up_[aggregation];
  std::vector<std::string> fewer;
  for (std::size_t i = 0; i + 1 < columns.size(); i += 2) {
    fewer.push_back(merged_columns(columns[i], columns[i + 1], adds_up));
  }
  if (columns.size() % 2 == 1) fewer.push_back(std::move(columns.back()));
  columns = std::move(fewer);
}

// Lines of drops come at each refresh, and mostly repeat the total. Of lines with the same total,
// the first and the last are kept: the next drop happened between the last one and the line behind
// it. When there are too many lines, every second one goes, and the time of a drop is known less
// exactly.
void KeptLines::add_drops(std::string_view line) {
  const auto total = [](std::string_view drops) { return drops.substr(drops.find("\"total\"")); };
  const std::size_t count = drops_.size();
  if (count >= 2 && total(drops_[count - 2]) == total(line)) {
    drops_.back() = line;
    return;
  }
  drops_.emplace_back(line);
  if (drops_.size() <= 2 * kMostColumns) return;
  std::vector<std::string> fewer;
  for (std::size_t i = 1; i < drops_.size(); i += 2) fewer.push_back(std::move(drops_[i]));
  if (drops_.size() % 2 == 1) fewer.push_back(std::move(drops_.back()));
  drops_ = std::move(fewer);
}

// Whole blocks go: of the latest kMostEvents none, if they have room.
void KeptLines::add_event(std::string_view line) {
  latest_events_.append(line).append("\n");
  ++latest_count_;
  ++event_count_;
  event_bytes_ += line.size() + 1;
  if (latest_events_.size() >= kBlockBytes) {
    events_.push_back(
        {std::make_shared<const std::string>(std::move(latest_events_)), latest_count_});
    latest_events_ = {};
    latest_count_ = 0;
  }
  while (!events_.empty() &&
         (event_count_ - events_.front().lines >= kMostEvents || event_bytes_ > kMostEventBytes)) {
    const Events& first = events_.front();
    event_count_ -= first.lines;
    event_bytes_ -= first.block->size();
    if (first.block.use_count() > 1) gone_.push_back(first.block);
    events_.pop_front();
  }
}

std::size_t KeptLines::held_bytes() {
  std::erase_if(gone_, [](const auto& block) { return block.expired(); });
  std::size_t bytes = 0;
  for (const auto& one : gone_) {
    if (const Block block = one.lock()) bytes += block->size();
  }
  return bytes;
}

void KeptLines::add(std::string_view line) {
  const std::string_view type = type_of(line);
  if (type == "column") return add_column(line);
  if (type == "record" || type == "span") return add_event(line);
  if (type == "rows" || type == "spans") {
    const std::uint64_t of = number_of(line, type == "rows" ? "aggregation" : "view").value_or(0);
    last_[fmt::format("{} {}", type, of)] = line;
    return;
  }
  if (type == "drops") return add_drops(line);
  if (type == "end") {
    end_ = line;
    return;
  }
  if (type == "plan") {
    // A name cannot have this text: its quotes would be escaped.
    constexpr std::string_view kAddsUp = "\"adds_up\":";
    for (std::size_t at = line.find(kAddsUp); at != std::string_view::npos;
         at = line.find(kAddsUp, at + 1)) {
      adds_up_.push_back(line.substr(at + kAddsUp.size()).starts_with("true"));
    }
  }
  names_.emplace_back(line);
}

std::vector<KeptLines::Block> KeptLines::state() const {
  std::vector<Block> blocks;
  std::string text;
  const auto add = [&](const std::string& line) {
    text.append(line).append("\n");
    if (text.size() < kBlockBytes) return;
    blocks.push_back(std::make_shared<const std::string>(std::move(text)));
    text = {};
  };
  for (const std::string& line : names_) add(line);
  for (const auto& [aggregation, columns] : columns_) {
    for (const std::string& line : columns) add(line);
  }
  if (!text.empty()) blocks.push_back(std::make_shared<const std::string>(std::move(text)));
  text = {};
  for (const Events& events : events_) blocks.push_back(events.block);
  text = latest_events_;
  for (const auto& [of, line] : last_) add(line);
  for (const std::string& line : drops_) add(line);
  if (!end_.empty()) add(end_);
  if (!text.empty()) blocks.push_back(std::make_shared<const std::string>(std::move(text)));
  return blocks;
}

void KeptLines::each(const std::function<void(std::string_view line)>& visit) const {
  for (const Block& block : state()) {
    std::string_view rest = *block;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      visit(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
  }
}

}  // namespace dt::page
