// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_versions.h"

namespace vramscope {

LogAge vllmAge(const ServingLog &log, const EngineVersion &change)
{
    if (const auto stated = engineVersion(log.version))
        return change.isNewerThan(*stated) ? LogAge::Before : LogAge::AtLeast;
    const auto from = engineVersion(log.versionFrom);
    if (from && !change.isNewerThan(*from))
        return LogAge::AtLeast;
    const auto to = engineVersion(log.versionTo);
    return to && change.isNewerThan(*to) ? LogAge::Before : LogAge::Unknown;
}

} // namespace vramscope
