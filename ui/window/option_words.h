// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace vramscope {

/// Walks through the words of a command line: files, and options with a value that follows them
/// or is joined to them by "=". After "--" there are files alone.
class OptionWords
{
public:
    explicit OptionWords(QStringList words)
        : m_words(std::move(words))
    {
    }

    /// Goes on to the next file or option; false when there is none.
    bool next();
    [[nodiscard]] bool isFile() const { return m_isFile; }
    /// The file, or the name of the option; "-o" is "--out".
    [[nodiscard]] const QString &word() const { return m_word; }
    /// Whether a value is joined to the option.
    [[nodiscard]] bool isJoined() const { return m_joined.has_value(); }
    /// The value of the option, joined or the word that follows, which is passed; none where the
    /// words end.
    std::optional<QString> value();

private:
    QStringList m_words;
    qsizetype m_next = 0;
    bool m_onlyFiles = false;
    bool m_isFile = false;
    QString m_word;
    std::optional<QString> m_joined;
};

} // namespace vramscope
