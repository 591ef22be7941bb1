// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace vramscope {

/// A release of a serving engine, by its numbers alone: what follows them ("rc1", ".post1",
/// "+cu130") plans memory as the release does.
struct EngineVersion
{
    int major = 0;
    int minor = 0;
    int patch = 0;
    bool operator==(const EngineVersion &) const = default;
    [[nodiscard]] constexpr bool isNewerThan(const EngineVersion &other) const
    {
        if (major != other.major)
            return major > other.major;
        return minor != other.minor ? minor > other.minor : patch > other.patch;
    }
};

/// Reads "0.21.0", "v0.21", "0.6.4.post1"; nothing where the text names no release, as the
/// "0.1.dev20058" of a build from a source tree.
[[nodiscard]] std::optional<EngineVersion> engineVersion(std::string_view text);

/// The last of `releases`, which are in order and have a member `since`, that is no newer than
/// `version`; the first where the version is older than all.
template<class Release, std::size_t Count>
[[nodiscard]] const Release &releaseOf(const Release (&releases)[Count],
                                       const std::optional<EngineVersion> &version)
{
    const Release *found = &releases[0];
    for (const Release &release : releases)
        if (version && !release.since.isNewerThan(*version))
            found = &release;
    return *found;
}

} // namespace vramscope
