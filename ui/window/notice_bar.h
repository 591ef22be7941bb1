// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace vramscope {

/// One line above a page about something that happened to its file, with one way to act on it.
class NoticeBar : public QFrame
{
    Q_OBJECT

public:
    explicit NoticeBar(QWidget *parent = nullptr);

    /// An empty action shows no button.
    void showNotice(const QString &text, const QString &action);
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void accepted();

private:
    QLabel *m_text = nullptr;
    QPushButton *m_action = nullptr;
};

} // namespace vramscope
