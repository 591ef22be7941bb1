// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

/// Documents that the program itself writes.
enum class OwnDocument {
    None,    ///< it is something else
    Plan,    ///< JSON with a "vramscope" of its own
    Session, ///< JSON with "vramscope": "session": the bookmarks of a recording
    Report,  ///< a page of HTML with the mark of report_mark.h
};

/// The kind of a text with this beginning, however it goes on, whole or damaged.
[[nodiscard]] OwnDocument ownDocument(std::string_view start);

} // namespace vramscope
