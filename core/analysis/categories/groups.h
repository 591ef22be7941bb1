// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/base/progress.h"

#include <string>
#include <vector>

namespace vramscope {

class Categories;
class Study;

/// The property by which allocations are grouped.
enum class GroupBy {
    Stack,
    Frame,      ///< the most telling frame of the stack
    SizeClass,  ///< powers of two of the rounded size; also separates the allocator's pools
    Category,   ///< Study::categories(); for others: keysByCategory()
    Stream,     ///< the CUDA stream
    Pool,       ///< the allocator's private pools
    Annotation, ///< the innermost range open at birth
    Step,       ///< the step of birth
    Metadata,   ///< the program's note on it; in a rehearsal the path of the module
};
inline constexpr std::size_t kGroupByCount = 9;

/// "stack", "frame", "size", "category", "stream", "pool", "annotation", "step", "metadata".
[[nodiscard]] std::string_view groupByName(GroupBy by);
[[nodiscard]] std::optional<GroupBy> groupByNamed(std::string_view name);

/// One group: a text for people, and the values that define it.
struct GroupKey
{
    std::string text;
    StackId stack = StackId::None; ///< for Stack its stack, else the first one found
};

/// A group for each allocation: dense numbers into `keys`, in the order of first occurrence.
struct Keys
{
    std::vector<std::uint32_t> of; ///< by allocation
    std::vector<GroupKey> keys;
};

/// Computes the groups of all allocations. Linear in the allocations and in the distinct stacks.
[[nodiscard]] Keys keysBy(GroupBy by, const Study &study);
/// Groups by the categories of custom rules.
[[nodiscard]] Keys keysByCategory(const Allocations &allocations, const Categories &categories);

/// The costs of each group of `keys`; they add up to the costs of all allocations.
[[nodiscard]] std::vector<Costs> costsByKey(const Keys &keys, const CostMeter &meter);

/// The costs of each stack by StackId (index 0: no stack recorded). `kept`, unless empty, has an
/// entry for each allocation: only nonzero ones count. All are 0 once `progress` asks to stop.
[[nodiscard]] std::vector<Costs> costsByStack(const Trace &trace, const CostMeter &meter,
                                              std::span<const std::uint8_t> kept = {},
                                              const Progress &progress = {});

/// For every frame, by FrameId, the costs of the stacks that contain it, counted once per stack
/// however often it recurs. Linear in the frames of the distinct stacks.
[[nodiscard]] std::vector<Costs> inclusiveCostsByFrame(const Trace &trace,
                                                       std::span<const Costs> byStack);

} // namespace vramscope
