# 12 "file.d" 1
#pragma D option defaultargs
pid$target::$1*:entry, profile:::tick-$2 /$$3 == "a"/ { $1; $2; $$9; trace($pid); }
