/* @@options: -q */
enum color { RED, GREEN = 5 };

string s;
int8_t small;
uint64_t wide;
enum color green;

BEGIN
{
	s = "say \"hi\"\n";
	small = -1;
	wide = 0xddd5;
	print((char)'a');
	print(-1);
	print(0);
	print(small);
	print(wide);
	print((void *)0x1234);
	print(s);
	print("literal");
	print((enum color)5);
	print((enum color)7);
	print(probename);
	print(curthread->comm);
	print(curthread->pid == tid);
	print((char)curthread->comm[0]);
	exit(0);
}
