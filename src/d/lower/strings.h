#pragma once
// Expressions that are strings.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Assignments;
class KernelStructures;
class NetworkAddresses;
class Objects;

class Strings : UpperPart {
 public:
  Strings(const Core& core, KernelStructures& kernel, NetworkAddresses& network_addresses,
          Objects& objects, Assignments& assignments)
      : UpperPart(core),
        kernel_(kernel),
        network_addresses_(network_addresses),
        objects_(objects),
        assignments_(assignments) {}

  ValueId lower(const Expr* e);
  // One whose characters are needed: NULL is a fault.
  ValueId read(const Expr* e);

 private:
  ValueId call(const Expr* e);
  void not_null(ValueId is_there);

  KernelStructures& kernel_;
  NetworkAddresses& network_addresses_;
  Objects& objects_;
  Assignments& assignments_;
};

}  // namespace dt::d::lowering
