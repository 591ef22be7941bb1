// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/session.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace vramscope {

/// Reads a session document. Unknown keys are kept if they are simple and left out otherwise; a
/// known one with another type or beyond its limits, and a document of a newer version, are errors,
/// so that content that was not understood is never overwritten.
[[nodiscard]] Result<Session> parseSession(std::string_view json);

/// The document of a session, indented; parseSession() gives back the same session. The caller must
/// avoid texts longer than the limits of session.h, and more bookmarks than it allows.
[[nodiscard]] std::string sessionJson(const Session &session);

/// The file of a recording's session: next to it, "x.pickle.vramscope.json" for "x.pickle".
[[nodiscard]] std::filesystem::path sessionPath(const std::filesystem::path &recording);
/// The recording of a session file; empty if the name has another ending.
[[nodiscard]] std::filesystem::path recordingPath(const std::filesystem::path &session);

/// The text of a session document, whatever its content.
[[nodiscard]] Result<std::string> readSessionText(const std::filesystem::path &file);

} // namespace vramscope
