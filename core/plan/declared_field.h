// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_value.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>

// A field of a plan is declared once, as a member of a template over what holds it:
//
//     Holder<std::int64_t> microBatch = field<Holder>("micro_batch", 1);
//
// From this follow its member in Plan, which is empty where the document does not state the field;
// its member in Settings, which begins with its default; and its name in the list of paths.

namespace vramscope {

/// Holds a field in a Plan.
template<class T>
using IfStated = std::optional<T>;

/// Holds a field in Settings.
template<class T>
using InForce = T;

/// A name or a path, its characters in the value itself.
struct PathText
{
    char text[48] = {};
    // NOLINTNEXTLINE(google-explicit-constructor): it is a text
    constexpr operator std::string_view() const
    {
        const std::string_view all(text, sizeof(text));
        return all.substr(0, all.find('\0'));
    }
};
/// Holds the name of a field, without the prefix of its group.
template<class>
using Named = PathText;

/// What Settings hold of a field that is no setting: nothing.
struct NoSetting
{
    bool operator==(const NoSetting &) const = default;
};
template<template<class> class Holder, class T>
using StatedAlone = std::conditional_t<std::is_same_v<Holder<T>, T>, NoSetting, Holder<T>>;

/// What a field begins with, by its holder: the default that `usual` makes, nothing, or its name.
template<template<class> class Holder, std::size_t N>
[[nodiscard]] constexpr auto fieldFrom(const char (&name)[N], auto usual)
{
    static_assert(N <= sizeof(PathText));
    if constexpr (std::is_same_v<Holder<int>, PathText>) {
        PathText named;
        for (std::size_t i = 0; i < N; ++i)
            named.text[i] = name[i];
        return named;
    } else if constexpr (std::is_same_v<Holder<int>, int>) {
        return usual();
    } else {
        return std::nullopt;
    }
}

/// A field with its default.
template<template<class> class Holder, std::size_t N>
[[nodiscard]] constexpr auto field(const char (&name)[N], auto usual)
{
    return fieldFrom<Holder>(name, [&] { return usual; });
}
/// A field that begins empty, or one that is no setting.
template<template<class> class Holder, class T = NoSetting, std::size_t N>
[[nodiscard]] constexpr auto field(const char (&name)[N])
{
    return fieldFrom<Holder>(name, [] { return T(); });
}
/// A list of words.
template<template<class> class Holder, std::size_t N>
[[nodiscard]] constexpr auto field(const char (&name)[N],
                                   std::initializer_list<std::string_view> usual)
{
    return fieldFrom<Holder>(name, [&] { return TextList(usual.begin(), usual.end()); });
}

} // namespace vramscope
