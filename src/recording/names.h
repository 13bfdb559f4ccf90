#pragma once
// Names that the resolver has given, as entries: a recording is read where the processes, files
// and users are others, or none.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recording/program.h"
#include "symbol/resolve/resolver.h"

namespace dt::recording {

// A look-up in a resolver, as a key. The process of a kernel address is kOfKernel.
struct Asked {
  static constexpr std::int32_t kOfKernel = -1;
  Entry kind = Entry::kKernelName;
  std::int32_t pid = 0;
  std::uint64_t address = 0;
  bool is_return = false;
  bool operator==(const Asked&) const = default;
};
struct AskedHash {
  std::size_t operator()(const Asked& asked) const noexcept;
};

// A message that was shown besides the records.
struct Message {
  std::string text, excerpt;
};
void put_message(const Put& put, std::string_view text, std::string_view excerpt);
Message message_of(std::string_view payload);

// Asks another resolver, and puts each answer that is new or has changed.
class TapingResolver : public symbol::Resolver {
 public:
  // Asks once more for what programs had no name for: a process that has just begun may not be
  // known yet, and a later look-up may find more.
  virtual void ask_again() = 0;
  // All that is asked from here on is put.
  virtual void say_again() = 0;
};
std::unique_ptr<TapingResolver> taping_resolver(std::unique_ptr<symbol::Resolver> inner, Put put);

// A resolver with the names that a recording has had so far.
class KnownNames final : public symbol::Resolver {
 public:
  // True when the entry was one of names.
  bool take(Entry entry, std::string_view payload);

  bool kernel(KernelAddr address, symbol::Symbol& out) override;
  bool user(std::int32_t pid, UserAddr address, symbol::Symbol& out) override;
  void note_process(std::int32_t) override {}
  void show_source(symbol::SourceWish wish) override { wish_ = wish; }
  bool shows_source() const override { return wish_.any(); }
  std::vector<symbol::SourceFrame> source(std::int32_t pid, UserAddr address,
                                          bool is_return) override;
  bool is_signal_return(std::int32_t pid, UserAddr address) override;

  // The name of a user or a group; the number if it has none.
  std::string account(bool is_group, std::int64_t number) const;
  // The hint on an argument of a probe; "" where there is none.
  std::string advice(std::uint32_t probe, std::uint32_t argument) const;

 private:
  const std::string* find(const Asked& asked) const;

  std::unordered_map<Asked, std::string, AskedHash> answers_;
  std::map<std::pair<bool, std::int64_t>, std::string> accounts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> advices_;
  symbol::SourceWish wish_;
};

void put_account(const Put& put, bool is_group, std::int64_t number, std::string_view name);
void put_advice(const Put& put, std::uint32_t probe, std::uint32_t argument, std::string_view text);

}  // namespace dt::recording
