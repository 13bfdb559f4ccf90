42 kept

