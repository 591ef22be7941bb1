// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace vramscope {

/// One line above a page about something that happened to its file, with one way to act on it.
class NoticeBar : public QFrame
{
    Q_OBJECT

public:
    explicit NoticeBar(QWidget *parent = nullptr);

    /// An empty action shows no button; otherwise the button calls `run`.
    void showNotice(const QString &text, const QString &action, std::function<void()> run = {});
    [[nodiscard]] QString text() const;

private:
    QLabel *m_text = nullptr;
    QPushButton *m_action = nullptr;
    std::function<void()> m_run;
};

} // namespace vramscope
