// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/engines/engine_version.h"

#include <charconv>

namespace vramscope {

std::optional<EngineVersion> engineVersion(std::string_view text)
{
    if (text.starts_with('v'))
        text.remove_prefix(1);
    EngineVersion version;
    int *const parts[] = {&version.major, &version.minor, &version.patch};
    std::size_t read = 0;
    for (int *part : parts) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *part);
        if (error != std::errc() || *part < 0)
            break;
        ++read;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (!text.starts_with('.'))
            break;
        text.remove_prefix(1);
    }
    // A build from a source tree without tags: its number says nothing of what is in it.
    const bool untagged = read == 2 && text.starts_with("dev") && version == EngineVersion{0, 1, 0};
    if (read < 2 || untagged)
        return std::nullopt;
    return version;
}

} // namespace vramscope
