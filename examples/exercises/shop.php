<?php
// A small shop: each page calls functions that take different times.
class Cart {
  function total($n) { usleep(1000); return $n * price($n); }
}
function price($n) { $sum = 0; for ($i = 0; $i < 20000; $i++) $sum += $i % ($n + 1); return $sum; }
function list_page() { for ($i = 1; $i <= 5; $i++) price($i); return "list"; }
function cart_page() { return (new Cart)->total(3); }
function search_page() { usleep(20000); return "found"; }
$page = $_GET["page"] ?? "list";
echo $page === "cart" ? cart_page() : ($page === "search" ? search_page() : list_page());
