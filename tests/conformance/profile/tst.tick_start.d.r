in time

