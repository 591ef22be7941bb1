// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>

class QLabel;

namespace vramscope {

class ElidedLabel;

/// The page in place of a document that cannot be used: the file, one sentence on what is wrong and
/// what to do, the details, and the next actions.
class ErrorPage : public QWidget
{
    Q_OBJECT

public:
    explicit ErrorPage(QWidget *parent = nullptr);

    /// `path` is empty for several files; then the error names the one at fault.
    void showError(const QString &path, const Error &error);
    /// The sentence shown.
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void otherFileWanted();
    void retryWanted();
    void closeWanted();

private:
    QLabel *m_title = nullptr;
    QLabel *m_sentence = nullptr;
    ElidedLabel *m_place = nullptr;
    QLabel *m_details = nullptr;
};

} // namespace vramscope
