/* Names of the libraries, without anything that asks for them. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", ENOENT, SIGKILL, O_CREAT, CLD_KILLED);
	printf("%d %d %d\n", IPPROTO_TCP, TH_SYN | TH_ACK, TCP_STATE_LISTEN);
	printf("%s %s\n", tcp_state_string[TCP_STATE_ESTABLISHED], tcp_state_string[99]);
	printf("%d %d %d\n", true, false, B_READ);
	exit(0);
}
