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

// How the table of fields is written: one row a field, typed by the members of Plan that lead to
// it and by its member of Settings. Only the fields_*.cpp include this.

namespace vramscope::rows {

struct Words
{
    FieldPath path;
    std::string_view label;
    std::string_view help;
};

struct Range
{
    double minimum;
    double maximum;
};

inline constexpr double kMaxBytes = 1e15;

/// The member that a chain of member pointers leads to.
template<auto First, auto... Rest>
constexpr auto &at(auto &object)
{
    if constexpr (sizeof...(Rest) == 0)
        return object.*First;
    else
        return at<Rest...>(object.*First);
}

template<auto... Path>
using Stored =
    typename std::remove_reference_t<decltype(at<Path...>(std::declval<Plan &>()))>::value_type;

template<class T>
FieldValue toValue(const T &value)
{
    if constexpr (std::is_enum_v<T>)
        return std::string(choiceText(value));
    else
        return value;
}

template<auto... Path>
FieldValue stated(const Plan &plan)
{
    const auto &member = at<Path...>(plan);
    return member ? toValue(*member) : FieldValue();
}

template<auto... Path>
void state(Plan &plan, const FieldValue &value)
{
    using T = Stored<Path...>;
    auto &member = at<Path...>(plan);
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
template<auto... Path>
bool isInRange(const Field &field, const Plan &plan)
{
    const auto &member = at<Path...>(plan);
    if (!member)
        return true;
    if constexpr (std::is_same_v<Stored<Path...>, CountList>)
        return std::ranges::all_of(
            *member, [&](std::int64_t count) { return field.allows(static_cast<double>(count)); });
    else
        return field.allows(static_cast<double>(*member));
}

inline constexpr std::int64_t kAlwaysThere = INT64_MIN;

/// A field that Settings hold as `Member`: what the plan states, else what `Rule` gives, else the
/// initialiser of the member. A rule is a function of the settings, or of the plan, that
/// usual_values.h declares. `Absent` means that there is no value.
template<auto Member, auto Rule, std::int64_t Absent>
struct Setting
{
    static constexpr bool kHasRule = !std::is_null_pointer_v<decltype(Rule)>;

    template<auto... Path>
    static constexpr void connect(Field &field)
    {
        field.take = &take<Path...>;
        if constexpr (kHasRule)
            field.derive = &derive<Path...>;
        field.inForce = &inForce;
    }

private:
    template<auto... Path>
    static void take(Settings &settings, const Plan &plan, const Settings &defaults)
    {
        if (const auto &member = at<Path...>(plan))
            settings.*Member = *member;
        else if constexpr (!kHasRule)
            settings.*Member = defaults.*Member;
    }

    template<auto... Path>
    static void derive(Settings &settings, const Plan &plan)
    {
        if (at<Path...>(plan))
            return;
        if constexpr (std::is_invocable_v<decltype(Rule), const Settings &>)
            settings.*Member = Rule(settings);
        else
            settings.*Member = Rule(plan);
    }

    static FieldValue inForce(const Settings &settings)
    {
        if constexpr (Absent != kAlwaysThere) {
            if (settings.*Member == Absent)
                return {};
        }
        return toValue(settings.*Member);
    }
};

template<auto Member, auto Rule = nullptr>
inline constexpr Setting<Member, Rule, kAlwaysThere> setting;
template<std::int64_t Absent, auto Member, auto Rule = nullptr>
inline constexpr Setting<Member, Rule, Absent> settingUnless;

/// A field that preset or config give where the plan does not: `value` reads it off the model.
struct OfModel
{
    FieldValue (*value)(const Settings &) = nullptr;

    template<auto... Path>
    constexpr void connect(Field &field) const
    {
        field.inForce = value;
    }
};

template<auto Member>
FieldValue memberOfModel(const Settings &settings)
{
    const bool known = settings.architecture.layers > 0;
    return known ? toValue(settings.architecture.*Member) : FieldValue();
}
template<auto Member>
inline constexpr OfModel ofModel{&memberOfModel<Member>};

/// A field that has no value where the plan states none.
inline constexpr OfModel ofPlanAlone;

template<auto... Path>
constexpr Field row(FieldKind kind, const Words &words, const auto &source,
                    const Condition &condition)
{
    Field field{.path = words.path, .label = words.label, .help = words.help, .kind = kind};
    field.condition = &condition;
    field.get = &stated<Path...>;
    field.set = &state<Path...>;
    source.template connect<Path...>(field);
    return field;
}

template<auto... Path>
constexpr Field toggle(const Words &words, const auto &source,
                       const Condition &condition = applies::always)
{
    return row<Path...>(FieldKind::Switch, words, source, condition);
}

template<auto... Path>
constexpr Field number(FieldKind kind, const Words &words, Range range, const auto &source,
                       const Condition &condition)
{
    Field field = row<Path...>(kind, words, source, condition);
    field.minimum = range.minimum;
    field.maximum = range.maximum;
    field.isInRange = &isInRange<Path...>;
    return field;
}

template<auto... Path>
constexpr Field count(const Words &words, Range range, const auto &source,
                      const Condition &condition = applies::always)
{
    return number<Path...>(FieldKind::Count, words, range, source, condition);
}

template<auto... Path>
constexpr Field counts(const Words &words, Range range, const auto &source,
                       const Condition &condition = applies::always)
{
    return number<Path...>(FieldKind::Counts, words, range, source, condition);
}

template<auto... Path>
constexpr Field size(const Words &words, const auto &source,
                     const Condition &condition = applies::always, double minimum = 0)
{
    return number<Path...>(FieldKind::Size, words, {minimum, kMaxBytes}, source, condition);
}

template<auto... Path>
constexpr Field real(const Words &words, Range range, const auto &source,
                     const Condition &condition = applies::always)
{
    return number<Path...>(FieldKind::Number, words, range, source, condition);
}

template<auto... Path>
constexpr Field choice(const Words &words, const auto &source,
                       const Condition &condition = applies::always)
{
    Field field = row<Path...>(FieldKind::Choice, words, source, condition);
    field.choices = choiceTexts<Stored<Path...>>;
    return field;
}

template<auto... Path>
constexpr Field oneOf(FieldKind kind, const Words &words, std::span<const std::string_view> choices,
                      const auto &source, const Condition &condition = applies::always)
{
    Field field = row<Path...>(kind, words, source, condition);
    field.choices = choices;
    return field;
}

template<auto... Path>
constexpr Field ofText(FieldKind kind, const Words &words,
                       const Condition &condition = applies::always)
{
    return row<Path...>(kind, words, ofPlanAlone, condition);
}

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
