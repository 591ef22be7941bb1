// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "core/session/session_json.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::string_view kEnding = ".vramscope.json";

} // namespace

bool looksLikeSession(std::string_view start)
{
    constexpr std::string_view kSpace = " \t\r\n";
    const auto skip = [&start, kSpace](std::string_view what) {
        start.remove_prefix(std::min(start.find_first_not_of(kSpace), start.size()));
        const bool there = start.starts_with(what);
        start.remove_prefix(there ? what.size() : 0);
        return there;
    };
    if (!skip("{"))
        return false;
    const std::size_t key = start.find("\"vramscope\"");
    start.remove_prefix(std::min(key, start.size()));
    return skip("\"vramscope\"") && skip(":") && skip("\"session\"");
}

std::filesystem::path sessionPath(const std::filesystem::path &recording)
{
    std::filesystem::path session = recording;
    session += kEnding;
    return session;
}

std::filesystem::path recordingPath(const std::filesystem::path &session)
{
    const std::string name = session.filename().string();
    if (!name.ends_with(kEnding) || name.size() == kEnding.size())
        return {};
    return session.parent_path() / name.substr(0, name.size() - kEnding.size());
}

Result<std::string> readSessionText(const std::filesystem::path &file)
{
    return readTextFile(file, kLongestSession);
}

} // namespace vramscope
