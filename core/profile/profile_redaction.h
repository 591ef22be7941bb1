// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/profile/profiler_tables.h"
#include "core/trace/redaction.h"

#include <memory>

namespace vramscope {

/// Gathers the names of people and machines in every text of a profile.
void gatherNames(Redaction &names, const Profile &profile);

/// A copy of a profile with all its texts rewritten; every id, and so every figure, stays what it
/// was.
[[nodiscard]] std::shared_ptr<const Profile> redacted(const Profile &profile,
                                                      const Redaction &names);

/// The same of the texts of tables: titles, names of columns, cells and problems.
void gatherNames(Redaction &names, const ProfilerTables &tables);
[[nodiscard]] std::shared_ptr<const ProfilerTables> redacted(const ProfilerTables &tables,
                                                             const Redaction &names);

} // namespace vramscope
