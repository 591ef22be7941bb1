// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/output.h"

#include "core/base/output_file.h"
#include "ui/offscreen/examples.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFile>
#include <QFileInfo>

#include <vector>

namespace vramscope {

using namespace Qt::StringLiterals;

Result<void> keepInputs(const QString &name, const QStringList &inputs)
{
    std::vector<std::filesystem::path> files;
    for (const QString &input : inputs)
        files.push_back(nativePath(input));
    return keepInputs(nativePath(name), files);
}

QString writeOutput(const QString &name, QByteArrayView bytes, const QStringList &inputs)
{
    Result<void> written = keepInputs(name, inputs);
    if (written)
        written = writeOutput(nativePath(name),
                              {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return written ? QString() : u"%1: %2"_s.arg(name, toQString(written.error().text()));
}

Caption captionOf(const Document &document, const QString &path, ByteUnit unit)
{
    const QString file =
        path.isEmpty() || path == trustPath() ? QString() : shownPath(QFileInfo(path).fileName());
    return document.caption(documentTitle(path), file, unit);
}

} // namespace vramscope
