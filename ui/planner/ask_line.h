// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/suggestions.h"

#include <QLineEdit>

class QCompleter;
class QStandardItemModel;

namespace vramscope {

/// A line for words of the grammar: while one is typed it offers what it may become, which Tab, a
/// click, or Enter on a chosen one takes. A click into the line selects what stood in it.
class AskLine : public QLineEdit
{
    Q_OBJECT

public:
    explicit AskLine(QWidget *parent = nullptr);

Q_SIGNALS:
    /// Enter, and not on a name that is offered.
    void submitted();

protected:
    bool event(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    void offer();
    void take(const QModelIndex &name);
    [[nodiscard]] bool offers() const;

    QStandardItemModel *m_names;
    QCompleter *m_completer;
    AskSuggestions m_suggestions;
    bool m_clicked = false; ///< the press that is under way has brought the focus
};

} // namespace vramscope
