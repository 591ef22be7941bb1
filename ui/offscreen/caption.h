// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/document/document.h"
#include "ui/export/exported_view.h"

namespace vramscope {

/// The caption around a picture of a document: its title, the capacity it is compared with, and its
/// source. `path` is that of the document, or empty; sets no date.
[[nodiscard]] Caption captionOf(const Document &document, const QString &path, ByteUnit unit);

} // namespace vramscope
