// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"
#include "core/settings/field_conditions.h"
#include "core/settings/settings.h"
#include "core/settings/usual_values.h"

#include <algorithm>
#include <optional>
#include <type_traits>

// How the table of fields is written: one row a field. Only the fields_*.cpp include this.
//
//     kBatch.count([](auto &f) { return &f.microBatch; }, "Micro-batch", "Sequences …", {1, 1e6},
//                  usually<usual::microBatch>, applies::anyTraining)
//
// The function picks the field of its group; the field's path, type and setting follow from there.
// The parts after the words, in any order, say what else is true of it.

namespace vramscope::rows {

struct Range
{
    double minimum;
    double maximum;
};

inline constexpr double kMaxBytes = 1e15;

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

/// What the setting is where the plan states nothing: a function of the settings, or of the plan,
/// that usual_values.h declares.
template<auto Rule>
struct Usually
{
};
template<auto Rule>
inline constexpr Usually<Rule> usually;

/// A number that means no value.
template<std::int64_t Number>
struct Unless
{
};
template<std::int64_t Number>
inline constexpr Unless<Number> unless;

/// A minimum other than that of the kind.
struct Least
{
    double minimum;
};

/// What settings hold of a field that is no member of them.
struct HeldAs
{
    FieldValue (*inForce)(const Settings &);
    void (*take)(Settings &, const Plan &, const Settings &defaults) = nullptr;
};

template<auto Member>
FieldValue memberOfModel(const Settings &settings)
{
    const bool known = settings.architecture.layers > 0;
    return known ? toValue(settings.architecture.*Member) : FieldValue();
}
/// A field that preset or config give where the plan does not.
template<auto Member>
inline constexpr HeldAs ofModel{&memberOfModel<Member>};

template<class>
constexpr void apply(Field &field, const Condition &condition)
{
    field.condition = &condition;
}
template<class>
constexpr void apply(Field &field, const Range &range)
{
    field.minimum = range.minimum;
    field.maximum = range.maximum;
}
template<class>
constexpr void apply(Field &field, const Least &least)
{
    field.minimum = least.minimum;
}
template<class>
constexpr void apply(Field &field, const HeldAs &held)
{
    field.inForce = held.inForce;
    field.take = held.take;
}
template<class Access, auto Rule>
constexpr void apply(Field &field, const Usually<Rule> &)
{
    field.take = &take<Access, false>;
    field.derive = &derive<Access, Rule>;
}
template<class Access, std::int64_t Number>
constexpr void apply(Field &field, const Unless<Number> &)
{
    field.inForce = &inForceUnless<Access, Number>;
}

/// Makes the rows of a group.
template<template<template<class> class> class Group, auto InPlan = nullptr,
         auto InSettings = nullptr>
struct Rows
{
    using View = std::string_view;

    template<class Member>
    static constexpr Field toggle(Member, View label, View help, const auto &...parts)
    {
        return row<Member>(FieldKind::Switch, label, help, parts...);
    }

    template<class Member>
    static constexpr Field count(Member, View label, View help, Range range, const auto &...parts)
    {
        return number<Member>(FieldKind::Count, label, help, range, parts...);
    }

    template<class Member>
    static constexpr Field counts(Member, View label, View help, Range range, const auto &...parts)
    {
        return number<Member>(FieldKind::Counts, label, help, range, parts...);
    }

    template<class Member>
    static constexpr Field size(Member, View label, View help, const auto &...parts)
    {
        return number<Member>(FieldKind::Size, label, help, {0, kMaxBytes}, parts...);
    }

    template<class Member>
    static constexpr Field real(Member, View label, View help, Range range, const auto &...parts)
    {
        return number<Member>(FieldKind::Number, label, help, range, parts...);
    }

    template<class Member>
    static constexpr Field choice(Member, View label, View help, const auto &...parts)
    {
        Field field = row<Member>(FieldKind::Choice, label, help, parts...);
        field.choices = choiceTexts<typename Of<Member>::Value>;
        return field;
    }

    /// One of `choices`, or a list out of them.
    template<class Member>
    static constexpr Field oneOf(Member, View label, View help, std::span<const View> choices,
                                 const auto &...parts)
    {
        const bool isList = std::is_same_v<typename Of<Member>::Value, TextList>;
        Field field =
            row<Member>(isList ? FieldKind::Choices : FieldKind::Choice, label, help, parts...);
        field.choices = choices;
        return field;
    }

    template<class Member>
    static constexpr Field text(Member, View label, View help, const auto &...parts)
    {
        return row<Member>(FieldKind::Text, label, help, parts...);
    }

    template<class Member>
    static constexpr Field texts(Member, View label, View help, const auto &...parts)
    {
        return row<Member>(FieldKind::Texts, label, help, parts...);
    }

    template<class Member>
    static constexpr Field object(Member, View label, View help, const auto &...parts)
    {
        return row<Member>(FieldKind::Object, label, help, parts...);
    }

private:
    template<class Member>
    using Of = Access<Group, InPlan, InSettings, Member>;

    template<class Member>
    static constexpr Field row(FieldKind kind, View label, View help, const auto &...parts)
    {
        Field field{FieldPath(Of<Member>::kPath.text), label, help, kind};
        field.condition = &applies::always;
        field.get = &get<Of<Member>>;
        field.set = &set<Of<Member>>;
        if constexpr (Of<Member>::kIsSetting) {
            field.take = &take<Of<Member>, true>;
            field.inForce = &inForce<Of<Member>>;
        }
        (apply<Of<Member>>(field, parts), ...);
        return field;
    }

    template<class Member>
    static constexpr Field number(FieldKind kind, View label, View help, Range range,
                                  const auto &...parts)
    {
        Field field = row<Member>(kind, label, help, range, parts...);
        field.isInRange = &isInRange<Of<Member>>;
        return field;
    }
};

/// Whether rows are those of the paths from `first` to `last`, in this order.
consteval bool areRowsOf(std::span<const Field> rows, FieldPath first, FieldPath last)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].path.index() != first.index() + i)
            return false;
    return rows.back().path == last;
}

} // namespace vramscope::rows

namespace vramscope {

// The parts of the table, in the order of the document.
[[nodiscard]] std::span<const Field> modelFields();    ///< name, workload, model, hardware
[[nodiscard]] std::span<const Field> parallelFields(); ///< parallel
[[nodiscard]] std::span<const Field> trainingFields(); ///< precision … loss
[[nodiscard]] std::span<const Field> servingFields();  ///< adapters, overheads, inference
[[nodiscard]] std::span<const Field> diffusionFields();
[[nodiscard]] std::span<const Field> rlFields();  ///< rl
[[nodiscard]] std::span<const Field> runFields(); ///< run

} // namespace vramscope
