// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include <map>

class QTextDocument;

namespace vramscope {

/// A QLabel whose text wraps, and is plain unless setTextFormat() declares it HTML: the format of
/// escaped text, or text from a file, must not be guessed. It lays the text out once for a width:
/// layouts ask for the height at the same width many times over, and QLabel starts again each time,
/// for rich text several times in a row. If its preferred width is ignored, it skips the search for
/// one, which takes a dozen layouts. If its links are reachable by keyboard, Tab focuses the first
/// of them, and passes over a text without links.
class WrappedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(const QString &text = {}, QWidget *parent = nullptr);

    /// For a label on a line of its own: it takes whatever width there is.
    void ignoreWidth();

    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] int measuredHeight(int width) const;
    /// The document of a rich or selectable text, laid out once for the label's current width; null
    /// for any other text.
    const QTextDocument *laidOutDocument() const;
    [[nodiscard]] bool ignoresWidth() const;

    mutable QString m_measured;           // the text of m_heights
    mutable std::map<int, int> m_heights; // by width
};

} // namespace vramscope
