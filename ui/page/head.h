// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/page/layout.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

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

/// A text below the answer, of which the first line is shown and the others are a click away;
/// `tone` is its role in the style sheet: "dim", "warn" or "bad".
struct HeadNote
{
    QString text;
    QString tone = QStringLiteral("dim");
};

/// The head of a page: the answer, then the notes that explain or limit it, a paragraph each.
struct Head
{
    QString answer;
    std::vector<HeadNote> notes = {};
};

/// The strip at the top of a page that shows a Head.
class PageHead : public QWidget
{
    Q_OBJECT

public:
    /// The widget, unless null, stays to the right of the texts, at their top.
    explicit PageHead(const Head &head = {}, QWidget *beside = nullptr, int spacing = 4);

    void setAnswer(const QString &answer);
    [[nodiscard]] QString answer() const;
    /// Adds a part below the texts.
    void add(const LaidOut &part);

private:
    QLabel *m_answer;
    QVBoxLayout *m_texts;
};

} // namespace vramscope
