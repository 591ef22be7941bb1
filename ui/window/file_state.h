// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace vramscope {

/// Identifies a state of a file: when it was written, and its size.
struct FileState
{
    QDateTime time;
    qint64 size = -1; ///< below 0: there is no such file, or nothing is known of it

    [[nodiscard]] static FileState of(const QString &path);
    [[nodiscard]] bool known() const { return size >= 0; }
    /// As text, for a file, and back; of any other text nothing is known.
    [[nodiscard]] QString text() const;
    [[nodiscard]] static FileState from(const QString &text);
    bool operator==(const FileState &) const = default;
};

} // namespace vramscope
