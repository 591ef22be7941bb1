// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/serving_fields.h"
#include "core/plan/training_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>

namespace vramscope {

/// A group whose members hold the names of its fields.
template<template<template<class> class> class Group>
inline constexpr Group<Named> kFieldNames{};

[[nodiscard]] constexpr PathText pathOf(std::string_view prefix, const PathText &name)
{
    PathText path;
    const auto end = std::ranges::copy(prefix, path.text).out;
    std::ranges::copy(std::string_view(name), end);
    return path;
}

/// The paths of the fields of some groups, in the order of their declarations: a group of names is
/// nothing but names, one after the other.
template<template<template<class> class> class... Groups>
[[nodiscard]] consteval auto pathsOf()
{
    std::array<PathText, (sizeof(Groups<Named>) + ...) / sizeof(PathText)> paths;
    auto *next = paths.data();
    const auto add = [&](std::string_view prefix, const auto &names) {
        for (const PathText &name : names)
            *next++ = pathOf(prefix, name);
    };
    (add(Groups<Named>::kPrefix,
         std::bit_cast<std::array<PathText, sizeof(Groups<Named>) / sizeof(PathText)>>(
             kFieldNames<Groups>)),
     ...);
    return paths;
}

/// The paths of all fields, in the order of the document.
inline constexpr auto kFieldPaths =
    pathsOf<JobFields, ModelFields, HardwareFields, ParallelFields, PrecisionFields,
            OptimizerFields, BatchFields, ActivationFields, LossFields, AdapterFields,
            OverheadFields, InferenceFields, DiffusionFields, RlFields, RunFields>();

/// A field, named by its path in the document. The compiler looks the path up: one that no field
/// has is an error where it is written.
class FieldPath
{
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a literal stands for its field
    consteval FieldPath(const char *path)
        : m_index(indexOf(path))
    {
    }

    [[nodiscard]] constexpr std::string_view text() const { return kFieldPaths[m_index]; }
    // NOLINTNEXTLINE(google-explicit-constructor): it is a text
    constexpr operator std::string_view() const { return text(); }
    /// Its place in kFieldPaths, and the row's in planFields().
    [[nodiscard]] constexpr std::size_t index() const { return m_index; }

    bool operator==(const FieldPath &) const = default;

private:
    static consteval std::size_t indexOf(std::string_view path)
    {
        std::size_t index = 0;
        while (kFieldPaths.at(index) != path) // at() does not compile beyond the last path
            ++index;
        return index;
    }

    std::size_t m_index;
};

/// Whether a field is in a group, "model".
[[nodiscard]] constexpr bool isOfGroup(FieldPath field, std::string_view group)
{
    const std::string_view path = field;
    return path.starts_with(group) && path.substr(group.size()).starts_with('.');
}

} // namespace vramscope
