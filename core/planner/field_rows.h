// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/field.h"
#include "core/planner/settings.h"

#include <algorithm>
#include <optional>
#include <type_traits>

// How the table of fields is written: one row a field, typed by the members that lead to it. Only
// the fields_*.cpp include this.

namespace vramscope::rows {

using Resolved = FieldValue (*)(const Settings &);

struct Words
{
    std::string_view path;
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

/// A setting as it stands after resolve().
template<auto Setting>
FieldValue resolved(const Settings &settings)
{
    return toValue(settings.*Setting);
}

/// The same, where `Absent` means that there is no value.
template<auto Setting, std::int64_t Absent>
FieldValue resolvedUnless(const Settings &settings)
{
    return settings.*Setting == Absent ? FieldValue() : FieldValue(settings.*Setting);
}

/// A property of the model that preset or config gave.
template<auto Member>
FieldValue ofModel(const Settings &settings)
{
    const bool known = settings.architecture.layers > 0;
    return known ? toValue(settings.architecture.*Member) : FieldValue();
}

template<auto... Path>
constexpr Field row(FieldKind kind, const Words &words, Resolved inForce)
{
    Field field{.path = words.path, .label = words.label, .help = words.help, .kind = kind};
    field.get = &stated<Path...>;
    field.set = &state<Path...>;
    field.inForce = inForce;
    return field;
}

template<auto... Path>
constexpr Field toggle(const Words &words, Resolved inForce)
{
    return row<Path...>(FieldKind::Switch, words, inForce);
}

template<auto... Path>
constexpr Field number(FieldKind kind, const Words &words, Range range, Resolved inForce)
{
    Field field = row<Path...>(kind, words, inForce);
    field.minimum = range.minimum;
    field.maximum = range.maximum;
    return field;
}

template<auto... Path>
constexpr Field count(const Words &words, Range range, Resolved inForce)
{
    return number<Path...>(FieldKind::Count, words, range, inForce);
}

template<auto... Path>
constexpr Field counts(const Words &words, Range range, Resolved inForce)
{
    return number<Path...>(FieldKind::Counts, words, range, inForce);
}

template<auto... Path>
constexpr Field size(const Words &words, Resolved inForce, double minimum = 0)
{
    return number<Path...>(FieldKind::Size, words, {minimum, kMaxBytes}, inForce);
}

template<auto... Path>
constexpr Field real(const Words &words, Range range, Resolved inForce)
{
    return number<Path...>(FieldKind::Number, words, range, inForce);
}

template<auto... Path>
constexpr Field choice(const Words &words, Resolved inForce)
{
    Field field = row<Path...>(FieldKind::Choice, words, inForce);
    field.choices = choiceTexts<Stored<Path...>>;
    return field;
}

template<auto... Path>
constexpr Field oneOf(FieldKind kind, const Words &words, std::span<const std::string_view> choices,
                      Resolved inForce)
{
    Field field = row<Path...>(kind, words, inForce);
    field.choices = choices;
    return field;
}

template<auto... Path>
constexpr Field texts(const Words &words)
{
    return row<Path...>(FieldKind::Texts, words, nullptr);
}

template<auto... Path>
constexpr Field text(const Words &words)
{
    return row<Path...>(FieldKind::Text, words, nullptr);
}

} // namespace vramscope::rows

namespace vramscope {

// The parts of the table, in the order of the document.
[[nodiscard]] std::span<const Field> modelFields();    ///< name, workload, model, hardware
[[nodiscard]] std::span<const Field> parallelFields(); ///< parallel
[[nodiscard]] std::span<const Field> trainingFields(); ///< precision … loss
[[nodiscard]] std::span<const Field> servingFields();  ///< adapters, overheads, inference

} // namespace vramscope
