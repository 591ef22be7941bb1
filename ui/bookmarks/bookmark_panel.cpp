// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bookmarks/bookmark_panel.h"

#include "ui/bookmarks/bookmark_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/theme.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QtMath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNoteLines = 3;
constexpr int kMostVisible = 8; // without scrolling
constexpr int kRowMargin = 8;
constexpr int kPadding = 5;

/// A bookmark in two lines: its name, and under it the place and the beginning of its note. What
/// has no room is elided.
class BookmarkDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        item.text.clear();
        const QWidget *view = option.widget;
        QStyle *style = view ? view->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &item, painter, view);

        QString place = index.data(BookmarkModel::PlaceRole).toString();
        const QString note = index.data(BookmarkModel::NoteRole).toString().left(300).simplified();
        if (!note.isEmpty())
            place += u" – "_s + note;
        const Theme &theme = themeOf(view);
        const QFontMetrics metrics(option.font);
        const QRect room = option.rect.adjusted(kRowMargin, kPadding, -kRowMargin, -kPadding);
        const auto line = [&](int at, const QString &text, const QColor &color) {
            painter->setPen(color);
            painter->drawText(QRect(room.left(), room.top() + at * metrics.height(), room.width(),
                                    metrics.height()),
                              Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              metrics.elidedText(text, Qt::ElideRight, room.width()));
        };
        painter->save();
        painter->setFont(option.font);
        line(0, index.data(Qt::DisplayRole).toString(), theme.text);
        line(1, place, theme.dim);
        painter->restore();
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &) const override
    {
        return {0, 2 * QFontMetrics(option.font).height() + 2 * kPadding};
    }
    void updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option,
                              const QModelIndex &) const override
    {
        QRect room = option.rect.adjusted(2, 1, -2, 0);
        room.setHeight(qMin(room.height(), editor->sizeHint().height()));
        editor->setGeometry(room);
    }
};

} // namespace

BookmarkPanel::BookmarkPanel(BookmarkModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_title(sectionLabel(u"Bookmarks"_s))
    , m_add(new QPushButton(u"Add"_s))
    , m_hint(new QLabel(u"Ctrl+D keeps this view"_s))
    , m_list(new QListView)
    , m_note(new QPlainTextEdit)
{
    setUpParts();
    arrange();
    connectParts();
    addActions();
    refresh();
}

void BookmarkPanel::setUpParts()
{
    setStyled(*this, u"side-below"_s);
    m_add->setToolTip(u"Bookmark this view (Ctrl+D)"_s);
    m_add->setAccessibleName(u"Add a bookmark of this view"_s);
    m_hint->setToolTip(
        u"<p>A bookmark keeps the view, the range, the cursor, the selection and the "
        "filter, with a note of yours.</p>"_s);
    m_hint->setProperty("role", u"dim"_s);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new BookmarkDelegate(m_list));
    m_list->setAccessibleName(u"Bookmarks"_s);
    m_list->setEditTriggers(QListView::EditKeyPressed | QListView::SelectedClicked);
    m_list->setDragDropMode(QListView::InternalMove);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_list->setSizeAdjustPolicy(QListView::AdjustToContents);
    m_list->setMinimumHeight(5 * fontMetrics().height()); // two of them
    m_note->setAccessibleName(u"Note of the bookmark"_s);
    m_note->setTabChangesFocus(true);
    const double margins = 2 * (m_note->document()->documentMargin() + m_note->frameWidth());
    m_note->setFixedHeight(kNoteLines * fontMetrics().lineSpacing() + qCeil(margins));
    m_note->installEventFilter(this);
}

void BookmarkPanel::arrange()
{
    setLayout(
        column({row({m_title, {m_hint, 1}, m_add}, 12), {m_list, 1}, m_note}, 6, {16, 8, 16, 8}));
}

void BookmarkPanel::connectParts()
{
    connect(m_add, &QPushButton::clicked, this, &BookmarkPanel::bookmarkWanted);
    connect(m_list, &QListView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT chosen(index.row()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_model->endGesture();
        showNote();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &BookmarkPanel::showNote);
    connect(m_model, &QAbstractItemModel::modelReset, this, &BookmarkPanel::refresh);
    connect(m_model, &BookmarkModel::rowTouched, this, &BookmarkPanel::setCurrent);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_showing)
            m_model->setNote(current(), m_note->toPlainText());
    });
}

void BookmarkPanel::addActions()
{
    const auto add = [this](const QString &text, const QKeySequence &key, auto run) {
        auto *action = new QAction(text, m_list);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, [this, run] {
            if (current() >= 0)
                run();
        });
        m_list->addAction(action);
    };
    add(u"&Go there"_s, {}, [this] { Q_EMIT chosen(current()); }); // Enter, by the list itself
    add(u"&Rename"_s, {}, [this] { m_list->edit(m_list->currentIndex()); }); // F2, likewise
    add(u"Edit &note"_s, QKeySequence(u"Alt+Return"_s),
        [this] { m_note->setFocus(Qt::ShortcutFocusReason); });
    add(u"Move &up"_s, QKeySequence(u"Alt+Up"_s), [this] { moveCurrent(-1); });
    add(u"Move &down"_s, QKeySequence(u"Alt+Down"_s), [this] { moveCurrent(1); });
    add(u"&Delete"_s, QKeySequence(u"Del"_s), [this] { m_model->remove(current()); });
}

int BookmarkPanel::current() const
{
    return m_list->currentIndex().row();
}

void BookmarkPanel::setCurrent(int row)
{
    m_list->setCurrentIndex(m_model->index(row));
}

void BookmarkPanel::step(bool forward)
{
    const int last = m_model->rowCount() - 1;
    if (last < 0)
        return;
    const int from = current() >= 0 ? current() : forward ? -1 : last + 1;
    setCurrent(std::clamp(from + (forward ? 1 : -1), 0, last));
    Q_EMIT chosen(current());
}

void BookmarkPanel::moveCurrent(int by)
{
    m_model->move(current(), current() + by);
}

bool BookmarkPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_note && event->type() == QEvent::FocusOut)
        m_model->endGesture();
    // Ctrl+D makes a bookmark, here too, where editors take it for the Delete key.
    if (watched == m_note && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->keyCombination() == (Qt::CTRL | Qt::Key_D))
        return true;
    return QWidget::eventFilter(watched, event);
}

void BookmarkPanel::showNote()
{
    const QModelIndex shown = m_list->currentIndex();
    m_note->setEnabled(shown.isValid());
    m_note->setPlaceholderText(shown.isValid() ? u"A note to this bookmark"_s
                                               : u"Choose a bookmark to see its note"_s);
    const QString text = shown.data(BookmarkModel::NoteRole).toString();
    if (text == m_note->toPlainText())
        return; // as typed: the cursor stays
    m_showing = true;
    m_note->setPlainText(text);
    m_showing = false;
}

void BookmarkPanel::refresh()
{
    const int rows = m_model->rowCount();
    m_hint->setVisible(rows == 0);
    m_list->setVisible(rows > 0);
    m_note->setVisible(rows > 0); // always, so that a click moves no row
    m_list->setMaximumHeight(std::min(rows, kMostVisible) * m_list->sizeHintForRow(0) + 2);
    m_title->setText(rows > 0 ? u"Bookmarks (%1)"_s.arg(rows) : u"Bookmarks"_s);
    showNote();
}

} // namespace vramscope
