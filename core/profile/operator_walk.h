// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

namespace vramscope {

/// The innermost operator that runs at moments of threads, asked in order of thread and time: one
/// pass over the operators in all.
class OperatorWalk
{
public:
    explicit OperatorWalk(const OperatorColumns &operators)
        : m_operators(operators)
    {
    }

    /// The row of the operator; kNoRow where none runs. An operator runs from its start on and no
    /// more at its end.
    [[nodiscard]] std::uint32_t innermost(std::uint32_t thread, std::int64_t time);

private:
    const OperatorColumns &m_operators;
    std::uint32_t m_next = 0;
    std::uint32_t m_open = kNoRow; // the innermost; its parents are open too
};

} // namespace vramscope
