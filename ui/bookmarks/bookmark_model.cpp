// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bookmarks/bookmark_model.h"

#include "core/base/text.h"
#include "ui/support/text.h"

#include <QUndoStack>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostSteps = 200;

/// UTF-8 of at most `longest` bytes; no character is cut in two.
std::string cut(const QString &text, std::size_t longest)
{
    return std::string(firstBytes(text.toStdString(), longest));
}

} // namespace

/// One edit of the list: the lists before and after it.
class BookmarkCommand : public QUndoCommand
{
public:
    BookmarkCommand(BookmarkModel *model, std::vector<Bookmark> after, int row, int merges)
        : m_model(model)
        , m_before(model->m_bookmarks)
        , m_after(std::move(after))
        , m_row(row)
        , m_merges(merges)
    {
    }

    void undo() override { show(m_before); }
    void redo() override { show(m_after); }
    [[nodiscard]] int id() const override { return m_merges > 0 ? 1 : -1; }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = dynamic_cast<const BookmarkCommand *>(other);
        if (!next || next->m_merges != m_merges || next->m_row != m_row)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    void show(const std::vector<Bookmark> &bookmarks)
    {
        m_model->show(bookmarks);
        Q_EMIT m_model->edited();
        Q_EMIT m_model->rowTouched(std::min(m_row, m_model->rowCount() - 1));
    }

    BookmarkModel *m_model;
    std::vector<Bookmark> m_before;
    std::vector<Bookmark> m_after;
    int m_row;
    int m_merges;
};

BookmarkModel::BookmarkModel(PlaceText placeText, QObject *parent)
    : QAbstractListModel(parent)
    , m_placeText(placeText ? std::move(placeText) : [](const Bookmark &) { return QString(); })
    , m_undo(new QUndoStack(this))
{
    m_undo->setUndoLimit(kMostSteps);
}

BookmarkModel::~BookmarkModel()
{
    m_undo->blockSignals(true); // clearing it at the end is no edit of a page that is half gone
}

void BookmarkModel::setBookmarks(std::vector<Bookmark> bookmarks)
{
    m_undo->clear();
    show(std::move(bookmarks));
}

void BookmarkModel::show(std::vector<Bookmark> bookmarks)
{
    if (bookmarks.size() == m_bookmarks.size()) {
        m_bookmarks = std::move(bookmarks);
        if (!m_bookmarks.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_bookmarks = std::move(bookmarks);
    endResetModel();
}

void BookmarkModel::push(const QString &text, std::vector<Bookmark> after, int row, int merges)
{
    if (after == m_bookmarks)
        return;
    auto *command = new BookmarkCommand(this, std::move(after), row, merges);
    command->setText(text);
    m_undo->push(command);
}

bool BookmarkModel::append(Bookmark bookmark)
{
    if (m_bookmarks.size() >= kMostBookmarks)
        return false;
    bookmark.name = cut(toQString(bookmark.name), kLongestName);
    bookmark.note = cut(toQString(bookmark.note), kLongestNote);
    bookmark.filter = cut(toQString(bookmark.filter), kLongestFilter);
    std::vector<Bookmark> after = m_bookmarks;
    after.push_back(std::move(bookmark));
    push(u"Bookmark"_s, std::move(after), rowCount());
    return true;
}

void BookmarkModel::remove(int row)
{
    if (!has(row))
        return;
    std::vector<Bookmark> after = m_bookmarks;
    after.erase(after.begin() + row);
    push(u"Delete bookmark"_s, std::move(after), row);
}

void BookmarkModel::rename(int row, const QString &name)
{
    const std::string text = cut(name.simplified(), kLongestName);
    if (!has(row) || text.empty())
        return;
    std::vector<Bookmark> after = m_bookmarks;
    after[static_cast<std::size_t>(row)].name = text;
    push(u"Rename bookmark"_s, std::move(after), row);
}

void BookmarkModel::setNote(int row, const QString &note)
{
    if (!has(row))
        return;
    std::vector<Bookmark> after = m_bookmarks;
    after[static_cast<std::size_t>(row)].note = cut(note, kLongestNote);
    push(u"Edit note"_s, std::move(after), row, m_gesture);
}

void BookmarkModel::move(int row, int to)
{
    if (!has(row) || !has(to))
        return;
    std::vector<Bookmark> after = m_bookmarks;
    const auto from = after.begin() + row;
    if (row < to)
        std::rotate(from, from + 1, after.begin() + to + 1);
    else
        std::rotate(after.begin() + to, from, from + 1);
    push(u"Move bookmark"_s, std::move(after), to);
}

bool BookmarkModel::moveRows(const QModelIndex &, int row, int count, const QModelIndex &,
                             int destination)
{
    if (count != 1 || !has(row) || destination < 0 || destination > rowCount())
        return false;
    move(row, destination > row ? destination - 1 : destination);
    return true;
}

int BookmarkModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_bookmarks.size());
}

QVariant BookmarkModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Bookmark &bookmark = m_bookmarks[static_cast<std::size_t>(index.row())];
    const QString note = toQString(bookmark.note);
    switch (role) {
    case Qt::DisplayRole: {
        const QString name = toQString(bookmark.name).simplified(); // a file may contain anything
        return name.isEmpty() ? m_placeText(bookmark) : name;
    }
    case Qt::EditRole:
        return toQString(bookmark.name);
    case NoteRole:
        return note;
    case PlaceRole:
        return m_placeText(bookmark);
    case Qt::AccessibleDescriptionRole:
        return note.isEmpty() ? m_placeText(bookmark) : m_placeText(bookmark) + u". "_s + note;
    case Qt::ToolTipRole: // in HTML, which wraps
        return u"<p><b>%1</b></p><p>%2</p><p style='white-space: pre-wrap'>%3</p>"_s.arg(
            toQString(bookmark.name).toHtmlEscaped(), m_placeText(bookmark).toHtmlEscaped(),
            note.left(1000).toHtmlEscaped());
    default:
        return {};
    }
}

bool BookmarkModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    rename(index.row(), value.toString());
    return true;
}

Qt::ItemFlags BookmarkModel::flags(const QModelIndex &index) const
{
    // Dropped between rows, not on one.
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable |
                                 Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren
                           : Qt::ItemFlags(Qt::ItemIsDropEnabled);
}

} // namespace vramscope
