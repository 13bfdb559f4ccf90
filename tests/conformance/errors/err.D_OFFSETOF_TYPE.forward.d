struct nobody_has_this;
BEGIN { x = offsetof(struct nobody_has_this, b); }
