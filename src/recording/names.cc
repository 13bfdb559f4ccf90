// See names.h.
//
// An entry has the question (which process, which address) and the resolver's answer as bytes of
// their own. The writer compares answers by these bytes. Without an answer, the entry means that
// the resolver knew none.

#include "recording/names.h"

#include "support/tagged.h"

namespace dt::recording {
namespace {

using support::Tagged;
using support::TaggedReader;
using support::TaggedWriter;

// Of what was asked.
constexpr std::uint32_t kPidTag = 1, kAddressTag = 2, kReturnTag = 3, kAnswerTag = 4;

// Answers that are remembered before all are forgotten, here and by the reader.
constexpr std::size_t kMaxAnswers = 1U << 20;

std::string answer_of(const symbol::Symbol& symbol) {
  std::string out;
  TaggedWriter writer(out);
  writer.text(1, symbol.module);
  writer.text_unless_empty(2, symbol.name);
  writer.number_unless_0(3, symbol.offset);
  writer.number_unless_0(4, symbol.line);
  return out;
}

symbol::Symbol symbol_of(std::string_view answer) {
  symbol::Symbol symbol;
  TaggedReader reader(answer);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) symbol.module = field.text;
    if (field.tag == 2) symbol.name = field.text;
    if (field.tag == 3) symbol.offset = field.number;
    if (field.tag == 4) symbol.line = static_cast<std::uint32_t>(field.number);
  }
  return symbol;
}

std::string answer_of(const std::vector<symbol::SourceFrame>& frames) {
  std::string out;
  for (const symbol::SourceFrame& frame : frames) {
    std::string within;
    TaggedWriter writer(within);
    writer.text_unless_empty(1, frame.function);
    writer.text_unless_empty(2, frame.file);
    writer.number_unless_0(3, frame.line);
    TaggedWriter(out).text(1, within);
  }
  return out;
}

symbol::SourceFrame frame_of(std::string_view bytes) {
  symbol::SourceFrame frame;
  TaggedReader reader(bytes);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) frame.function = field.text;
    if (field.tag == 2) frame.file = field.text;
    if (field.tag == 3) frame.line = static_cast<std::uint32_t>(field.number);
  }
  return frame;
}

class Taping final : public TapingResolver {
 public:
  Taping(std::unique_ptr<symbol::Resolver> inner, Put put)
      : inner_(std::move(inner)), put_(std::move(put)) {}

  bool kernel(KernelAddr address, symbol::Symbol& out) override {
    const bool found = inner_->kernel(address, out);
    answered({Entry::kKernelName, Asked::kOfKernel, address.value, false},
             found ? answer_of(out) : "");
    return found;
  }
  bool user(std::int32_t pid, UserAddr address, symbol::Symbol& out) override {
    const bool found = inner_->user(pid, address, out);
    const Asked asked{Entry::kUserName, pid, address.value, false};
    if (answered(asked, found ? answer_of(out) : "") && !found) unnamed_.push_back(asked);
    return found;
  }
  void say_again() override {
    answers_.clear();
    unnamed_.clear();
    put_(Entry::kForget, "");
  }
  void ask_again() override {
    std::erase_if(unnamed_, [this](const Asked& asked) {
      symbol::Symbol symbol;
      const bool found = inner_->user(asked.pid, UserAddr(asked.address), symbol);
      if (found) answered(asked, answer_of(symbol));
      return found;
    });
  }
  std::vector<symbol::SourceFrame> source(std::int32_t pid, UserAddr address,
                                          bool is_return) override {
    std::vector<symbol::SourceFrame> frames = inner_->source(pid, address, is_return);
    answered({Entry::kSourceLines, pid, address.value, is_return}, answer_of(frames));
    return frames;
  }
  bool is_signal_return(std::int32_t pid, UserAddr address) override {
    const bool is_signal = inner_->is_signal_return(pid, address);
    answered({Entry::kSignalReturn, pid, address.value, false}, is_signal ? "1" : "");
    return is_signal;
  }

  void find_sources_with(FindSource find) override { inner_->find_sources_with(std::move(find)); }
  void note_process(std::int32_t pid) override { inner_->note_process(pid); }
  void hold_process(std::int32_t pid) override { inner_->hold_process(pid); }
  void follow_processes() override { inner_->follow_processes(); }
  void learn(const kernel::ProcessEvent& event) override { inner_->learn(event); }
  void doubt_processes() override { inner_->doubt_processes(); }
  bool survey(std::chrono::nanoseconds most) override { return inner_->survey(most); }
  void settle() override { inner_->settle(); }
  void hide_user_names() override { inner_->hide_user_names(); }
  void show_mangled() override { inner_->show_mangled(); }
  void show_source(symbol::SourceWish wish) override { inner_->show_source(wish); }
  bool shows_source() const override { return inner_->shows_source(); }
  void ask_servers(symbol::ServerCallbacks callbacks) override {
    inner_->ask_servers(std::move(callbacks));
  }
  std::string source_notice() const override { return inner_->source_notice(); }
  std::string take_notice() override {
    std::string notice = inner_->take_notice();
    if (!notice.empty()) put_message(put_, notice, "");
    return notice;
  }

 private:
  // No answer is what a reader takes for granted. True when this was asked for the first time.
  bool answered(const Asked& asked, std::string answer) {
    if (answers_.size() >= kMaxAnswers) say_again();
    const auto [at, is_new] = answers_.try_emplace(asked);
    if (at->second == answer) return is_new;
    std::string payload;
    TaggedWriter writer(payload);
    writer.number_unless_0(kPidTag, static_cast<std::uint32_t>(asked.pid));
    writer.number_unless_0(kAddressTag, asked.address);
    writer.number_unless_0(kReturnTag, asked.is_return ? 1 : 0);
    writer.text_unless_empty(kAnswerTag, answer);
    put_(asked.kind, payload);
    at->second = std::move(answer);
    return is_new;
  }

  std::unique_ptr<symbol::Resolver> inner_;
  Put put_;
  std::unordered_map<Asked, std::string, AskedHash> answers_;
  std::vector<Asked> unnamed_;  // addresses of programs
};

}  // namespace

std::size_t AskedHash::operator()(const Asked& asked) const noexcept {
  const std::uint64_t rest =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(asked.pid)) << 8 |
      static_cast<std::uint64_t>(asked.kind) << 1 | (asked.is_return ? 1U : 0U);
  std::uint64_t hash = asked.address * 0x9e3779b97f4a7c15ULL ^ rest * 0xc2b2ae3d27d4eb4fULL;
  return static_cast<std::size_t>(hash ^ hash >> 29);
}

void put_message(const Put& put, std::string_view text, std::string_view excerpt) {
  std::string payload;
  TaggedWriter writer(payload);
  writer.text(1, text);
  writer.text_unless_empty(2, excerpt);
  put(Entry::kMessage, payload);
}

Message message_of(std::string_view payload) {
  Message message;
  TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) message.text = field.text;
    if (field.tag == 2) message.excerpt = field.text;
  }
  return message;
}

std::unique_ptr<TapingResolver> taping_resolver(std::unique_ptr<symbol::Resolver> inner, Put put) {
  return std::make_unique<Taping>(std::move(inner), std::move(put));
}

bool KnownNames::take(Entry entry, std::string_view payload) {
  Asked asked;
  asked.kind = entry;
  std::int64_t number = 0;
  std::string_view answer;
  TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == kPidTag) asked.pid = static_cast<std::int32_t>(field.number);
    if (field.tag == kAddressTag) asked.address = field.number;
    if (field.tag == kReturnTag) asked.is_return = field.number != 0;
    if (field.tag == kAnswerTag) answer = field.text;
  }
  switch (entry) {
    case Entry::kKernelName:
    case Entry::kUserName:
    case Entry::kSourceLines:
    case Entry::kSignalReturn:
      answers_.insert_or_assign(asked, std::string(answer));
      return true;
    case Entry::kForget:
      answers_.clear();
      return true;
    case Entry::kAccount:
      number = support::unfolded_sign(asked.address);
      accounts_.insert_or_assign({asked.is_return, number}, std::string(answer));
      return true;
    case Entry::kAdvice:
      advices_.insert_or_assign(
          {static_cast<std::uint32_t>(asked.pid), static_cast<std::uint32_t>(asked.address)},
          std::string(answer));
      return true;
    default:
      return false;
  }
}

const std::string* KnownNames::find(const Asked& asked) const {
  const auto at = answers_.find(asked);
  return at == answers_.end() || at->second.empty() ? nullptr : &at->second;
}

bool KnownNames::kernel(KernelAddr address, symbol::Symbol& out) {
  const std::string* const answer =
      find({Entry::kKernelName, Asked::kOfKernel, address.value, false});
  if (answer != nullptr) out = symbol_of(*answer);
  return answer != nullptr;
}

bool KnownNames::user(std::int32_t pid, UserAddr address, symbol::Symbol& out) {
  const std::string* const answer = find({Entry::kUserName, pid, address.value, false});
  if (answer != nullptr) out = symbol_of(*answer);
  return answer != nullptr;
}

std::vector<symbol::SourceFrame> KnownNames::source(std::int32_t pid, UserAddr address,
                                                    bool is_return) {
  std::vector<symbol::SourceFrame> frames;
  if (const std::string* answer = find({Entry::kSourceLines, pid, address.value, is_return})) {
    TaggedReader reader(*answer);
    Tagged field;
    while (reader.next(field)) frames.push_back(frame_of(field.text));
  }
  return frames;
}

bool KnownNames::is_signal_return(std::int32_t pid, UserAddr address) {
  return find({Entry::kSignalReturn, pid, address.value, false}) != nullptr;
}

std::string KnownNames::account(bool is_group, std::int64_t number) const {
  const auto at = accounts_.find({is_group, number});
  return at == accounts_.end() ? std::to_string(number) : at->second;
}

std::string KnownNames::advice(std::uint32_t probe, std::uint32_t argument) const {
  const auto at = advices_.find({probe, argument});
  return at == advices_.end() ? "" : at->second;
}

void put_account(const Put& put, bool is_group, std::int64_t number, std::string_view name) {
  std::string payload;
  TaggedWriter writer(payload);
  writer.number_unless_0(kAddressTag, support::folded_sign(number));
  writer.number_unless_0(kReturnTag, is_group ? 1 : 0);
  writer.text(kAnswerTag, name);
  put(Entry::kAccount, payload);
}

void put_advice(const Put& put, std::uint32_t probe, std::uint32_t argument,
                std::string_view text) {
  std::string payload;
  TaggedWriter writer(payload);
  writer.number_unless_0(kPidTag, probe);
  writer.number_unless_0(kAddressTag, argument);
  writer.text(kAnswerTag, text);
  put(Entry::kAdvice, payload);
}

}  // namespace dt::recording
