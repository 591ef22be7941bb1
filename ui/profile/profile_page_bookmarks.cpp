// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redaction.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_timeline.h"

#include <QUndoStack>

// The page's bookmarks: what is seen made one, and one shown again.

namespace vramscope {

namespace {

const QString kBookmark = QStringLiteral("bookmark"); ///< what is seen, in what a page keeps

} // namespace

void ProfilePage::connectBookmarks()
{
    connect(m_bookmarks->undoStack(), &QUndoStack::indexChanged, this, &ProfilePage::edited);
    connect(m_bookmarkPanel, &BookmarkPanel::bookmarkWanted, this, &ProfilePage::addBookmark);
    connect(m_bookmarkPanel, &BookmarkPanel::chosen, this, [this](int row) {
        if (0 <= row && row < m_bookmarks->rowCount())
            apply(m_bookmarks->bookmarks()[static_cast<std::size_t>(row)]);
    });
}

Bookmark ProfilePage::bookmark() const
{
    if (!m_timeline)
        return {};
    return bookmarkOf(*m_document, {m_state->visible(), m_state->selected(), m_state->chosen(),
                                    m_query, m_tables->choice()});
}

void ProfilePage::apply(const Bookmark &bookmark)
{
    if (!m_timeline)
        return;
    const ProfileView view = viewOf(*m_document, bookmark);
    m_tables->setChoice(view.table);
    m_state->choose(view.chosen);
    setQuery(view.query);
    if (view.selected.valid())
        m_timeline->goTo(view.selected); // opens what is folded over it
    else
        m_state->select({});
    m_state->show(view.visible);
}

std::optional<StageItem> ProfilePage::viewItem() const
{
    if (!m_bookmarks)
        return std::nullopt;
    return nextBookmarkItem(
        m_bookmarks->bookmarks(), bookmark(),
        [this](const std::vector<Bookmark> &marked) { return itemsWith(marked); });
}

QVariantMap ProfilePage::chosen(const Redaction *redaction) const
{
    Bookmark shown = bookmark();
    if (redaction)
        shown.filter = redaction->title(shown.filter);
    return {{kBookmark, QVariant::fromValue(shown)}};
}

void ProfilePage::restore(const QVariantMap &chosen)
{
    apply(chosen[kBookmark].value<Bookmark>());
}

QUndoStack *ProfilePage::undoStack() const
{
    return m_bookmarks ? m_bookmarks->undoStack() : nullptr;
}

void ProfilePage::addBookmark()
{
    if (m_bookmarks)
        m_bookmarks->append(bookmark());
}

void ProfilePage::stepBookmark(bool forward)
{
    if (m_bookmarks)
        m_bookmarkPanel->step(forward);
}

} // namespace vramscope
