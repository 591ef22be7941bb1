// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/choice_words.h"
#include "core/plan/field.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <optional>
#include <type_traits>

// What a row of the table does with the member of its field.

namespace vramscope::rows {

template<class T>
FieldValue toValue(const T &value)
{
    if constexpr (std::is_enum_v<T>)
        return std::string(choiceText(value));
    else
        return value;
}

/// Leads to the field that `Member` picks of a group, in a plan and in settings. The group is their
/// member at `InPlan` and `InSettings`, or their base where that is null.
template<template<template<class> class> class Group, auto InPlan, auto InSettings, class Member>
struct Access
{
    using Value = typename std::remove_reference_t<decltype(*Member()(
        std::declval<Group<IfStated> &>()))>::value_type;
    static constexpr bool kIsSetting = !std::is_same_v<
        std::remove_reference_t<decltype(*Member()(std::declval<Group<InForce> &>()))>, NoSetting>;
    static constexpr PathText kPath = pathOf(Group<Named>::kPrefix, *Member()(kFieldNames<Group>));

    static auto &stated(auto &plan) { return *Member()(groupAt<InPlan>(plan)); }
    static auto &setting(auto &settings) { return *Member()(groupAt<InSettings>(settings)); }

private:
    template<auto Place>
    static auto &groupAt(auto &whole)
    {
        if constexpr (std::is_null_pointer_v<decltype(Place)>)
            return whole;
        else
            return whole.*Place;
    }
};

template<class Access>
FieldValue get(const Plan &plan)
{
    const auto &member = Access::stated(plan);
    return member ? toValue(*member) : FieldValue();
}

template<class Access>
void set(Plan &plan, const FieldValue &value)
{
    using T = typename Access::Value;
    auto &member = Access::stated(plan);
    if (std::holds_alternative<std::monostate>(value)) {
        member.reset();
    } else if constexpr (std::is_enum_v<T>) {
        const auto &texts = choiceTexts<T>;
        const auto found = std::ranges::find(texts, std::get<std::string>(value));
        member = static_cast<T>(found - texts.begin());
    } else {
        member = std::get<T>(value);
    }
}

/// Whether the numbers that a plan states are within the range of the row.
template<class Access>
bool isInRange(const Field &field, const Plan &plan)
{
    const auto &member = Access::stated(plan);
    if (!member)
        return true;
    if constexpr (std::is_same_v<typename Access::Value, CountList>)
        return std::ranges::all_of(
            *member, [&](std::int64_t count) { return field.allows(static_cast<double>(count)); });
    else
        return field.allows(static_cast<double>(*member));
}

template<class Access, bool OrDefault>
void take(Settings &settings, const Plan &plan, const Settings &defaults)
{
    if (const auto &member = Access::stated(plan))
        Access::setting(settings) = *member;
    else if constexpr (OrDefault)
        Access::setting(settings) = Access::setting(defaults);
}

template<class Access, auto Rule>
void derive(Settings &settings, const Plan &plan)
{
    if (Access::stated(plan))
        return;
    if constexpr (std::is_invocable_v<decltype(Rule), const Settings &>)
        Access::setting(settings) = Rule(settings);
    else
        Access::setting(settings) = Rule(plan);
}

/// An empty text is no value.
template<class Access>
FieldValue inForce(const Settings &settings)
{
    const auto &value = Access::setting(settings);
    if constexpr (std::is_same_v<typename Access::Value, std::string>)
        return value.empty() ? FieldValue() : FieldValue(value);
    else
        return toValue(value);
}

template<class Access, std::int64_t Number>
FieldValue inForceUnless(const Settings &settings)
{
    const auto value = Access::setting(settings);
    return value == Number ? FieldValue() : FieldValue(value);
}

} // namespace vramscope::rows
