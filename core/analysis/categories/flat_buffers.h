// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/category_thresholds.h"
#include "core/analysis/steps/phases.h"

#include <cstdint>
#include <unordered_map>

namespace vramscope {

/// Buffers that a program makes once, before training, in place of a tensor for each parameter, as
/// DDP, ZeRO and distributed optimizers do. They are known by their size: the buffers of a stack
/// are together as large as all parameters alive then.
class FlatBuffers
{
public:
    /// `gradients`: the bytes of gradients that backward passes make; with them, no buffer takes
    /// their place.
    FlatBuffers(const Allocations &allocations, const Phases &phases, double gradients,
                const CategoryThresholds &thresholds);

    enum class Role : std::uint8_t { None, Parameters, Gradients, States };
    [[nodiscard]] Role of(AllocationIndex index) const;

private:
    std::unordered_map<AllocationIndex, Role> m_roles;
};

} // namespace vramscope
