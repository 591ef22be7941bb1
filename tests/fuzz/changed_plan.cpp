// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/changed_plan.h"

#include "core/catalog/catalogue.h"
#include "core/catalog/gpus.h"
#include "core/plan/field.h"
#include "core/settings/field_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope::fuzz {

namespace {

enum class Way { LeaveOut, Small, PowerOfTwo, Least, Most, Between, ThreeTimes, Odd };
constexpr std::size_t kWays = 8;

double numberFor(const Field &field, const Plan &plan, Way way, unsigned value)
{
    switch (way) {
    case Way::Small:
        return value;
    case Way::PowerOfTwo:
        return std::ldexp(1, static_cast<int>(value % 53));
    case Way::Least:
        return field.minimum;
    case Way::Most:
        return field.maximum;
    case Way::Between:
        return std::floor(field.minimum + (field.maximum - field.minimum) * value / 256);
    default: {
        const FieldValue now = effectiveValue(plan, field);
        const auto *whole = std::get_if<std::int64_t>(&now);
        const auto *real = std::get_if<double>(&now);
        const double number = whole ? static_cast<double>(*whole) : real ? *real : 1;
        return way == Way::ThreeTimes ? number * 3 : number + 1;
    }
    }
}

/// Of a field of text: a name of the catalogue, or what no one meant.
std::string textFor(const Field &field, Way way, unsigned value)
{
    if (way == Way::Odd)
        return "gr\xC3\xB6\xC3\x9F"
               "er <b>\"a\\b\"</b> \x1B[2J\n";
    if (field.path == FieldPath("hardware.gpu"))
        return gpuPresets()[value % gpuPresets().size()].name;
    const auto &models = catalogueModels();
    return models[(value * 7 + static_cast<unsigned>(way)) % models.size()].name;
}

FieldValue valueFor(const Field &field, const Plan &plan, Way way, unsigned value)
{
    const auto number = [&] { return numberFor(field, plan, way, value); };
    const auto whole = [&] {
        return static_cast<std::int64_t>(std::clamp(number(), -0x1p53, 0x1p53));
    };
    switch (field.kind) {
    case FieldKind::Switch:
        return value % 2 == 0;
    case FieldKind::Count:
    case FieldKind::Size:
        return whole();
    case FieldKind::Number:
        return way == Way::Small ? value / 16.0 : number();
    case FieldKind::Choice:
        return std::string(field.choices[value % field.choices.size()]);
    case FieldKind::Choices:
        return TextList{std::string(field.choices[value % field.choices.size()])};
    case FieldKind::Counts:
        return CountList{whole(), static_cast<std::int64_t>(value)};
    case FieldKind::Texts:
        return TextList{textFor(field, way, value)};
    case FieldKind::Text:
    case FieldKind::Object:
        return textFor(field, way, value);
    }
    return {};
}

} // namespace

Plan changedPlan(Plan plan, std::span<const std::uint8_t> changes)
{
    for (; changes.size() >= kChangeBytes; changes = changes.subspan(kChangeBytes)) {
        const Field &field = planFields()[changes[0] % planFields().size()];
        const Way way = static_cast<Way>(changes[1] % kWays);
        const FieldValue value =
            way == Way::LeaveOut ? FieldValue() : valueFor(field, plan, way, changes[2]);
        (void)setField(plan, field, value); // what is not allowed changes nothing
    }
    return plan;
}

} // namespace vramscope::fuzz
