# @@timeout: 60
"""The probes of PHP, which it has while USE_ZEND_DTRACE is set: functions, methods with their class, exceptions."""
from known import check, skip_without

skip_without("php8.2", "php8.2-cli")
SOURCE = """<?php
function inner($n) { return $n + 1; }
function outer($n) { return inner($n) + inner($n); }
class Known { function method() { return 1; } }
echo "ready\\n";
fgets(STDIN);
for ($i = 0; $i < 7; $i++) outer($i);
(new Known)->method();
try { throw new InvalidArgumentException("x"); } catch (Exception $e) {}
"""
PROGRAM = """
php$target:::function-entry, php$target:::function-return {
    @[probename, copyinstr(arg3), copyinstr(arg0), basename(copyinstr(arg1)), args[2]] = count();
}
php$target:::exception-thrown { @[probename, copyinstr(arg0), "", "", 0] = count(); }
END { printa("%s [%s] %s %s %d %@d\\n", @); }"""
WANTED = ["exception-thrown [InvalidArgumentException]   0 1", "function-entry [Known] method known.php 4 1",
          "function-entry [] inner known.php 2 14", "function-entry [] outer known.php 3 7",
          "function-return [Known] method known.php 4 1", "function-return [] inner known.php 2 14",
          "function-return [] outer known.php 3 7"]
check(["php8.2", "-n"], "known.php", SOURCE, PROGRAM, WANTED, USE_ZEND_DTRACE="1")
