// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_input.h"

#include "core/base/path_text.h"
#include "core/readers/read_trace.h"

#include <filesystem>
#include <utility>
#include <variant>

namespace vramscope::cli {

Result<std::shared_ptr<const Profile>> readProfile(const std::string &file)
{
    return profileIn(readRecording(pathOf(file)));
}

Result<std::shared_ptr<const Profile>> profileIn(Result<Recording> recording)
{
    if (!recording.ok())
        return recording.error();
    if (auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording))
        return std::move(*profile);
    if (std::holds_alternative<std::shared_ptr<const ProfilerTables>>(*recording))
        return Error{ErrorCode::OtherContent,
                     "is a table of a profiler and no trace; vramscope-cli profile FILE shows it"};
    return Error{ErrorCode::OtherContent, "is no profiler trace; vramscope-cli trace reads it"};
}

std::string nameOf(const std::string &file)
{
    std::filesystem::path path = pathOf(file);
    if (!path.has_filename())
        path = path.parent_path(); // of "folder/"
    return path.filename().string();
}

} // namespace vramscope::cli
