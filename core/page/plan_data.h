// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/estimate/lifecycle.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// A part of the memory as a page shows it.
struct NamedColor
{
    std::string name;
    std::string color; ///< "#2767d3"
};

/// What a page divides into parts: a moment of a plan, a point of its step, a rank.
struct DividedMoment
{
    std::string name;
    struct Component
    {
        std::size_t part = 0; ///< of the colours
        Bytes bytes = 0;
        std::string name;
        std::string formula; ///< of a rank, how many blocks
        std::string source;
    };
    std::vector<Component> components;
};

/// Behind the name of the moment with most bytes.
inline constexpr std::string_view kAtPeak = " (peak)";

/// Moments in parts, as bars under each other or, where there are many, columns side by side.
struct DividedMemory
{
    std::string_view layout = "bars"; ///< or "columns"
    std::string_view subject;         ///< "Memory of each moment by part"
    std::string_view detail = "Formula";
    ByteUnit unit = ByteUnit::Binary;
    std::vector<NamedColor> parts;
    std::vector<DividedMoment> moments;
    std::vector<std::pair<std::size_t, std::string>> phases; ///< by their first moment
    std::size_t peak = 0;                                    ///< of the moments: shown first
    Bytes capacity = 0;                                      ///< 0: not known
    bool keepsPicture = false;                               ///< which shows something else
};

/// Moments as the document that a page answers from. README.md describes it.
[[nodiscard]] std::string dividedData(const DividedMemory &memory);

struct PlanDataOptions
{
    ByteUnit unit = ByteUnit::Binary;
    std::vector<NamedColor> parts; ///< in the order of Category, then what is outside the tensors
};

/// The moments of a plan's step, each part with its formula. Needs figures.
[[nodiscard]] std::string planData(const Estimate &estimate, const PlanDataOptions &options);

/// The components of a point of a step. A component that has the bytes of a moment has its formula;
/// of another one the formula says what it is at most.
[[nodiscard]] std::vector<DividedMoment::Component> componentsAt(const Estimate &estimate,
                                                                 const Lifecycle &lifecycle,
                                                                 const LifecyclePoint &point,
                                                                 ByteUnit unit);

} // namespace vramscope
