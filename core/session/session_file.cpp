// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/session/session_json.h"

namespace vramscope {

namespace {

constexpr std::string_view kEnding = ".vramscope.json";

} // namespace

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
    return session.parent_path() / pathOf(name.substr(0, name.size() - kEnding.size()));
}

Result<std::string> readSessionText(const std::filesystem::path &file)
{
    return readTextFile(file, kLongestSession);
}

} // namespace vramscope
