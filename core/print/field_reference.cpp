// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/field_reference.h"

#include "core/base/format.h"
#include "core/plan/field.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

constexpr std::string_view kIntroduction =
    R"(# The plan document

A `.vramplan` file is one JSON object. `"vramscope": 1` and `model` must be there; every other field has a
default. A field that is not known is an error. Bytes and tokens are whole numbers. The window reads and
writes these files, `vramscope-cli plan FILE` answers them.

    {
      "vramscope": 1,
      "model": { "preset": "llama-3.1-8b" },
      "hardware": { "gpu": "h100-sxm-80gb" },
      "parallel": { "strategy": "fsdp2", "data": 8 },
      "batch": { "micro_batch": 1, "sequence_length": 8192 }
    }
)";

std::string valuesOf(const Field &field)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return "true, false";
    case FieldKind::Count:
        return "whole number";
    case FieldKind::Size:
        return "bytes";
    case FieldKind::Number:
        return "number";
    case FieldKind::Choice:
    case FieldKind::Choices: {
        std::string text = field.kind == FieldKind::Choices ? "list of " : "";
        for (const std::string_view choice : field.choices)
            text += (choice == field.choices.front() ? "" : ", ") + std::string(choice);
        return text;
    }
    case FieldKind::Counts:
        return "list of whole numbers";
    case FieldKind::Texts:
        return "list of texts";
    case FieldKind::Text:
        return "text";
    case FieldKind::Object:
        break;
    }
    return "object";
}

/// What a document that says nothing else has, or what decides it.
std::string defaultOf(const Field &field)
{
    if (field.derive)
        return "by other fields";
    if (!field.take && field.inForce)
        return "by the model";
    static const Settings kDefaults;
    const FieldValue value = field.inForce ? field.inForce(kDefaults) : FieldValue();
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const auto *count = std::get_if<std::int64_t>(&value))
        return std::to_string(*count);
    if (const auto *number = std::get_if<double>(&value))
        return formatNumber(*number);
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    if (const auto *list = std::get_if<TextList>(&value)) {
        std::string text;
        for (const std::string &one : *list)
            text += (text.empty() ? "" : ", ") + one;
        return text;
    }
    return "none";
}

std::string_view groupOf(std::string_view path)
{
    const std::size_t end = path.rfind('.');
    return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

std::string row(const Field &field)
{
    const std::string_view path = field.path;
    std::string text = "| `" + std::string(path) + "` | " + valuesOf(field) + " | " +
                       defaultOf(field) + " | " + std::string(field.help);
    if (!field.condition->because.subject.empty())
        text += " Only for " + std::string(field.condition->because.subject) + ".";
    return text + " |\n";
}

} // namespace

std::string fieldReference()
{
    std::vector<std::string_view> groups; // in the order of their first fields
    for (const Field &field : planFields())
        if (std::ranges::find(groups, groupOf(field.path)) == groups.end())
            groups.push_back(groupOf(field.path));
    std::string text(kIntroduction);
    for (const std::string_view group : groups) {
        text += "\n## " + std::string(group.empty() ? "The document" : group) +
                "\n\n| field | values | default | meaning |\n|---|---|---|---|\n";
        for (const Field &field : planFields())
            if (groupOf(field.path) == group)
                text += row(field);
    }
    return text;
}

} // namespace vramscope
