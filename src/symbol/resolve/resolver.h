#pragma once
// Address <-> name. Nothing is read before the first question.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/ids.h"
#include "support/result.h"
#include "symbol/interpreter/source_frame.h"
#include "symbol/process/value.h"

namespace dt::kernel {
struct ProcessEvent;
}

namespace dt::symbol {

class Kallsyms;

// Resolves for the consumer. Tests give a table.
class Resolver {
 public:
  virtual ~Resolver() = default;
  virtual bool kernel(KernelAddr address, Symbol& out) = 0;
  // `pid` is the tgid in the initial namespace of the tracer.
  virtual bool user(std::int32_t pid, UserAddr address, Symbol& out) = 0;
  // From now on functions that interpreters run are asked for by their names.
  using FindSource = std::function<std::optional<SourceName>(std::uint64_t name)>;
  virtual void find_sources_with(FindSource /*find*/) {}
  // Learn what can be learned of the process while it lives: it may have mapped
  // libraries, or executed another program, since the last time.
  virtual void note_process(std::int32_t pid) = 0;
  // The same for one that will be asked for: also files that are deleted later keep their
  // names.
  virtual void hold_process(std::int32_t pid) { note_process(pid); }
  // From now on, learn() receives all changes of the address spaces of the system's
  // processes, so that names stay when the processes have ended.
  virtual void follow_processes() {}
  virtual void learn(const kernel::ProcessEvent& /*event*/) {}
  // Some of that is missing.
  virtual void doubt_processes() {}
  // Notes the processes that there are, for at most `most`; false when some are left.
  virtual bool survey(std::chrono::nanoseconds /*most*/) { return true; }
  // To be called now and then: decides about what was put off.
  virtual void settle() {}
  // Symbols may take about this much memory; functions of a file that has more have no names.
  virtual void limit_memory(std::size_t /*bytes*/) {}
  // Addresses of programs have no names from now on; what interpreters run keeps its own.
  virtual void hide_user_names() {}
  // Functions have the names that linkers know, and not those of C++ and Rust.
  virtual void show_mangled() {}
  // From now on, source() says these.
  virtual void show_source(SourceWish /*wish*/) {}
  virtual bool shows_source() const { return false; }
  // Where the code at an address comes from; of one to which a call returns (`is_return`),
  // that of the call. The last one is that of the function that user() names, those before
  // it were inlined into the next one. Empty when nothing is known.
  virtual std::vector<SourceFrame> source(std::int32_t /*pid*/, UserAddr /*address*/,
                                          bool /*is_return*/) {
    return {};
  }
  // Whether handlers of signals return to this address: what stands next in a stack has
  // been interrupted, and has called nothing.
  virtual bool is_signal_return(std::int32_t /*pid*/, UserAddr /*address*/) { return false; }
  // From now on, debug files that are nowhere on this machine are fetched from the servers
  // of DEBUGINFOD_URLS, if there are any.
  virtual void ask_servers(ServerCallbacks /*callbacks*/) {}
  // What the person should know about names that are missing ("kernel symbols
  // are hidden ..."): given once, then empty.
  virtual std::string take_notice() { return {}; }
  // The same at the end: why source() has said nothing of anything; empty when it has, or
  // was not asked.
  virtual std::string source_notice() const { return {}; }
  // At the end, too: how functions that were compiled at run time get names, line by line; empty
  // when no name was missed.
  virtual std::string jit_notice() const { return {}; }
};

// /proc/kallsyms, /proc/PID/maps and the ELF symbol tables they name. `kallsyms`
// is what may have been read already; null: it is read here.
std::unique_ptr<Resolver> system_resolver(std::shared_ptr<Kallsyms> kallsyms = nullptr);

// "mod`sym+0x1f", "mod`sym", "mod`0xaddr" or "0xaddr"; a symbol without a
// module is none.
std::string text_of(const Symbol& symbol, std::uint64_t address, bool with_offset);
std::string kernel_text(Resolver& resolver, KernelAddr address, bool with_offset);
std::string user_text(Resolver& resolver, std::int32_t pid, UserAddr address, bool with_offset);

}  // namespace dt::symbol
