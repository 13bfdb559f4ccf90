#pragma D option wombats=1
BEGIN { }
