// See parameter_names.h.

#include "provider/mechanism/parameter_names.h"

namespace dt::provider {

std::vector<std::string> parameter_names(const types::Catalog& types, const std::string& function,
                                         const std::string& module, std::size_t first) {
  const auto object = types.find_object(function, module);
  if (!object || types.resolved(object->type).kind != types::Kind::kFunction) return {};
  const std::vector<types::Member>& parameters = types.resolved(object->type).members;
  std::vector<std::string> names;
  for (std::size_t i = first; i < parameters.size(); ++i) names.push_back(parameters[i].name);
  return names;
}

}  // namespace dt::provider
