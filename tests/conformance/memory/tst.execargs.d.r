[/bin/sleep 0.01]

  /bin/sleep 0.01                                                   1
