// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/json_writer.h"

#include <nlohmann/json.hpp>

namespace vramscope::test {

namespace {

using Json = nlohmann::ordered_json;

Json converted(const Py &value);

struct Converter
{
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const { return value; }
    Json operator()(const std::string &value) const { return value; }
    Json operator()(const Py::Long &) const { return nullptr; }
    Json operator()(const Py::Raw &) const { return nullptr; }
    Json operator()(const std::shared_ptr<const Py::Node> &node) const
    {
        const bool isDict = node->container == Py::Container::Dict;
        Json json = isDict ? Json::object() : Json::array();
        for (std::size_t at = 0; at < node->items.size(); ++at) {
            if (!isDict) {
                json.push_back(converted(node->items[at]));
                continue;
            }
            const Json key = converted(node->items[at]);
            json[key.get<std::string>()] = converted(node->items[++at]);
        }
        return json;
    }
};

Json converted(const Py &value)
{
    return std::visit(Converter(), value.content());
}

} // namespace

std::string json(const Py &value)
{
    return converted(value).dump();
}

} // namespace vramscope::test
