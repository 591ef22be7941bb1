// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <memory>

namespace vramscope {

struct ProfileDocument;

/// A profiler trace as a document of a tab; `files` are those that it was made of where these are
/// more than the one that the tab names.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const ProfileDocument> profile,
                                     QStringList files = {});

} // namespace vramscope
