// See tasks.h.
//
// All processes are in a ring, task_struct.tasks, and the threads of one in the list
// signal->thread_head. Both change while we walk: what a pointer leads to is only read, never
// trusted, and a walk that does not come back to where it began ends after as many steps as there
// can be tasks.

#include "stap/home/tasks.h"

#include <cstring>
#include <string_view>

namespace dt::stap {
namespace {

constexpr int kMostTasks = 1 << 22;  // PID_MAX_LIMIT of 64-bit kernels

class TaskWalk {
 public:
  TaskWalk(const TaskLayout& layout,
           const std::function<bool(std::uint64_t, std::span<std::uint8_t>)>& read)
      : layout_(layout), read_(read) {}

  std::uint64_t find(std::uint64_t current, std::int64_t pid) {
    // The threads of a process are looked at where no process has the number.
    for (const bool looks_at_threads : {false, true}) {
      std::uint64_t task = current;
      for (int i = 0; i < kMostTasks && task != 0; ++i) {
        const std::uint64_t found = looks_at_threads              ? thread_of(task, pid)
                                    : is(task, layout_.tgid, pid) ? task
                                                                  : 0;
        if (found != 0) return found;
        const std::uint64_t next = word(task + layout_.tasks);
        task = next == 0 ? 0 : next - layout_.tasks;
        if (task == current) break;
      }
    }
    return 0;
  }

 private:
  std::uint64_t word(std::uint64_t address) {
    std::uint64_t out = 0;
    std::uint8_t bytes[sizeof out] = {};
    if (!read_(address, bytes)) return 0;
    std::memcpy(&out, bytes, sizeof out);
    return out;
  }

  bool is(std::uint64_t task, std::uint64_t offset, std::int64_t number) {
    std::int32_t value = 0;
    std::uint8_t bytes[sizeof value] = {};
    if (!read_(task + offset, bytes)) return false;
    std::memcpy(&value, bytes, sizeof value);
    return value == number;
  }

  std::uint64_t thread_of(std::uint64_t process, std::int64_t pid) {
    const std::uint64_t signal = word(process + layout_.signal);
    if (signal == 0) return 0;
    const std::uint64_t head = signal + layout_.thread_head;
    std::uint64_t node = word(head);
    for (int i = 0; i < kMostTasks && node != 0 && node != head; ++i) {
      const std::uint64_t task = node - layout_.thread_node;
      if (is(task, layout_.pid, pid)) return task;
      node = word(node);
    }
    return 0;
  }

  const TaskLayout& layout_;
  const std::function<bool(std::uint64_t, std::span<std::uint8_t>)>& read_;
};

}  // namespace

std::optional<TaskLayout> task_layout(const types::Catalog& types) {
  const auto task = types.find(types::Tag::kStruct, "task_struct", {});
  const auto signal = types.find(types::Tag::kStruct, "signal_struct", {});
  if (!task || !signal) return std::nullopt;
  bool is_whole = true;
  const auto offset = [&](types::TypeId type, std::string_view name) {
    const auto found = types.member(type, name);
    is_whole = is_whole && found;
    constexpr std::uint32_t kBits = 8;
    return found ? std::uint64_t{found->bit_offset / kBits} : 0;
  };
  const TaskLayout out = {offset(*task, "pid"),         offset(*task, "tgid"),
                          offset(*task, "tasks"),       offset(*task, "signal"),
                          offset(*task, "thread_node"), offset(*signal, "thread_head")};
  return is_whole ? std::optional(out) : std::nullopt;
}

std::uint64_t find_task(
    const TaskLayout& layout, std::uint64_t current, std::int64_t pid,
    const std::function<bool(std::uint64_t address, std::span<std::uint8_t> into)>& read) {
  // Number 0 are the idle tasks, of which each CPU has one.
  return current == 0 || pid <= 0 ? 0 : TaskWalk(layout, read).find(current, pid);
}

}  // namespace dt::stap
