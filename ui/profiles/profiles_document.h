// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <memory>

namespace vramscope {

struct ProfileFolder;

/// The profiler traces of the ranks of a run, as a document of a tab.
[[nodiscard]] DocumentPointer profilesDocument(std::shared_ptr<const ProfileFolder> folder);

} // namespace vramscope
