#pragma once
// The page process gives up what it does not need, before it reads a byte of a client.

#include <functional>
#include <optional>
#include <string>

namespace dt::page {

// The owner of the files that the process would make: a user without privileges.
struct Account {
  unsigned uid = 0, gid = 0;
};
// The caller of sudo; otherwise the account without rights. Nothing if this process is not root: it
// keeps its account.
std::optional<Account> account_of_page();

// From here on it has no rights of root, no file of the machine, no other process, and 512 MB. The
// error says what could not be given up; then nothing may be served. `last_look` is called when it
// is an ordinary user already, and can still open files.
std::optional<std::string> give_up_rights(const std::function<void()>& last_look = {});

}  // namespace dt::page
