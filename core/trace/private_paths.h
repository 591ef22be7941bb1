// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

/// The folders of a path and its last part, without empty parts; views of the path.
using Parts = std::vector<std::string_view>;
[[nodiscard]] Parts partsOf(std::string_view path);

/// Separators of Unix and of Windows.
[[nodiscard]] bool isSeparator(char c);

/// Sources and binaries belong to programs, data to people; other names may be folders.
enum class NamedFile { None, Program, Data };
[[nodiscard]] NamedFile namedFile(std::string_view name);

/// The prefixes of a person's name in folders that tools make.
inline constexpr std::array<std::string_view, 3> kAfterPerson{"pytest-of-", "torchinductor_",
                                                              "pymp-of-"};

/// The private part of a path: the folders before `end`, and in them perhaps a person's name.
struct PrivateFront
{
    std::size_t end = 0;
    std::optional<std::size_t> person; ///< if it is certainly one
    bool certain = true;               ///< otherwise only folders before a program's
};

/// The private folders of a path from the root, a drive or a share, or of one that leads through
/// home folders; nothing for paths of the system, relative ones and redacted ones.
[[nodiscard]] std::optional<PrivateFront> findPrivate(std::string_view path, const Parts &parts);

} // namespace vramscope
