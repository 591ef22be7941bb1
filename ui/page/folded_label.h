// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/wrapped_label.h"

namespace vramscope {

/// A text of several lines, of which the first is shown; a link behind it shows the others.
class FoldedLabel : public WrappedLabel
{
    Q_OBJECT

public:
    /// The role is that of the style sheet: "dim", "warn" or "bad".
    explicit FoldedLabel(const QString &lines = {}, const QString &role = QStringLiteral("dim"));

    void setLines(const QString &lines);
    [[nodiscard]] QString lines() const { return m_lines; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();

    QString m_lines;
    bool m_unfolded = false;
};

} // namespace vramscope
