// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace vramscope {

/// Whether an SQLite database is complete without the files that SQLite keeps next to it. Fails,
/// and explains how to merge them, if the write-ahead log (-wal) has pages that are newer than the
/// database, or a rollback journal (-journal) shows that a change was interrupted
/// (sqlite.org/fileformat2.html, sections 3 and 4). Neither file is merged here: a recording is
/// never written.
[[nodiscard]] Result<void> holdsAllRows(const std::filesystem::path &database);

} // namespace vramscope
