// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace vramscope {

/// Whether `a` comes before `b` in natural order: "rank2" before "rank10". Numbers of any length
/// are compared as numbers, all else byte by byte.
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

/// The regular files of a folder in natural order, without hidden ones; if it has no files, those
/// of the folders in it, one level down and no deeper, whatever links exist. An error if it is not
/// a folder or cannot be read.
[[nodiscard]] Result<std::vector<std::filesystem::path>>
filesOfFolder(const std::filesystem::path &folder);

/// The folders that filesOfFolder() does not read because their parent has files, in natural order,
/// without hidden ones.
[[nodiscard]] std::vector<std::filesystem::path> unreadFolders(const std::filesystem::path &folder);

} // namespace vramscope
