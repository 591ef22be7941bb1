// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"

namespace vramscope {

/// What a text is by its looks: the name of a file, a document, a command line, or else words.
[[nodiscard]] AskedKind askedKind(std::string_view text);

} // namespace vramscope
