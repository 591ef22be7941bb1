// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// What replaces a credential, a number that identifies one thing, and any other private word.
inline constexpr std::string_view kSecret = "secret";
inline constexpr std::string_view kIdentity = "id";
inline constexpr std::string_view kName = "name";

[[nodiscard]] constexpr bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A private part of a text, its replacement, and where the search goes on.
struct PrivateKey
{
    std::string_view part;
    std::string_view by;
    std::size_t next = 0;
};

/// The credential or identity that begins at `at`, the start of a word, recognised by its form
/// alone: keys with the known prefixes of services, PEM blocks, values after "Bearer" and the like,
/// UUIDs, serial numbers, accounts in "arn:aws:", long hexadecimal numbers, and long words in which
/// letters of both cases and digits alternate as in random text. Otherwise an empty part.
[[nodiscard]] PrivateKey privateKeyAt(std::string_view text, std::size_t at);

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

/// Calls `found` for each part of a text whose form shows that it is private, with its replacement:
/// in web addresses the account, the machine and unknown folders; keys of services and values after
/// "token=" and the like; in prose also addresses of networks and network cards, accounts with
/// their numbers, the path after "git@host:", and values of the environment without a known word.
/// Parts may overlap; among those that begin together the first reported counts.
void forEachToken(std::string_view text, bool prose,
                  const std::function<void(std::string_view part, std::string_view by)> &found);

} // namespace vramscope
