// See function_events.h.
//
// Two tables of facts about kernels: functions by whose names scripts ask for an event that also
// has a point of the library, a tracepoint or a system call; and functions that later kernels call
// otherwise.

#include "stap/events/function_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace dt::stap {
namespace {

struct Known {
  std::string_view function, instead;
};

// The same event, on every kernel.
constexpr Known kEvents[] = {
    {"vfs_read", "vfs.read"},
    {"__vfs_read", "vfs.read"},
    {"do_sync_read", "vfs.read"},
    {"new_sync_read", "vfs.read"},
    {"vfs_write", "vfs.write"},
    {"__vfs_write", "vfs.write"},
    {"do_sync_write", "vfs.write"},
    {"new_sync_write", "vfs.write"},
    {"do_sys_open", "syscall.{open,openat}"},
    {"do_sys_openat2", "syscall.{open,openat,openat2}"},
    {"do_filp_open", "syscall.{open,openat}"},
    {"vfs_open", "vfs.open"},
    {"vfs_unlink", "syscall.{unlink,unlinkat}"},
    {"vfs_rename", "syscall.{rename,renameat,renameat2}"},
    {"vfs_mkdir", "syscall.{mkdir,mkdirat}"},
    {"vfs_rmdir", "syscall.{rmdir,unlinkat}"},
    {"vfs_fsync", "syscall.{fsync,fdatasync}"},
    {"do_fsync", "syscall.{fsync,fdatasync}"},
    {"vfs_stat", "syscall.*stat*"},
    {"vfs_getattr", "syscall.*stat*"},
    {"do_execve", "kprocess.exec"},
    {"do_execveat_common", "kprocess.exec"},
    {"do_fork", "kprocess.create"},
    {"_do_fork", "kprocess.create"},
    {"kernel_clone", "kprocess.create"},
    {"copy_process", "kprocess.create"},
    {"do_exit", "kprocess.exit"},
    {"schedule", "scheduler.ctxswitch"},
    {"__schedule", "scheduler.ctxswitch"},
    {"context_switch", "scheduler.ctxswitch"},
    {"finish_task_switch", "scheduler.cpu_on"},
    {"try_to_wake_up", "scheduler.wakeup"},
    {"send_signal", "signal.send"},
    {"__send_signal", "signal.send"},
    {"send_signal_locked", "signal.send"},
    {"get_signal", "signal.handle"},
    {"oom_kill_process", "vm.oom_kill"},
    {"out_of_memory", "vm.oom_kill"},
    {"handle_mm_fault", "vm.pagefault"},
    {"__handle_mm_fault", "vm.pagefault"},
    {"do_page_fault", "vm.pagefault"},
    {"__alloc_pages", "kernel.trace(\"mm_page_alloc\")"},
    {"__alloc_pages_nodemask", "kernel.trace(\"mm_page_alloc\")"},
    {"__free_pages", "kernel.trace(\"mm_page_free\")"},
    {"__kmalloc", "vm.kmalloc"},
    {"kmalloc", "vm.kmalloc"},
    {"kfree", "vm.kfree"},
    {"kmem_cache_alloc", "vm.kmem_cache_alloc"},
    {"kmem_cache_free", "vm.kmem_cache_free"},
    {"add_to_page_cache", "vfs.add_to_page_cache"},
    {"add_to_page_cache_lru", "vfs.add_to_page_cache"},
    {"add_to_page_cache_locked", "vfs.add_to_page_cache"},
    {"filemap_add_folio", "vfs.add_to_page_cache"},
    {"__remove_from_page_cache", "vfs.remove_from_page_cache"},
    {"submit_bio", "ioblock.request"},
    {"submit_bio_noacct", "ioblock.request"},
    {"generic_make_request", "ioblock.request"},
    {"bio_endio", "ioblock.end"},
    {"blk_start_request", "kernel.trace(\"block_rq_issue\")"},
    {"blk_mq_start_request", "kernel.trace(\"block_rq_issue\")"},
    {"blk_account_io_start", "kernel.trace(\"block_io_start\")"},
    {"blk_account_io_completion", "kernel.trace(\"block_rq_complete\")"},
    {"blk_account_io_done", "kernel.trace(\"block_io_done\")"},
    {"tcp_sendmsg", "tcp.sendmsg"},
    {"tcp_recvmsg", "tcp.recvmsg"},
    {"tcp_v4_rcv", "tcp.receive"},
    {"tcp_set_state", "tcp.state"},
    {"tcp_retransmit_skb", "tcp.retransmit"},
    {"tcp_setsockopt", "tcp.setsockopt"},
    {"tcp_v4_connect", "syscall.connect"},
    {"tcp_accept", "syscall.{accept,accept4}"},
    {"inet_csk_accept", "syscall.{accept,accept4}"},
    {"inet_listen", "syscall.listen"},
    {"tcp_send_active_reset", "tcpmib.OutRsts"},
    {"udp_sendmsg", "udp.sendmsg"},
    {"udp_recvmsg", "udp.recvmsg"},
    {"sock_sendmsg", "socket.sendmsg"},
    {"sock_recvmsg", "socket.recvmsg"},
    {"netif_receive_skb", "netdev.receive"},
    {"__netif_receive_skb", "netdev.receive"},
    {"netif_rx", "netdev.rx"},
    {"dev_queue_xmit", "netdev.transmit"},
    {"__dev_queue_xmit", "netdev.transmit"},
    {"dev_hard_start_xmit", "netdev.hard_transmit"},
    {"kfree_skb", "kernel.trace(\"kfree_skb\")"},
    {"__kfree_skb", "kernel.trace(\"kfree_skb\")"},
    {"consume_skb", "kernel.trace(\"consume_skb\")"},
    {"handle_irq_event_percpu", "irq_handler.entry"},
    {"__do_softirq", "softirq.entry"},
    {"do_softirq", "softirq.entry"},
};

// What became of functions that a kernel does not have.
constexpr Known kNewNames[] = {
    {"do_fork", "kernel_clone"},
    {"_do_fork", "kernel_clone"},
    {"do_sync_read", "new_sync_read"},
    {"do_sync_write", "new_sync_write"},
    {"__vfs_read", "vfs_read"},
    {"__vfs_write", "vfs_write"},
    {"__alloc_fd", "alloc_fd"},
    {"__close_fd", "close_fd"},
    {"get_unused_fd", "get_unused_fd_flags"},
    {"generic_make_request", "submit_bio_noacct"},
    {"blk_start_request", "blk_mq_start_request"},
    {"__alloc_pages_nodemask", "__alloc_pages_noprof"},
    {"__alloc_pages", "__alloc_pages_noprof"},
    {"__kmalloc", "__kmalloc_noprof"},
    {"kmem_cache_alloc", "kmem_cache_alloc_noprof"},
    {"add_to_page_cache", "filemap_add_folio"},
    {"add_to_page_cache_lru", "filemap_add_folio"},
    {"add_to_page_cache_locked", "__filemap_add_folio"},
    {"__lock_page", "__folio_lock"},
    {"mark_page_accessed", "folio_mark_accessed"},
    {"send_signal", "send_signal_locked"},
    {"__send_signal", "__send_signal_locked"},
    {"get_signal_to_deliver", "get_signal"},
    {"do_page_fault", "exc_page_fault"},
    {"__do_softirq", "handle_softirqs"},
    {"tcp_accept", "inet_csk_accept"},
    {"sock_aio_read", "sock_read_iter"},
    {"sock_aio_write", "sock_write_iter"},
    {"generic_file_aio_read", "generic_file_read_iter"},
    {"generic_file_aio_write", "generic_file_write_iter"},
    {"vfs_readdir", "iterate_dir"},
};

std::string_view find(std::string_view function, const Known* from, const Known* to) {
  const auto* const found =
      std::find_if(from, to, [&](const Known& one) { return one.function == function; });
  return found == to ? std::string_view() : found->instead;
}

// Whether a point of the library has returns of its own.
bool has_return(std::string_view point) {
  constexpr std::string_view kCheckedFamilies[] = {
      "vfs.read",     "vfs.write", "vfs.open", "vfs.add_to_page_cache",
      "vm.pagefault", "tcp.s",     "tcp.r",    "udp.",
      "socket.",      "syscall."};
  return std::any_of(std::begin(kCheckedFamilies), std::end(kCheckedFamilies),
                     [&](std::string_view one) { return point.starts_with(one); }) &&
         point != "tcp.state" && point != "tcp.receive" && point != "tcp.retransmit";
}

}  // namespace

std::string hint_of_function(std::string_view function, bool is_return) {
  const std::string_view event = find(function, std::begin(kEvents), std::end(kEvents));
  if (event.empty()) return {};
  if (!is_return) return fmt::format("{} is the same event", event);
  if (has_return(event)) return fmt::format("{}.return is the same event", event);
  return fmt::format("{} is the event at which it is called", event);
}

std::string new_name_of(std::string_view function) {
  return std::string(find(function, std::begin(kNewNames), std::end(kNewNames)));
}

bool has_function(const types::Catalog& types, const std::string& function) {
  return types.find_object(function, "vmlinux").has_value();
}

}  // namespace dt::stap
