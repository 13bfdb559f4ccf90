// The tcp provider: connections, as they are asked for, made and refused.
//
//   state-change          inet_sock_set_state
//   connect-request       the same, from CLOSED to SYN_SENT
//   connect-established   the same, from SYN_SENT to ESTABLISHED
//   accept-established    the same, from SYN_RECEIVED to ESTABLISHED
//   connect-refused       tcp_receive_reset, in SYN_SENT
//   accept-refused        tcp_send_reset, in reply to a SYN; before Linux 6.10 that
//                         tracepoint fires for known connections only
//   send, receive         segments at network interfaces: packet.h says which these are
//
// No tracepoint fires once for every segment where its connection is known: send
// knows that of what a socket sends, and receive none. Where the tracepoint does not
// show the segment that a probe is about, lib/net.d says of it what the connection
// tells.

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

// What lib/net.d and lib/tcp.d read as arg0 to arg7.
enum Value : std::uint32_t {
  kPacket,     // a struct sk_buff, or 0
  kSocket,     // the struct sock, or 0
  kIpHeader,   // of that packet
  kTcpHeader,  // of that packet
  kState,      // of the connection from now on
  kStateBefore,
  kSegment,  // a Segment
  kSubject,  // what the probe is about: the socket, or else the packet
  kValues,
};

// The segment that a probe is about.
enum Segment : std::int32_t {
  kNone,
  kSyn,
  kSynAck,
  kAck,
  kResetReceived,
  kResetSent,
  kAnySent,
  kAnyReceived,
};

// The kernel's states (include/net/tcp_states.h).
constexpr std::int32_t kEstablished = 1, kSynSent = 2, kSynReceived = 3, kFinWait2 = 5,
                       kTimeWait = 6, kClosed = 7, kListen = 10, kClosing = 11,
                       kNewSynReceived = 12;
constexpr std::int32_t kTcp = 6;  // IPPROTO_TCP
constexpr const char* kSocketState = "__sk_common.skc_state";

// ---- inet_sock_set_state: { struct sock *, the state until now, the new one } -------

enum SetState : std::uint32_t { kOf, kOld, kNew };

// It fires for other protocols, too.
void leave_unless_tcp(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kNe, code.member(code.word(kOf), "sock", "sk_protocol"), kTcp,
                             leave);
}
void state_changes(StableCode& code, Label leave) { leave_unless_tcp(code, leave); }

void connects(StableCode& code, Label leave) {
  leave_unless_tcp(code, leave);
  code.emitter().jump_if_imm(Cond::kNe, code.word(kNew), kSynSent, leave);
}

// Of a connection that is SYN_RECEIVED. One that the other end has asked for
// belongs to no program until it is accepted, which may be before it is there
// only when its SYN brought data (TCP Fast Open). Otherwise, both ends have asked.
void jump_if_others(StableCode& code, Label others) {
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kEq, code.member(code.word(kOf), "sock", "sk_socket"), 0, others);
  e.jump_if_imm(Cond::kNe, code.bits(code.word(kOf), "tcp_sock", "syn_fastopen_child"), 0, others);
}

void is_connected(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  leave_unless_tcp(code, leave);
  e.jump_if_imm(Cond::kNe, code.word(kNew), kEstablished, leave);
  e.jump_if_imm(Cond::kEq, code.word(kOld), kSynSent, is_one);
  e.jump_if_imm(Cond::kNe, code.word(kOld), kSynReceived, leave);
  jump_if_others(code, leave);
  e.bind(is_one);
}

void is_accepted(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  leave_unless_tcp(code, leave);
  e.jump_if_imm(Cond::kNe, code.word(kOld), kSynReceived, leave);
  e.jump_if_imm(Cond::kNe, code.word(kNew), kEstablished, leave);
  jump_if_others(code, is_one);
  e.jump(leave);
  e.bind(is_one);
}

// A connection waits for what may still be on its way (TIME-WAIT) in a smaller socket of the
// kernel's, for which the tracepoint does not fire. What fires is that its first socket is
// closed: in FIN-WAIT-2 when the other end's FIN has come (SOCK_DONE), or when no program has
// the socket any more (SOCK_DEAD), and in CLOSING when all is acknowledged. A reset leaves
// an error, and a linger2 below 0 stands for no wait.
void jump_unless_waits(StableCode& code, Label other) {
  constexpr std::int32_t kDead = 0x1, kDone = 0x2;  // bits of enum sock_flags
  Emitter& e = code.emitter();
  const Label is_closing = e.label(), waits = e.label();
  const Reg socket = code.word(kOf);
  e.jump_if_imm(Cond::kNe, code.word(kNew), kClosed, other);
  e.jump_if_imm(Cond::kNe, code.member(socket, "sock", "sk_err"), 0, other);
  e.jump_if_imm(Cond::kEq, code.word(kOld), kClosing, is_closing);
  e.jump_if_imm(Cond::kNe, code.word(kOld), kFinWait2, other);
  e.jump_if_imm(Cond::kSlt, code.member(socket, "tcp_sock", "linger2"), 0, other);
  e.jump_if_imm(Cond::kSet, code.member(socket, "sock", "__sk_common.skc_flags"), kDead | kDone,
                waits);
  e.jump(other);
  e.bind(is_closing);
  e.jump_if(Cond::kNe, code.member(socket, "tcp_sock", "snd_una"),
            code.member(socket, "tcp_sock", "write_seq"), other);
  e.bind(waits);
}

Reg state_from_now_on(StableCode& code) {
  Emitter& e = code.emitter();
  const Label done = e.label();
  const Reg state = code.word(kNew);
  jump_unless_waits(code, done);
  e.mov_imm(state, kTimeWait);
  e.bind(done);
  return state;
}

template <Segment segment>
Reg of_change(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kSocket:
    case kSubject:
      return code.word(kOf);
    case kState:
      return segment == kNone ? state_from_now_on(code) : code.word(kNew);
    case kStateBefore:
      return code.word(kOld);
    case kSegment:
      return code.emitter().imm(segment);
    default:
      return code.emitter().imm(0);
  }
}

// ---- tcp_receive_reset: { struct sock * } ---------------------------------------------

Reg state(StableCode& code) { return code.member(code.word(kOf), "sock", kSocketState); }

void is_refused(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kNe, state(code), kSynSent, leave);
}

Reg of_refusal(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kSocket:
    case kSubject:
      return code.word(kOf);
    case kState:
    case kStateBefore:
      return state(code);
    case kSegment:
      return code.emitter().imm(kResetReceived);
    default:
      return code.emitter().imm(0);
  }
}

// ---- tcp_send_reset: { struct sock * or NULL, the segment received or NULL, why } -----

constexpr std::uint32_t kReceived = 1;

Reg header(StableCode& code, const char* which) {
  Emitter& e = code.emitter();
  const Reg header = code.member(code.word(kReceived), "sk_buff", "head");
  e.alu(Alu::kAdd, header, code.member(code.word(kReceived), "sk_buff", which));
  return header;
}

// A SYN without ACK asks for a connection.
void refuses(StableCode& code, Label leave) {
  constexpr std::int32_t kFlagsAt = 13, kSynFlag = 0x02, kAckFlag = 0x10;
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kEq, code.word(kReceived), 0, leave);
  const Reg flags = code.byte(header(code, "transport_header"), kFlagsAt);
  e.alu_imm(Alu::kAnd, flags, kSynFlag | kAckFlag);
  e.jump_if_imm(Cond::kNe, flags, kSynFlag, leave);
}

Reg of_reset(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kPacket:
    case kSubject:
      return code.word(kReceived);
    case kIpHeader:
      return header(code, "network_header");
    case kTcpHeader:
      return header(code, "transport_header");
    case kState:
    case kStateBefore:
      return code.emitter().imm(kClosed);
    case kSegment:
      return code.emitter().imm(kResetSent);
    default:
      return code.emitter().imm(0);
  }
}

// ---- Segments at network interfaces: packet.h ------------------------------------------

template <bool is_sent>
void is_tcp(StableCode& code, Label leave) {
  leave_unless_protocol(code, leave, is_sent, kTcp);
}

// The connection that sends the packet, or 0. Beside it, what is not one yet or no
// longer has sockets of its own, smaller ones; and packets that answer no connection are sent
// by a socket of the kernel's, which leads nowhere.
Reg sender(StableCode& code) {
  constexpr std::int32_t kTargetAt = 2;
  Emitter& e = code.emitter();
  const Label done = e.label(), none = e.label();
  const Reg socket = code.member(packet(code), "sk_buff", "sk");
  e.jump_if_imm(Cond::kEq, socket, 0, done);
  const Reg state = code.member(socket, "sock", kSocketState);
  for (const std::int32_t other : {kTimeWait, kListen, kNewSynReceived}) {
    e.jump_if_imm(Cond::kEq, state, other, none);
  }
  const Reg header = transport_header(code, true), target = code.byte(header, kTargetAt + 1);
  e.alu_imm(Alu::kLsh, target, 8);  // in the order of the network
  e.alu(Alu::kOr, target, code.byte(header, kTargetAt));
  e.jump_if(Cond::kEq, code.member(socket, "sock", "__sk_common.skc_dport"), target, done);
  e.bind(none);
  e.mov_imm(socket, 0);
  e.bind(done);
  return socket;
}

Reg sender_state(StableCode& code) {
  Emitter& e = code.emitter();
  const Label done = e.label();
  const Reg socket = sender(code), state = e.imm(0);
  e.jump_if_imm(Cond::kEq, socket, 0, done);
  e.mov(state, code.member(socket, "sock", kSocketState));
  e.bind(done);
  return state;
}

template <bool is_sent>
Reg of_segment(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kPacket:
      return packet(code);
    case kSocket:
      return is_sent ? sender(code) : code.emitter().imm(0);
    case kIpHeader:
      return ip_header(code, is_sent);
    case kTcpHeader:
      return transport_header(code, is_sent);
    case kState:
    case kStateBefore:
      return is_sent ? sender_state(code) : code.emitter().imm(0);
    case kSegment:
      return code.emitter().imm(is_sent ? kAnySent : kAnyReceived);
    default:
      return code.emitter().imm(0);
  }
}

}  // namespace

std::unique_ptr<Provider> tcp_provider(const types::Catalog& types) {
  const probe::Argument connection = {"csinfo_t *", false, "struct sock *", kSocket};
  const probe::Argument socket = {"tcpsinfo_t *", false, "struct tcp_connection *", kSocket};
  const probe::Argument nothing = {"void", false};
  const std::vector<probe::Argument> segment = {
      {"pktinfo_t *", false, "struct sk_buff *", kPacket},      connection,
      {"ipinfo_t *", false, "struct tcp_segment *", kSubject},  socket,
      {"tcpinfo_t *", false, "struct tcp_segment *", kSubject},
  };
  // Of what has no connection, the segment tells who its ends would be.
  std::vector<probe::Argument> refused = segment;
  refused[3] = {"tcpsinfo_t *", false, "struct ip_packet *", kIpHeader};
  const std::vector<probe::Argument> change = {
      nothing, connection, nothing,
      socket,  nothing,    {"tcplsinfo_t *", false, "struct tcp_connection *", kSocket},
  };
  const std::vector<probe::Argument> whole_segment = {
      {"pktinfo_t *", false, "struct sk_buff *", kPacket},
      connection,
      {"ipinfo_t *", false, "struct ip_packet *", kIpHeader},
      {"tcpsinfo_t *", false, "struct ip_packet *", kIpHeader},
      {"tcpinfo_t *", false, "struct tcphdr *", kTcpHeader},
  };
  const char* const set_state = "inet_sock_set_state";
  std::vector<StableProbe> probes = {
      {"accept-established", set_state, is_accepted, segment, of_change<kAck>, kValues},
      {"accept-refused", "tcp_send_reset", refuses, refused, of_reset, kValues},
      {"connect-established", set_state, is_connected, segment, of_change<kSynAck>, kValues},
      {"connect-refused", "tcp_receive_reset", is_refused, segment, of_refusal, kValues},
      {"connect-request", set_state, connects, segment, of_change<kSyn>, kValues},
      {"receive", kPacketReceived, is_tcp<false>, whole_segment, of_segment<false>, kValues},
      {"send", kPacketSent, is_tcp<true>, whole_segment, of_segment<true>, kValues},
      {"state-change", set_state, state_changes, change, of_change<kNone>, kValues},
  };
  // With the reason, which it tells since then, it also fires where there is no connection.
  constexpr std::uint32_t kParametersOfSendReset = 3;
  probes[1].parameter_count = kParametersOfSendReset;
  return stable_provider("tcp", types, std::move(probes));
}

}  // namespace dt::provider
