// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/document/document.h"
#include "ui/export/exported_view.h"

namespace vramscope {

/// What stands around a picture of a document: its title, the capacity that it is about, and where
/// it comes from. `path` is that of the document, or empty; there is no date yet.
[[nodiscard]] Caption captionOf(const Document &document, const QString &path, ByteUnit unit);

} // namespace vramscope
