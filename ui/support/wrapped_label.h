// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include <map>

namespace vramscope {

/// A QLabel whose text wraps. It lays the text out once for a width: layouts ask for the height at
/// the same width many times over, and QLabel begins anew each time. Where the width that it would
/// like is ignored, it does not look for one, which takes a dozen layouts.
class WrappedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(const QString &text = {}, QWidget *parent = nullptr);

    /// For a label that has a line of its own: it takes whatever width there is.
    void ignoreWidth();

    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] bool ignoresWidth() const;

    mutable QString m_measured;           // the text that the heights are of
    mutable std::map<int, int> m_heights; // by width
};

} // namespace vramscope
