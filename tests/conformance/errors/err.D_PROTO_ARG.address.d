BEGIN { copyinto(1, 2, 3); }
