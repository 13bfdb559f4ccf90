#!/usr/sbin/dtrace -s
/* What programs receive from sockets of UNIX domain, as bytes: at most 128 of each call, and of recvmsg() those of its
   first buffer. SIZE is how many the call has received. Source: the system calls read(), recvfrom() and recvmsg(). */
#pragma D summary what programs receive from sockets of UNIX domain
#pragma D flag p process process only what this process receives
#pragma D flag n name string only what programs of this name receive
#pragma D example undump -n dbus-daemon -- what the bus of the desktop receives
#pragma D option quiet
#pragma D option switchrate=10hz

inline int AF_UNIX = 1;		/* include/linux/socket.h */
inline int S_IFMT = 0170000;	/* include/uapi/linux/stat.h */
inline int S_IFSOCK = 0140000;
inline int MOST = 128;

BEGIN { printf("%-20s %-16s %-8s %8s\n", "TIME", "COMMAND", "PID", "SIZE"); }

syscall::read:entry, syscall::recvfrom:entry, syscall::recvmsg:entry
/pid != $pid && (!$process || pid == $process) && ($name == "" || execname == $name) && getf(arg0) != NULL &&
    (getf(arg0)->f_inode->i_mode & S_IFMT) == S_IFSOCK &&
    ((struct socket *)getf(arg0)->private_data)->sk->__sk_common.skc_family == AF_UNIX/
{
	self->from = arg1;
	self->is_message = probefunc == "recvmsg";
}

/* The bytes are read when the call ends. */
syscall::recvmsg:return
/self->from && (int)arg1 > 0/
{
	this->message = (struct user_msghdr *)copyin(self->from, sizeof (struct user_msghdr));
	this->buffer = (struct iovec *)copyin((uintptr_t)this->message->msg_iov, sizeof (struct iovec));
	self->from = (uintptr_t)this->buffer->iov_base;
	self->most = this->buffer->iov_len;
}
syscall::read:return, syscall::recvfrom:return, syscall::recvmsg:return
/self->from && (int)arg1 > 0/
{
	this->size = self->is_message && arg1 > self->most ? self->most : arg1;
	this->size = this->size < MOST ? this->size : MOST;
	printf("%-20Y %-16S %-8d %8d", walltimestamp, execname, pid, arg1);
	tracemem(copyin(self->from, this->size), 128, this->size);
}
syscall::read:return, syscall::recvfrom:return, syscall::recvmsg:return { self->from = 0; }
