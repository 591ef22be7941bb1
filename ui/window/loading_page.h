// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace vramscope {

/// "about 12 s left" from the time taken so far and the share done; empty while a guess would be
/// idle (too early, or nothing done yet).
[[nodiscard]] QString timeLeftText(qint64 elapsedMilliseconds, double share);

/// The page of a tab while its document is read: the file, the progress, the time left, and Cancel.
/// Stays blank for the first moment, so that a quick file does not flicker.
class LoadingPage : public QWidget
{
    Q_OBJECT

public:
    explicit LoadingPage(QWidget *parent = nullptr);

    void start(const QString &title);
    void setProgress(double share);

Q_SIGNALS:
    void cancelled();

private:
    QWidget *m_content = nullptr;
    QLabel *m_title = nullptr;
    QProgressBar *m_bar = nullptr;
    QLabel *m_text = nullptr;
    QElapsedTimer m_since;
};

} // namespace vramscope
