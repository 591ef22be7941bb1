// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// The replacements for a person and a machine.
inline constexpr std::string_view kPerson = "user";
inline constexpr std::string_view kMachine = "host";

/// A name within a path that is certainly a person's.
struct PrivateName
{
    std::string_view name;
};

/// Calls `found` for each name of a person that the folders of `path` show: /home/NAME and its
/// equivalents on other systems, /tmp/pytest-of-NAME.
void forEachNameInPath(std::string_view path, const std::function<void(PrivateName)> &found);

/// `path` without home folder and without the folders before an environment or installed packages.
/// In other paths from the root, a drive or a share, outside the system's own folders, "~" replaces
/// the mount and the first folder below it, and at most three folders before the file stay.
[[nodiscard]] std::string shortenedPath(std::string_view path);

/// A shortened path without folders that are not words of programs, and without those before them.
[[nodiscard]] std::string publicPath(std::string_view path);
/// A path with "name" for such words in its file name, if it is a data file. Names of sources stay.
[[nodiscard]] std::string publicFileName(std::string_view path);

/// Whether `text` as a whole is a path, from its first byte.
[[nodiscard]] bool looksLikePath(std::string_view text);

/// Whether it begins like a web address, scheme://….
[[nodiscard]] bool isWebAddress(std::string_view text);

/// The first path within `text` from `from` on: start and length.
struct TextRange
{
    std::size_t start = 0;
    std::size_t length = 0;
};
[[nodiscard]] std::optional<TextRange> findPath(std::string_view text, std::size_t from);

/// Calls `found` for each word of free text that names a machine or a person: the value after
/// "host:" or "user=", the digits of an IPv4 address, a host name with its domain.
void forEachNameInProse(std::string_view text,
                        const std::function<void(std::string_view name, bool machine)> &found);

/// Calls `found` for each e-mail address: the parts before and after the '@'. In prose the machine
/// may be a single word.
void forEachAccount(
    std::string_view text, bool prose,
    const std::function<void(std::string_view name, std::string_view machine)> &found);

/// Whether many people share the name ("ubuntu", "data"), so that it reveals nothing elsewhere.
[[nodiscard]] bool isSharedName(std::string_view name);

/// A letter, a digit or part of a character beyond ASCII.
[[nodiscard]] bool isWordByte(char c);

} // namespace vramscope
