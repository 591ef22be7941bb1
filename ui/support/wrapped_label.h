// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include <map>

class QTextDocument;

namespace vramscope {

/// A QLabel whose text wraps, and is plain unless setTextFormat() says that it is HTML: a text that
/// is escaped, or comes from a file, is not to be guessed at. It lays the text out once for a
/// width: layouts ask for the height at the same width many times over, and QLabel begins anew each
/// time, a rich text several times in a row. Where the width that it would like is ignored, it does
/// not look for one, which takes a dozen layouts. Where its links are for keys, Tab comes to the
/// first of them, and passes over a text without one.
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
    void focusInEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] int measuredHeight(int width) const;
    /// The document of a rich or selectable text, laid out once for the width that the label has;
    /// null for any other text.
    const QTextDocument *laidOutDocument() const;
    [[nodiscard]] bool ignoresWidth() const;

    mutable QString m_measured;           // the text that the heights are of
    mutable std::map<int, int> m_heights; // by width
};

} // namespace vramscope
