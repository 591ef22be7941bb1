// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <optional>
#include <string>

namespace vramscope {

class BookmarkModel;

/// Keeps the bookmarks of an open recording, and the running order of its presentation, in the
/// session document next to it, which exists while there are any. Reads it at the start and when it
/// changes, writes it a moment after an edit; merges what somebody else changed meanwhile with the
/// edits, see merged(). A document that cannot be read or belongs to another recording stays
/// untouched: the bookmarks then stay in memory, and a notice explains it.
class SessionKeeper : public QObject
{
    Q_OBJECT

public:
    /// `recording`: its file; `bookmarks` lives longer than this.
    SessionKeeper(const QString &recording, BookmarkModel *bookmarks, QObject *parent = nullptr);
    /// Writes pending edits.
    ~SessionKeeper() override;

    void load();
    /// The running order, as last read or set.
    [[nodiscard]] const RunningOrder &order() const { return m_order; }
    /// Takes an edit, which is written a moment later.
    void setOrder(const RunningOrder &order);
    /// Uses the document although it was made for another recording.
    void takeNevertheless();
    /// Writes pending edits; returns whether all are written.
    bool flush();

Q_SIGNALS:
    /// One sentence for the user. `offer`: takeNevertheless() is one way to proceed.
    void noticed(const QString &text, bool offer);

private:
    struct Document
    {
        std::string text;
        Session session;
    };

    /// The document next to the recording; nothing if the file does not exist.
    [[nodiscard]] Result<std::optional<Document>> document() const;
    /// Updates the bookmarks from the file; returns false and notifies if they stay out of step.
    bool update();
    void take(const Document &document);
    /// Writes the bookmarks to the file, or returns an error.
    [[nodiscard]] Result<void> write();
    void tell(const QString &text, bool offer = false);
    void watch();

    QString m_name; ///< of the document
    std::filesystem::path m_file;
    std::string m_recording;
    std::int64_t m_recordingBytes;
    BookmarkModel *m_bookmarks;
    RunningOrder m_order;
    Session m_known;    ///< as last read or written
    std::string m_text; ///< its document; empty: no file
    bool m_anyRecording = false;
    bool m_unwritten = false;
    QString m_told; ///< the last notice, cleared when all is well again
    QTimer m_rest;  ///< runs while edits follow each other
    QTimer m_settled;
    QFileSystemWatcher m_watcher;
};

} // namespace vramscope
