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

/// Paints a view from the painter's origin, and its raster parts with `pixelRatio` pixels to each
/// length.
using Painting = std::function<void(QPainter &painter, double pixelRatio)>;

/// The caption around an exported view.
struct Caption
{
    QString title;
    QString capacity; ///< "NVIDIA H100 80GB, 79.2 GiB"; may be empty
    QString source;   ///< "run.pickle, PyTorch snapshot"
    QDateTime date;   ///< of the source
};

/// The figures of a view, the first `most` rows.
using Tabulation = std::function<Table(qsizetype most)>;

/// A view ready for export: its painting, its caption, and its figures.
struct ExportedView
{
    QSize size; ///< of the view, without the caption
    Painting paint;
    Tabulation table; ///< empty if the view has no table
    Caption caption;
    bool captioned = true; ///< whether the caption is painted too
    Theme theme;
};

enum class ViewFormat { Png, Svg, Pdf, Csv, Markdown, Json };

/// The ending of a file's name: "png", "svg", "pdf", "csv", "md" or "json".
[[nodiscard]] QString endingOf(ViewFormat format);
/// The format for the ending of a file's name; empty for any other ending.
[[nodiscard]] std::optional<ViewFormat> viewFormatOf(const QString &fileName);
[[nodiscard]] bool isPicture(ViewFormat format);

/// The size left for the view in a whole picture.
[[nodiscard]] QSize sizeWithin(QSize whole, bool captioned);

/// Pixels to each length for raster parts of a file of `scale`: in a vector file at least two.
[[nodiscard]] double pixelScale(ViewFormat format, double scale);

/// The exhibit as a picture, with `scale` pixels to each of its lengths.
[[nodiscard]] QImage image(const ExportedView &exhibit, double scale = 1);
/// The view alone as a picture.
[[nodiscard]] QImage image(const Painting &paint, QSize size, double scale = 1);
/// The exhibit as a file, with the same bytes every time. A table format is an error if the view
/// has no table. `scale` is that of PNG, and of the raster parts of SVG and PDF; a table has the
/// first `most` rows. `leftOut` receives how many rows were left out of a format that cannot record
/// it: CSV.
[[nodiscard]] Result<QByteArray> exported(const ExportedView &exhibit, ViewFormat format,
                                          double scale = 1, qsizetype most = kMostRows,
                                          qsizetype *leftOut = nullptr);

/// A note on a file without the whole table; empty if the table is complete.
[[nodiscard]] QString leftOutText(const QString &name, qsizetype leftOut);

} // namespace vramscope
