// The mib provider: what the statistics of the network count, where it is counted.
//
//   tcpActiveOpens, tcpPassiveOpens, tcpEstabResets   inet_sock_set_state
//   tcpOutRsts                                        tcp_send_reset
//   tcpRetransSegs                                    tcp_retransmit_skb, and for those that
//                                                     answer a SYN tcp_retransmit_synack
//   tcpRetransBytes                                   tcp_retransmit_skb
//   udpInOverflows                                    udp_fail_queue_rcv_skb
//   udpInDatagrams                                    sock_recv_length
//   udpOutDatagrams                                   sock_send_length
//   udpNoPorts, ipInCksumErrs                         kfree_skb, by the reason for the drop
//   icmpOut...                                        icmp_send, by the message's type
//
// arg0 is what is added. The kernel counts by namespace of the network, and arg1 is the
// number of that: of the socket's, or of the packet's device.
//
// Only those are here whose tracepoint fires once for each time that the kernel counts.
// What it passes tells whether it does: tcp_send_reset has had its reason since it fires
// for unknown connections, too (Linux 6.10), udp_fail_queue_rcv_skb the packet since it
// fires for IPv6, and tcp_retransmit_skb what came of it since it fires whatever that is
// (6.15).

#include <cerrno>

#include "provider/kernel/mib_absent.h"
#include "provider/mechanism/packet.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// The kernel's states (include/net/tcp_states.h).
constexpr std::int32_t kEstablished = 1, kSynSent = 2, kSynReceived = 3, kClosed = 7,
                       kCloseWait = 8, kListen = 10;
constexpr std::int32_t kTcp = 6, kUdp = 17;  // IPPROTO_...

constexpr std::uint32_t kSpace = 1;  // the argument

Reg space_of_socket(StableCode& code, Reg socket) {
  return code.member(socket, "sock", "__sk_common.skc_net.net->ns.inum");
}
Reg space_of_packet(StableCode& code, Reg buffer) {
  return code.member(buffer, "sk_buff", "dev->nd_net.net->ns.inum");
}

template <std::uint32_t socket_at>
Reg one_of_socket(StableCode& code, std::uint32_t n) {
  return n == kSpace ? space_of_socket(code, code.word(socket_at)) : code.emitter().imm(1);
}

// ---- inet_sock_set_state: { struct sock *, the state until now, the new one } ---------

enum SetState : std::uint32_t { kOf, kOld, kNew };

void leave_unless_of_protocol(StableCode& code, Reg socket, std::int32_t protocol, Label leave) {
  code.emitter().jump_if_imm(Cond::kNe, code.member(socket, "sock", "sk_protocol"), protocol,
                             leave);
}

void opens(StableCode& code, Label leave) {
  leave_unless_of_protocol(code, code.word(kOf), kTcp, leave);
  code.emitter().jump_if_imm(Cond::kNe, code.word(kNew), kSynSent, leave);
}

void is_opened(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  leave_unless_of_protocol(code, code.word(kOf), kTcp, leave);
  e.jump_if_imm(Cond::kNe, code.word(kOld), kListen, leave);
  e.jump_if_imm(Cond::kNe, code.word(kNew), kSynReceived, leave);
}

void is_reset(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  leave_unless_of_protocol(code, code.word(kOf), kTcp, leave);
  e.jump_if_imm(Cond::kNe, code.word(kNew), kClosed, leave);
  e.jump_if_imm(Cond::kEq, code.word(kOld), kEstablished, is_one);
  e.jump_if_imm(Cond::kNe, code.word(kOld), kCloseWait, leave);
  e.bind(is_one);
}

// ---- tcp_send_reset: { struct sock * or NULL, the segment received or NULL, why } -----

Reg of_reset(StableCode& code, std::uint32_t n) {
  constexpr std::uint32_t kSocket = 0, kReceived = 1;
  Emitter& e = code.emitter();
  if (n != kSpace) return e.imm(1);
  const Label have = e.label(), known = e.label();
  const Reg socket = code.word(kSocket), space = e.reg();
  e.jump_if_imm(Cond::kNe, socket, 0, known);
  e.mov(space, space_of_packet(code, code.word(kReceived)));
  e.jump(have);
  e.bind(known);
  e.mov(space, space_of_socket(code, socket));
  e.bind(have);
  return space;
}

// ---- tcp_retransmit_skb:    { struct sock *, struct sk_buff *, what came of it } ------
// ---- tcp_retransmit_synack: { struct sock *, struct request_sock * } -----------------

enum Retransmit : std::uint32_t { kBy, kSegment };

// Jumps when it is the answer to a SYN: of a socket that listens, or of one that was
// made before the connection was there (TCP Fast Open), which repeats nothing else.
void jump_if_answer(StableCode& code, Label answer) {
  Emitter& e = code.emitter();
  const Reg state = code.member(code.word(kBy), "sock", "__sk_common.skc_state");
  e.jump_if_imm(Cond::kEq, state, kListen, answer);
  e.jump_if_imm(Cond::kNe, code.member(code.word(kBy), "tcp_sock", "fastopen_rsk"), 0, answer);
}

// The kernel's own note on the packet says in how many segments it is sent.
Reg segments(StableCode& code, std::uint32_t n) {
  Emitter& e = code.emitter();
  if (n == kSpace) return space_of_socket(code, code.word(kBy));
  const Label done = e.label();
  const Reg count = e.imm(1);
  jump_if_answer(code, done);
  const Reg note = e.reg();
  e.mov(note, code.word(kSegment));
  e.alu_imm(Alu::kAdd, note, code.offset("sk_buff", "cb"));
  e.mov(count, code.member(note, "tcp_skb_cb", "tcp_gso_segs"));
  e.bind(done);
  return count;
}

Reg segment_bytes(StableCode& code) { return code.member(code.word(kSegment), "sk_buff", "len"); }

// A SYN and a FIN have none.
void has_bytes(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kEq, segment_bytes(code), 0, leave);
}

Reg bytes(StableCode& code, std::uint32_t n) {
  return n == kSpace ? space_of_socket(code, code.word(kBy)) : segment_bytes(code);
}

// ---- udp_fail_queue_rcv_skb: { why, struct sock *, struct sk_buff * } ------------------

void overflows(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Reg why = code.word(0);
  e.sign_extend(why, 4);
  e.jump_if_imm(Cond::kNe, why, -ENOMEM, leave);
  leave_unless_of_protocol(code, code.word(1), kUdp, leave);
}

// ---- sock_recv_length, sock_send_length: { struct sock *, bytes or an error, flags } --------

// The kernel counts a datagram when a program has taken it, and when it has been sent.
void leave_unless_moved(StableCode& code, Label leave) {
  constexpr std::uint32_t kBytes = 1;
  Emitter& e = code.emitter();
  const Reg bytes = code.word(kBytes);
  e.sign_extend(bytes, 4);
  e.jump_if_imm(Cond::kSlt, bytes, 0, leave);
  leave_unless_of_protocol(code, code.word(0), kUdp, leave);
  // Raw sockets, and those of other families, have protocols of the same number.
  constexpr std::int32_t kDatagrams = 2, kInet = 2, kInet6 = 10;
  e.jump_if_imm(Cond::kNe, code.member(code.word(0), "sock", "sk_type"), kDatagrams, leave);
  const Label is_inet = e.label();
  const Reg family = code.member(code.word(0), "sock", "__sk_common.skc_family");
  e.jump_if_imm(Cond::kEq, family, kInet, is_inet);
  e.jump_if_imm(Cond::kNe, family, kInet6, leave);
  e.bind(is_inet);
}
// One that stays, or what is known of one that failed, is no datagram that is taken.
void takes_datagram(StableCode& code, Label leave) {
  constexpr std::uint32_t kFlags = 2;
  constexpr std::int32_t kPeeks = 0x2, kErrors = 0x2000;  // MSG_PEEK, MSG_ERRQUEUE
  leave_unless_moved(code, leave);
  code.emitter().jump_if_imm(Cond::kSet, code.word(kFlags), kPeeks | kErrors, leave);
}
// One that waits to be sent with what comes next (MSG_MORE, UDP_CORK) has not been sent.
void sends_datagram(StableCode& code, Label leave) {
  leave_unless_moved(code, leave);
  code.emitter().jump_if_imm(Cond::kNe, code.member(code.word(0), "udp_sock", "pending"), 0, leave);
}

// ---- kfree_skb: { struct sk_buff *, where, why } --------------------------------------

constexpr const char* kReasons = "skb_drop_reason";
constexpr const char* kNoSocket = "SKB_DROP_REASON_NO_SOCKET";
constexpr const char* kBadHeader = "SKB_DROP_REASON_IP_CSUM";

void leave_unless_reason(StableCode& code, const char* reason, Label leave) {
  constexpr std::uint32_t kWhy = 2;
  code.emitter().jump_if_imm(Cond::kNe, code.word(kWhy), code.enumerator(kReasons, reason), leave);
}

void has_no_port(StableCode& code, Label leave) {
  leave_unless_reason(code, kNoSocket, leave);
  leave_unless_protocol(code, leave, true, kUdp);
}
void is_damaged(StableCode& code, Label leave) { leave_unless_reason(code, kBadHeader, leave); }

Reg of_packet(StableCode& code, std::uint32_t n) {
  return n == kSpace ? space_of_packet(code, packet(code)) : code.emitter().imm(1);
}

// ---- icmp_send: { the packet that it is about, type, code } ---------------------------

enum Message : std::int32_t { kUnreachable = 3, kRedirect = 5, kExceeded = 11, kProblem = 12 };

template <Message type>
void sends(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kNe, code.word(1), type, leave);
}

void asks_for_fragments(StableCode& code, Label leave) {
  constexpr std::int32_t kFragmentationNeeded = 4;
  sends<kUnreachable>(code, leave);
  code.emitter().jump_if_imm(Cond::kNe, code.word(2), kFragmentationNeeded, leave);
}

// Its route knows the device; the lowest bit of where that is noted says who holds it.
Reg of_message(StableCode& code, std::uint32_t n) {
  if (n != kSpace) return code.emitter().imm(1);
  const Reg route = code.member(packet(code), "sk_buff", "_skb_refdst");
  code.emitter().alu_imm(Alu::kAnd, route, -2);
  return code.member(route, "dst_entry", "dev->nd_net.net->ns.inum");
}

}  // namespace

std::unique_ptr<Provider> mib_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> added = {{"uint64_t", false}, {"uint32_t", false}};
  const auto probe = [&added](const char* name, const char* tracepoint, auto enter, auto argument,
                              std::uint32_t parameters) {
    StableProbe made{name, tracepoint, enter, added, argument};
    made.parameter_count = parameters;
    return made;
  };
  const auto message = [&](const char* name, auto enter) {
    return probe(name, "icmp_send", enter, of_message, 3);
  };
  std::vector<StableProbe> probes = {
      message("icmpOutDestUnreachs", sends<kUnreachable>),
      message("icmpOutFragNeeded", asks_for_fragments),
      message("icmpOutParmProbs", sends<kProblem>),
      message("icmpOutRedirects", sends<kRedirect>),
      message("icmpOutTimeExcds", sends<kExceeded>),
      probe("ipInCksumErrs", "kfree_skb", is_damaged, of_packet, 3),
      probe("tcpActiveOpens", "inet_sock_set_state", opens, one_of_socket<kOf>, 3),
      probe("tcpEstabResets", "inet_sock_set_state", is_reset, one_of_socket<kOf>, 3),
      probe("tcpOutRsts", "tcp_send_reset", nullptr, of_reset, 3),
      probe("tcpPassiveOpens", "inet_sock_set_state", is_opened, one_of_socket<kOf>, 3),
      probe("tcpRetransBytes", "tcp_retransmit_skb", has_bytes, bytes, 3),
      probe("tcpRetransSegs", "tcp_retransmit_skb", nullptr, segments, 3),
      probe("udpInDatagrams", "sock_recv_length", takes_datagram, one_of_socket<0>, 3),
      probe("udpInOverflows", "udp_fail_queue_rcv_skb", overflows, one_of_socket<1>, 3),
      probe("udpNoPorts", "kfree_skb", has_no_port, of_packet, 3),
      probe("udpOutDatagrams", "sock_send_length", sends_datagram, one_of_socket<0>, 3),
  };
  for (StableProbe& one : probes) {
    if (one.name == "tcpRetransSegs") one.also = {"tcp_retransmit_synack"};
  }
  return stable_provider("mib", types, std::move(probes), absent_counters());
}

}  // namespace dt::provider
