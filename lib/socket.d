/*
 * Sockets: options, flags of send(2), recv(2) and socket(2), shutdown(2).
 */

inline int SOL_SOCKET = 1;
inline int SO_DEBUG = 1;
inline int SO_REUSEADDR = 2;
inline int SO_TYPE = 3;
inline int SO_ERROR = 4;
inline int SO_DONTROUTE = 5;
inline int SO_BROADCAST = 6;
inline int SO_SNDBUF = 7;
inline int SO_RCVBUF = 8;
inline int SO_KEEPALIVE = 9;
inline int SO_OOBINLINE = 10;
inline int SO_PRIORITY = 12;
inline int SO_LINGER = 13;
inline int SO_REUSEPORT = 15;
inline int SO_RCVLOWAT = 18;
inline int SO_SNDLOWAT = 19;
inline int SO_RCVTIMEO = 20;
inline int SO_SNDTIMEO = 21;
inline int SO_ACCEPTCONN = 30;
inline int SO_PROTOCOL = 38;
inline int SO_DOMAIN = 39;
inline int SHUT_RD = 0;
inline int SHUT_WR = 1;
inline int SHUT_RDWR = 2;

inline int MSG_OOB = 1;
inline int MSG_PEEK = 2;
inline int MSG_DONTROUTE = 4;
inline int MSG_CTRUNC = 8;
inline int MSG_TRUNC = 0x20;
inline int MSG_DONTWAIT = 0x40;
inline int MSG_EOR = 0x80;
inline int MSG_WAITALL = 0x100;
inline int MSG_ERRQUEUE = 0x2000;
inline int MSG_NOSIGNAL = 0x4000;
inline int MSG_MORE = 0x8000;
inline int SOCK_CLOEXEC = 0x80000;
inline int SOCK_NONBLOCK = 0x800;

inline int INADDR_ANY = 0;
inline int INADDR_LOOPBACK = 0x7f000001;
inline uint32_t INADDR_BROADCAST = 0xffffffff;
