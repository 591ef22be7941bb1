// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/caption.h"

#include "ui/offscreen/examples.h"
#include "ui/support/file_path.h"

#include <QFileInfo>

namespace vramscope {

Caption captionOf(const Document &document, const QString &path, ByteUnit unit)
{
    const QString file =
        path.isEmpty() || path == trustPath() ? QString() : shownPath(QFileInfo(path).fileName());
    return document.caption(documentTitle(path), file, unit);
}

} // namespace vramscope
