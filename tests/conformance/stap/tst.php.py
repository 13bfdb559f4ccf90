# @@timeout: 120
"""Points of PHP: functions, methods with their class, an exception, a file that is compiled, the end of the request."""
from programs import must_be, must_list, skip_without, start, trace

skip_without("php8.2", "php8.2-cli")
must_list("php.*.*", ["php.function.entry name:string funcname:string file:string line:long classname:string scope:string",
                      "php.request.startup name:string file:string uri:string request_method:string",
                      "php.exception.thrown name:string classname:string"])
SOURCE = """<?php
function inner($n) { return $n + 1; }
function outer($n) { return inner($n) + inner($n); }
class Known { function method() { return 1; } }
$other = __DIR__ . "/../other" . getmypid() . ".php";
file_put_contents($other, "<?php\\n");
echo "ready\\n";
fgets(STDIN);
for ($i = 0; $i < 7; $i++) outer($i);
(new Known)->method();
try { throw new InvalidArgumentException("x"); } catch (Exception $e) {}
include $other;
unlink($other);
"""
# The directory of the script is gone when it goes on: so the other file is beside it.
traced = start(["php8.2", "-n", "-d", "display_errors=0"], "known.php", SOURCE, USE_ZEND_DTRACE="1")
status, got = trace(traced, """
global n
function last:string(path:string) {
  while ((part = tokenize(path, "/")) != "") { path = "" end = part }
  return end
}
probe php.function.entry, php.function.return {
  if (pid() != target()) next
  if (isinstr(file, "/known.php") && funcname != "") n[name, classname . scope . funcname, line]++
}
probe php.exception.thrown, php.exception.caught { if (pid() == target()) n[name, classname, 0]++ }
probe php.compile.entry, php.compile.return { if (pid() == target()) n[name, isinstr(file, "/other") ? "other" : file, 0]++ }
probe php.request.shutdown { if (pid() == target()) n[name, last(file), 0]++ }
probe end { foreach ([a, b, c] in n) printf("%s %s %d %d\\n", a, b, c, n[a, b, c]) }""")
must_be(status, got, ["compile.entry other 0 1", "compile.return other 0 1", "exception.caught InvalidArgumentException 0 1",
                      "exception.thrown InvalidArgumentException 0 1", "function.entry Known::method 4 1",
                      "function.entry inner 2 14", "function.entry outer 3 7", "function.return Known::method 4 1",
                      "function.return inner 2 14", "function.return outer 3 7", "request.shutdown known.php 0 1"])
