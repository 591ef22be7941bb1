// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/session.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace vramscope {

/// Reads a session document. Keys that are not known are kept where they are simple and left out
/// else; a known one of another type or beyond its bounds, and a document of a newer version, are
/// errors, so that nobody writes over what was not understood.
[[nodiscard]] Result<Session> parseSession(std::string_view json);

/// The document of a session, indented; parseSession() gives back the same session. Texts longer
/// than the bounds of session.h, and bookmarks beyond the most, are for the caller to keep away.
[[nodiscard]] std::string sessionJson(const Session &session);

/// Where the session of a recording lies: beside it, "x.pickle.vramscope.json" of "x.pickle".
[[nodiscard]] std::filesystem::path sessionPath(const std::filesystem::path &recording);
/// The recording whose session would lie there; empty where a session's name ends otherwise.
[[nodiscard]] std::filesystem::path recordingPath(const std::filesystem::path &session);

/// The text of a session document, whatever it holds.
[[nodiscard]] Result<std::string> readSessionText(const std::filesystem::path &file);

} // namespace vramscope
