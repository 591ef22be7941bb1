// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/trace/device_study.h"

#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

/// Something about a recording that its reader should know first.
struct Finding
{
    QString text;        ///< a few words
    QString explanation; ///< what it means and what to do
    bool bad = false;
    bool isFailure = false;          ///< an allocation failed: why has a place of its own
    std::optional<EventIndex> event; ///< the place it leads to
};

/// The findings of one device, the most important first; `study` may be null.
[[nodiscard]] std::vector<Finding> findings(const TraceDocument &document, std::size_t device,
                                            const DeviceStudy *study, ByteUnit unit);

} // namespace vramscope
