// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace vramscope {

/// Previews an export: a picture as large as the room allows, or the first lines of a table.
class ExportPreview : public QWidget
{
    Q_OBJECT

public:
    explicit ExportPreview(QWidget *parent = nullptr);

    void show(const QImage &image);
    void show(const QString &text);
    [[nodiscard]] const QImage &image() const { return m_image; }
    [[nodiscard]] const QString &text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override { return {560, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 200}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QImage m_image;
    QString m_text; ///< if there is no picture
};

} // namespace vramscope
