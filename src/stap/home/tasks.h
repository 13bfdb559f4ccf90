#pragma once
// The tasks of the kernel by their numbers, as they are when a handler of the session runs.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "types/type.h"

namespace dt::stap {

// Where a task_struct has what a walk from task to task needs, in bytes.
struct TaskLayout {
  std::uint64_t pid = 0, tgid = 0, tasks = 0, signal = 0, thread_node = 0;
  std::uint64_t thread_head = 0;  // of a signal_struct
};
std::optional<TaskLayout> task_layout(const types::Catalog& types);

// The task_struct of a thread by its number, as pid2task() gives it; 0: there is none, or the
// kernel's memory is not read. `current` is any task that is there for sure.
std::uint64_t find_task(
    const TaskLayout& layout, std::uint64_t current, std::int64_t pid,
    const std::function<bool(std::uint64_t address, std::span<std::uint8_t> into)>& read);

}  // namespace dt::stap
