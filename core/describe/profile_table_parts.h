// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/timeline_rows.h"
#include "core/table/table.h"

#include <cstdint>

// Cells and targets that the tables of a profile share.

namespace vramscope {

/// A value that was not recorded is not 0, though documents have it so.
[[nodiscard]] inline DataTable::Cell recorded(bool isRecorded, std::int64_t value)
{
    DataTable::Cell cell(value);
    cell.isKnown = isRecorded;
    return cell;
}

/// A row that leads to an event.
[[nodiscard]] inline DataTable::Target eventTarget(EventKind kind, std::uint32_t at)
{
    return {.kind = at == kNoRow ? -1 : static_cast<int>(kind), .at = at};
}

/// The same, and the name that its first column has.
[[nodiscard]] inline DataTable::Target nameTarget(DataTable::Target target, EventKind kind,
                                                  StringId name)
{
    target.named = static_cast<int>(kind);
    target.name = static_cast<std::uint64_t>(name);
    return target;
}

} // namespace vramscope
