#pragma once
// Expressions that are strings.

#include "d/lower/part.h"

namespace dt::d::lowering {

class Assignments;
class Capacities;
class Conditions;
class KernelStructures;
class NetworkAddresses;
class Objects;
class Parameters;
class StringSubroutines;
class StringValues;
class Variables;

class Strings : Part {
 public:
  Strings(Context& context, Parameters& parameters, Capacities& capacities,
          StringValues& string_values, Variables& variables, Conditions& conditions,
          StringSubroutines& string_subroutines, KernelStructures& kernel,
          NetworkAddresses& network_addresses, Objects& objects, Assignments& assignments)
      : Part(context),
        parameters_(parameters),
        capacities_(capacities),
        string_values_(string_values),
        variables_(variables),
        conditions_(conditions),
        string_subroutines_(string_subroutines),
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

  Parameters& parameters_;
  Capacities& capacities_;
  StringValues& string_values_;
  Variables& variables_;
  Conditions& conditions_;
  StringSubroutines& string_subroutines_;
  KernelStructures& kernel_;
  NetworkAddresses& network_addresses_;
  Objects& objects_;
  Assignments& assignments_;
};

}  // namespace dt::d::lowering
