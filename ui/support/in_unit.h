// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

namespace vramscope {

/// A view that shows sizes in a unit.
class InUnit
{
public:
    void setUnit(ByteUnit unit)
    {
        m_unit = unit;
        takeUnit();
    }

protected:
    ~InUnit() = default;

    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    /// Shows what it shows in the unit, which is another now.
    virtual void takeUnit() = 0;

    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
