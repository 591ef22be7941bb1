// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/settings/field_access.h"
#include "core/settings/field_conditions.h"
#include "core/settings/field_tables.h"
#include "core/settings/usual_values.h"

#include <algorithm>
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

/// The titles of choices that no enumeration lists.
struct Titles
{
    std::span<const std::string_view> titles;
};

/// In the part of the form that folds.
struct Folded
{
};
inline constexpr Folded folded;

struct Unit
{
    std::string_view text;
};

inline constexpr auto kGiBs = static_cast<double>(kGiB);
inline constexpr auto kMiBs = static_cast<double>(kMiB);
inline constexpr double kLongest = 1 << 20; ///< tokens that a slider offers

[[nodiscard]] constexpr Slider linear(double low, double high, double step = 1)
{
    return {Slider::Scale::Linear, low, high, step};
}
[[nodiscard]] constexpr Slider powersOfTwo(double low, double high)
{
    return {Slider::Scale::PowersOfTwo, low, high};
}

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
constexpr void apply(Field &field, const Titles &titles)
{
    field.titles = titles.titles;
}
template<class>
constexpr void apply(Field &field, const Folded &)
{
    field.folded = true;
}
template<class>
constexpr void apply(Field &field, const Slider &slider)
{
    field.slider = slider;
}
template<class>
constexpr void apply(Field &field, const Unit &unit)
{
    field.unit = unit.text;
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

/// Makes the rows of a group. A member that is a list makes count() and text() rows of lists.
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
        const bool isList = std::is_same_v<typename Of<Member>::Value, CountList>;
        return number<Member>(isList ? FieldKind::Counts : FieldKind::Count, label, help, range,
                              parts...);
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
        field.titles = choiceTitles<typename Of<Member>::Value>;
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
        const bool isList = std::is_same_v<typename Of<Member>::Value, TextList>;
        return row<Member>(isList ? FieldKind::Texts : FieldKind::Text, label, help, parts...);
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

/// Whether rows are those of all fields of some groups, each once.
template<template<template<class> class> class... Groups>
consteval bool areRowsOf(std::span<const Field> rows)
{
    const auto paths = pathsOf<Groups...>();
    return rows.size() == paths.size() && std::ranges::all_of(paths, [&](std::string_view path) {
               return std::ranges::count(rows, path,
                                         [](const Field &row) { return row.path.text(); }) == 1;
           });
}

} // namespace vramscope::rows
