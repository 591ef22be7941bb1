// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/pptx.h"

#include <string>
#include <string_view>

namespace vramscope {

/// A text in the notation of XML; characters that XML cannot hold are left out.
[[nodiscard]] std::string xmlText(std::string_view text);

/// ppt/slides/slideN.xml. Its picture has the relations rId2 (pixels) and rId3 (vectors).
[[nodiscard]] std::string slideXml(const Slide &slide, const std::string &title);

/// What the notes of a slide hold: its speech, and what its table has no room for.
[[nodiscard]] std::string speechOf(const Slide &slide);
/// ppt/notesSlides/notesSlideN.xml: the speaker's notes.
[[nodiscard]] std::string notesXml(const Slide &slide);

} // namespace vramscope
