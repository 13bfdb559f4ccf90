asleep: clock 1, on CPU 1
awake: clock 1, on CPU 1

