// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/export/table.h"
#include "ui/support/theme.h"

#include <QDateTime>
#include <QImage>
#include <QSize>
#include <QStringList>

#include <functional>
#include <optional>

class QPainter;

namespace vramscope {

/// Paints a view from the painter's origin; what it makes of pixels itself it makes with as many
/// of them to each length.
using Painting = std::function<void(QPainter &painter, double pixelRatio)>;

/// What stands around a view that leaves the window.
struct Caption
{
    QString title;
    QString capacity; ///< "NVIDIA H100 80GB, 79.2 GiB"; may be empty
    QString source;   ///< "run.pickle, PyTorch snapshot"
    QDateTime date;   ///< of the source
};

/// The figures of a view, the first `most` rows.
using Tabulation = std::function<Table(qsizetype most)>;

/// A view ready to leave the window: how it is painted, what stands around it, and its figures.
struct ExportedView
{
    QSize size; ///< of the view, without the caption
    Painting paint;
    Tabulation table; ///< may be empty
    Caption caption;
    bool captioned = true; ///< whether the caption is painted too
    Theme theme;
};

enum class ViewFormat { Png, Svg, Pdf, Csv, Markdown, Json };

/// The ending of a file's name: "png", "svg", "pdf", "csv", "md" or "json".
[[nodiscard]] QString endingOf(ViewFormat format);
/// By the ending of a file's name; none where it is another.
[[nodiscard]] std::optional<ViewFormat> viewFormatOf(const QString &fileName);
[[nodiscard]] bool isPicture(ViewFormat format);

/// The size that is left for a view of a whole picture.
[[nodiscard]] QSize sizeWithin(QSize whole, bool captioned);

/// Pixels to each length that what stays pixels has in a file of `scale`: among vectors no fewer
/// than two.
[[nodiscard]] double pixelScale(ViewFormat format, double scale);

/// The exhibit as a picture, `scale` pixels to each of its lengths.
[[nodiscard]] QImage image(const ExportedView &exhibit, double scale = 1);
/// The view alone.
[[nodiscard]] QImage image(const Painting &paint, QSize size, double scale = 1);
/// The exhibit as a file, the same bytes every time. A table where the view has none is an error.
/// `scale` is of PNG, and of what SVG and PDF keep as pixels; of a table the first `most` rows.
/// `leftOut` gets how many rows were left out of a file that cannot say so: of CSV.
[[nodiscard]] Result<QByteArray> exported(const ExportedView &exhibit, ViewFormat format,
                                          double scale = 1, qsizetype most = kMostRows,
                                          qsizetype *leftOut = nullptr);

/// What to tell of a file that is not the whole table; empty where it is.
[[nodiscard]] QString leftOutText(const QString &name, qsizetype leftOut);

} // namespace vramscope
