lib usr usr / .
/usr / . / .
/a a/b
/a/c /b /a/
/a/.b/..c/... ../a/. /

