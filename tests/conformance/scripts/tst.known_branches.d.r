abc
T
U
V
W
end

