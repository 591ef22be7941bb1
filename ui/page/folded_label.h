// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace vramscope {

/// A text of several lines, of which the first is shown; a button next to it shows the others.
class FoldedLabel : public QWidget
{
    Q_OBJECT

public:
    /// The role is that of the style sheet: "dim", "warn" or "bad".
    explicit FoldedLabel(const QString &lines = {}, const QString &role = QStringLiteral("dim"));

    void setLines(const QString &lines);
    [[nodiscard]] QString lines() const { return m_lines; }

private:
    void refresh();

    QLabel *m_label;
    QPushButton *m_more = nullptr; ///< made when there is more
    QString m_lines;
    bool m_unfolded = false;
};

} // namespace vramscope
