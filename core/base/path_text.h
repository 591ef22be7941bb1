// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Text is UTF-8 everywhere in the program. Paths are made of text here: where the system has paths
// of wide characters, the constructor of path takes bytes for another encoding.
namespace vramscope {

/// Never fails: where the system's paths are text, what is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::filesystem::path pathOf(std::string_view text);

[[nodiscard]] inline std::vector<std::filesystem::path> pathsOf(std::span<const std::string> texts)
{
    std::vector<std::filesystem::path> paths;
    for (const std::string &text : texts)
        paths.push_back(pathOf(text));
    return paths;
}

[[nodiscard]] std::string utf8Of(std::wstring_view wide);

/// The text of a path, without a copy if paths have bytes.
template<class Path>
[[nodiscard]] decltype(auto) utf8(const Path &path)
{
    if constexpr (std::is_same_v<typename Path::value_type, char>)
        return path.native();
    else
        return utf8Of(path.native());
}

/// Whether its text leads back to it: names on Windows may have halves of characters.
template<class Path>
[[nodiscard]] bool hasText(const Path &path)
{
    if constexpr (std::is_same_v<typename Path::value_type, char>)
        return true;
    else
        return pathOf(utf8(path)) == path;
}

} // namespace vramscope
