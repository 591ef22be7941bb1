// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <vector>

namespace vramscope::test {

/// A value that the field may take and that is not its default.
inline FieldValue sampleValue(const Field &field)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return true;
    case FieldKind::Count:
    case FieldKind::Size:
        return static_cast<std::int64_t>(field.maximum) - 1;
    case FieldKind::Number:
        return (field.minimum + field.maximum) / 2 + 0.125;
    case FieldKind::Choice:
        return std::string(field.choices.back());
    case FieldKind::Choices:
        return TextList{std::string(field.choices.back()), std::string(field.choices.front())};
    case FieldKind::Counts:
        return CountList{3, static_cast<std::int64_t>(field.maximum)};
    case FieldKind::Texts:
        return TextList{"reserved_factor from rank \"0\", a; b.pickle", "größer"};
    case FieldKind::Text:
        return std::string("größer \"than\" a\\b\n");
    case FieldKind::Object:
        return std::string(R"({"z":1,"hidden_size":64,"a":{"x":[1,2.5,null,"é"]}})");
    }
    return {};
}

/// Values of types that the field does not take.
inline std::vector<FieldValue> otherValues(const Field &field)
{
    const FieldKind kind = field.kind;
    const bool whole = kind == FieldKind::Count || kind == FieldKind::Size;
    std::vector<FieldValue> values;
    if (kind != FieldKind::Switch)
        values.emplace_back(true);
    if (!whole && kind != FieldKind::Number)
        values.emplace_back(std::int64_t(1));
    if (kind != FieldKind::Number)
        values.emplace_back(1.5);
    if (kind != FieldKind::Text)
        values.emplace_back(std::string("no such thing"));
    if (kind != FieldKind::Choices && kind != FieldKind::Texts)
        values.emplace_back(TextList{"q"});
    if (kind != FieldKind::Counts)
        values.emplace_back(CountList{1});
    return values;
}

} // namespace vramscope::test
