// See pthread_code.h.

#include "provider/glibc/pthread_code.h"

#include <algorithm>
#include <set>

namespace dt::provider {
namespace {

using Code = GlibcCode::Code;

constexpr int kMostDepth = 3;  // of calls, from pthread_cond_wait to pthread_cond_signal

// A function whose address pthread_create, or what that calls, hands to the kernel's clone.
Status find_thread(GlibcCode& glibc, PthreadCode& out) {
  std::set<std::uint64_t> candidates;
  for (const std::uint64_t address : glibc.versions("pthread_create")) {
    DT_ASSIGN(std::vector<const Code*> parts, glibc.with_jumps(address));
    const std::size_t own = parts.size();
    for (std::size_t i = 0; i < own; ++i) {
      for (const std::uint64_t callee : glibc.calls_of(*parts[i])) {
        if (const auto code = glibc.at(callee); code.ok()) parts.push_back(*code);
      }
    }
    for (const Code* part : parts) {
      for (const std::uint64_t taken : glibc.taken_by(*part)) candidates.insert(taken);
    }
  }
  for (const std::uint64_t candidate : candidates) {
    const auto code = glibc.at(candidate);
    if (!code.ok()) continue;
    const std::optional<ThreadBody> body = thread_body(**code);
    if (!body) continue;
    if (out.thread) return unknown_glibc("two functions are what a thread may begin with");
    const std::uint64_t start = glibc.offset_of(**code);
    PthreadCode::Thread& thread = out.thread.emplace(PthreadCode::Thread{});
    thread.end = start + body->end;
    thread.routine_at = body->routine_at;
    thread.value_at = body->value_at;
    for (const std::uint32_t call : body->calls) thread.calls.push_back(start + call);
  }
  const auto may_break = [&](std::uint64_t at) { return glibc.image().may_break_at(at); };
  if (out.thread && (!may_break(out.thread->end) ||
                     !std::all_of(out.thread->calls.begin(), out.thread->calls.end(), may_break))) {
    out.thread.reset();
    return unknown_glibc("no breakpoint may stand where a thread begins or ends");
  }
  if (!out.thread) return unknown_glibc("no function is found that calls the start routine");
  return {};
}

// In what calls main, where the first thread comes to when it exits.
void find_main_end(GlibcCode& glibc, PthreadCode& out) {
  std::set<std::uint64_t> setjmps;
  for (const symbol::Function* one : glibc.image().functions().named("_setjmp")) {
    setjmps.insert(one->address);
  }
  for (const symbol::Function* start : glibc.image().functions().named("__libc_start_main")) {
    const auto outer = glibc.at(start->address);
    if (!outer.ok()) continue;
    for (const std::uint64_t callee : glibc.calls_of(**outer)) {
      const auto inner = glibc.at(callee);
      if (!inner.ok() || (*inner)->address != callee) continue;
      const auto offset = after_longjmp(**inner, setjmps);
      if (!offset || !glibc.image().may_break_at(glibc.offset_of(**inner) + *offset)) continue;
      out.main_end = glibc.offset_of(**inner) + *offset;
      return;
    }
  }
}

Status find_function(GlibcCode& glibc, std::size_t index, PthreadCode& out) {
  const auto& [name, call] = kPthreadFunctions[index];
  PthreadCode::OfFunction& function = out.functions[index];
  const std::vector<std::uint64_t> addresses = glibc.versions(name);
  // What tells by its return must not be in the way of another version of itself.
  if (call < PthreadCall::kCancel && addresses.size() > 1) {
    return unknown_glibc(fmt::format("there are several '{}'", name));
  }
  for (const std::uint64_t address : addresses) {
    DT_ASSIGN(CallSites sites, call_sites(glibc, address, name));
    function.entries.push_back(sites.entry);
    function.returns = std::move(sites.returns);
    if (call != PthreadCall::kSemaphore || out.error_number) continue;
    DT_ASSIGN(const std::vector<const Code*> parts, glibc.with_jumps(address));
    for (const Code* part : parts) {
      if (!out.error_number) out.error_number = error_number_of(*part);
    }
  }
  return {};
}

// Which code of those, directly or not, goes on in `into`.
std::set<const Code*> leading(GlibcCode& glibc, const std::set<const Code*>& all,
                              std::set<std::uint64_t> into) {
  std::set<const Code*> found;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Code* code : all) {
      if (found.contains(code)) continue;
      std::vector<std::uint64_t> targets = glibc.calls_of(*code);
      for (const std::uint64_t jump : glibc.jumps_out(*code)) targets.push_back(jump);
      if (std::none_of(targets.begin(), targets.end(),
                       [&](std::uint64_t target) { return into.contains(target); })) {
        continue;
      }
      found.insert(code);
      into.insert(code->address);
      grows = true;
    }
  }
  return found;
}

// What a wait for a condition consists of, up to some depth.
Result<std::set<const Code*>> waiting(GlibcCode& glibc) {
  std::set<const Code*> all;
  std::vector<std::uint64_t> next;
  for (const PthreadFunction& one : kPthreadFunctions) {
    if (one.call != PthreadCall::kCondition) continue;
    for (const std::uint64_t address : glibc.versions(one.name)) next.push_back(address);
  }
  for (int depth = 0; depth < kMostDepth; ++depth) {
    std::vector<std::uint64_t> deeper;
    for (const std::uint64_t address : next) {
      DT_ASSIGN(const std::vector<const Code*> parts, glibc.with_jumps(address));
      for (const Code* part : parts) {
        if (!all.insert(part).second) continue;
        for (const std::uint64_t target : glibc.calls_of(*part)) deeper.push_back(target);
        for (const std::uint64_t target : glibc.taken_by(*part)) deeper.push_back(target);
      }
    }
    std::erase_if(deeper, [&](std::uint64_t address) { return !glibc.at(address).ok(); });
    next = std::move(deeper);
  }
  return all;
}

Status find_inner(GlibcCode& glibc, PthreadCode& out) {
  std::set<std::uint64_t> signals;
  for (const char* name : {"pthread_cond_signal", "pthread_cond_broadcast"}) {
    for (const std::uint64_t address : glibc.versions(name)) signals.insert(address);
  }
  DT_ASSIGN(std::set<const Code*> all, waiting(glibc));
  std::erase_if(all, [&](const Code* code) { return signals.contains(code->address); });
  for (const Code* code : leading(glibc, all, std::move(signals))) {
    out.inner.push_back({code->address, code->end()});
  }
  std::sort(out.inner.begin(), out.inner.end(),
            [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<PthreadCode::Range> merged;
  for (const PthreadCode::Range& range : out.inner) {
    if (!merged.empty() && merged.back().to == range.from)
      merged.back().to = range.to;
    else
      merged.push_back(range);
  }
  out.inner = std::move(merged);
  if (out.inner.size() > PthreadCode::kMostRanges) {
    return unknown_glibc("waits for conditions signal in too many places");
  }
  return {};
}

}  // namespace

Result<PthreadCode> pthread_code(const Image& image) {
  GlibcCode glibc(image);
  PthreadCode code;
  for (std::size_t i = 0; i < kPthreadFunctions.size(); ++i) {
    if (kPthreadFunctions[i].call < PthreadCall::kThread) DT_TRY(find_function(glibc, i, code));
  }
  DT_TRY(find_inner(glibc, code));
  Status found = find_thread(glibc, code);
  if (found.ok()) found = may_break(image, code.thread->calls);
  if (found.ok()) found = may_break(image, {&code.thread->end, 1});
  if (!found.ok()) {
    code.thread.reset();
    code.why_no_thread = found.error().text;
    return code;
  }
  find_main_end(glibc, code);
  if (code.main_end && !image.may_break_at(*code.main_end)) code.main_end.reset();
  return code;
}

}  // namespace dt::provider
