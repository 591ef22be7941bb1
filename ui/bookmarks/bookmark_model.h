// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QAbstractListModel>

#include <functional>
#include <vector>

class QUndoStack;

namespace vramscope {

/// The bookmarks of one recording as a list, every edit one step of a history. Independent of any
/// file: whoever saves them follows edited().
class BookmarkModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        NoteRole = Qt::UserRole,
        PlaceRole,
    };

    /// Describes the place of a bookmark in a few words: "Reserved · event 12,345".
    using PlaceText = std::function<QString(const Bookmark &)>;

    /// Without a text for places they are not described.
    explicit BookmarkModel(PlaceText placeText, QObject *parent = nullptr);
    ~BookmarkModel() override;

    [[nodiscard]] const std::vector<Bookmark> &bookmarks() const { return m_bookmarks; }
    [[nodiscard]] QUndoStack *undoStack() const { return m_undo; }
    /// Takes another list, which is not an edit: clears the history.
    void setBookmarks(std::vector<Bookmark> bookmarks);

    // Edits. Names and notes are cut to the length that a document can store.
    /// Returns false if a document can store no more.
    bool append(Bookmark bookmark);
    void remove(int row);
    /// An empty name changes nothing.
    void rename(int row, const QString &name);
    /// Consecutive notes of one row are one step until endGesture().
    void setNote(int row, const QString &note);
    void endGesture() { ++m_gesture; }
    /// Moves a row to position `to`.
    void move(int row, int to);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    /// Moves one row by drag: before the row `destination`.
    bool moveRows(const QModelIndex &from, int row, int count, const QModelIndex &to,
                  int destination) override;

Q_SIGNALS:
    /// The user changed the list, also by undo and redo.
    void edited();
    /// This row was added, changed or moved.
    void rowTouched(int row);

private:
    friend class BookmarkCommand;

    [[nodiscard]] bool has(int row) const { return 0 <= row && row < rowCount(); }
    void push(const QString &text, std::vector<Bookmark> after, int row, int merges = 0);
    /// Shows the list, with only dataChanged() if no row was added, removed or moved.
    void show(std::vector<Bookmark> bookmarks);

    std::vector<Bookmark> m_bookmarks;
    PlaceText m_placeText;
    QUndoStack *m_undo;
    int m_gesture = 1;
};

} // namespace vramscope
