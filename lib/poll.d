/*
 * Events of poll(2) and epoll(7).
 */

inline int POLLIN = 1;
inline int POLLPRI = 2;
inline int POLLOUT = 4;
inline int POLLERR = 8;
inline int POLLHUP = 0x10;
inline int POLLNVAL = 0x20;
inline int POLLRDNORM = 0x40;
inline int POLLRDBAND = 0x80;
inline int POLLWRNORM = 0x100;
inline int POLLWRBAND = 0x200;
inline int POLLMSG = 0x400;
inline int POLLRDHUP = 0x2000;

inline int EPOLLIN = 1;
inline int EPOLLPRI = 2;
inline int EPOLLOUT = 4;
inline int EPOLLERR = 8;
inline int EPOLLHUP = 0x10;
inline int EPOLLRDNORM = 0x40;
inline int EPOLLRDBAND = 0x80;
inline int EPOLLWRNORM = 0x100;
inline int EPOLLWRBAND = 0x200;
inline int EPOLLMSG = 0x400;
inline int EPOLLRDHUP = 0x2000;
inline int EPOLLONESHOT = 0x40000000;
inline uint32_t EPOLLET = 0x80000000;
inline int EPOLL_CTL_ADD = 1;
inline int EPOLL_CTL_DEL = 2;
inline int EPOLL_CTL_MOD = 3;
