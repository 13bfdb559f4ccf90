enum e { A };
enum e { A };
BEGIN { exit(0); }
