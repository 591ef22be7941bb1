// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/order_dialog.h"

#include "core/base/text.h"
#include "core/session/session.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kKeyRole = Qt::UserRole;
constexpr int kNoteRole = Qt::UserRole + 1;

/// A note cut to the length that a document can store, in whole characters.
QString cut(QString note)
{
    note.truncate(qsizetype(kLongestNote)); // however much was pasted
    return toQString(firstBytes(note.toStdString(), kLongestNote));
}

} // namespace

OrderDialog::OrderDialog(std::vector<StageItem> items, const RunningOrder &order,
                         std::optional<StageItem> view, QWidget *parent)
    : QDialog(parent)
    , m_items(std::move(items))
    , m_view(std::move(view))
    , m_list(new QListWidget)
    , m_note(new QPlainTextEdit)
    , m_up(new QPushButton(u"Move &up"_s))
    , m_down(new QPushButton(u"Move &down"_s))
    , m_add(new QPushButton(u"Add what the page &shows"_s))
    , m_reset(new QPushButton(u"&Reset"_s))
    , m_count(new QLabel)
{
    setWindowTitle(u"Running order"_s);
    m_list->setAccessibleName(u"What the presentation shows, in order"_s);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_note->setAccessibleName(u"Note to the chosen item"_s);
    m_note->setPlaceholderText(u"What is to be said about it; N shows or hides it"_s);
    m_note->setTabChangesFocus(true);
    m_count->setProperty("role", u"dim"_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_present = buttons->addButton(u"&Present"_s, QDialogButtonBox::ActionRole);
    m_present->setToolTip(u"Keep this order and begin"_s);
    auto *noteTitle = new QLabel(u"&Note"_s);
    noteTitle->setBuddy(m_note);
    auto *keys = new QLabel(u"While it runs: arrow keys, a clicker or the wheel step; a number and "
                            "Enter go to an item; N notes, B black, T other colours, Esc ends."_s);
    keys->setProperty("role", u"dim"_s);
    keys->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 3);
    layout->addWidget(m_count);
    layout->addWidget(makeMoves());
    layout->addWidget(noteTitle);
    layout->addWidget(m_note, 1);
    layout->addWidget(keys);
    layout->addWidget(buttons);
    resize(520, 560);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connectParts();
    fill(order);
    m_list->setFocus();
}

QWidget *OrderDialog::makeMoves()
{
    m_up->setToolTip(u"Alt+Up"_s);
    m_down->setToolTip(u"Alt+Down"_s);
    m_add->setToolTip(u"Range, cursor, view and colours as they are now, as a bookmark (Insert)"_s);
    m_add->setVisible(m_view.has_value());
    m_reset->setToolTip(u"Everything in its own order, with its own notes"_s);
    return panel(row({m_up, m_down, m_add, EmptyRoom{0}, m_reset}, kStyleSpacing));
}

void OrderDialog::connectParts()
{
    connect(m_present, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT presentWanted();
    });
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_add, &QPushButton::clicked, this, &OrderDialog::addView);
    connect(m_reset, &QPushButton::clicked, this, [this] { fill({}); });
    // Not the buttons' own shortcuts, which repeat more slowly while a key is down.
    const auto onKey = [this](const QKeySequence &key, auto what) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, what);
    };
    onKey(Qt::ALT | Qt::Key_Up, [this] { move(-1); });
    onKey(Qt::ALT | Qt::Key_Down, [this] { move(1); });
    onKey(Qt::Key_Insert, [this] { addView(); });
    connect(m_list, &QListWidget::currentRowChanged, this, &OrderDialog::showRow);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &OrderDialog::showRow);
    connect(m_list, &QListWidget::itemChanged, this, &OrderDialog::showCount);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        if (QListWidgetItem *item = m_list->currentItem())
            item->setData(kNoteRole, cut(m_note->toPlainText()));
    });
}

void OrderDialog::insert(int row, const StageItem &item)
{
    auto *made = new QListWidgetItem(item.title);
    made->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                   Qt::ItemIsDragEnabled);
    made->setCheckState(item.shown ? Qt::Checked : Qt::Unchecked);
    made->setData(kKeyRole, toQString(item.key));
    made->setData(kNoteRole, item.note);
    m_list->insertItem(row, made);
}

void OrderDialog::fill(const RunningOrder &order)
{
    m_list->clear();
    for (const StageItem &item : arranged(m_items, order))
        insert(m_list->count(), item);
    m_add->setEnabled(m_view.has_value());
    m_list->setCurrentRow(0);
    showRow();
    showCount();
}

void OrderDialog::addView()
{
    if (!m_add->isEnabled())
        return;
    m_add->setEnabled(false);
    const int row = m_list->currentRow() + 1;
    insert(row, *m_view);
    m_list->setCurrentRow(row);
    m_list->setFocus(); // the button has nothing left to add
    showCount();
}

int OrderDialog::rowOfView() const
{
    for (int row = 0; m_view && row < m_list->count(); ++row) {
        const QListWidgetItem *item = m_list->item(row);
        if (item->data(kKeyRole).toString() == toQString(m_view->key) &&
            item->checkState() == Qt::Checked)
            return row;
    }
    return -1;
}

QString OrderDialog::countText() const
{
    return m_count->text();
}

void OrderDialog::showCount()
{
    int shown = 0;
    for (int row = 0; row < m_list->count(); ++row)
        shown += m_list->item(row)->checkState() == Qt::Checked ? 1 : 0;
    m_present->setEnabled(shown > 0);
    m_count->setText(shown == 0 ? u"Nothing is ticked, so there is nothing to present."_s
                                : u"%1 of %2 are shown"_s.arg(shown).arg(m_list->count()));
}

void OrderDialog::move(int by)
{
    const int row = m_list->currentRow();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= m_list->count())
        return;
    QListWidgetItem *item = m_list->takeItem(row);
    m_list->insertItem(to, item);
    m_list->setCurrentItem(item);
}

void OrderDialog::showRow()
{
    const QListWidgetItem *item = m_list->currentItem();
    const QSignalBlocker silent(m_note);
    m_note->setPlainText(item ? item->data(kNoteRole).toString() : QString());
    m_note->setEnabled(item);
    m_up->setEnabled(item && m_list->currentRow() > 0);
    m_down->setEnabled(item && m_list->currentRow() + 1 < m_list->count());
}

RunningOrder OrderDialog::order() const
{
    std::vector<StageItem> now;
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem *item = m_list->item(row);
        const bool isView = m_view && item->data(kKeyRole).toString() == toQString(m_view->key);
        if (isView && item->checkState() != Qt::Checked)
            continue; // it does not become a bookmark
        StageItem one;
        one.key = item->data(kKeyRole).toString().toStdString();
        one.note = item->data(kNoteRole).toString();
        one.shown = item->checkState() == Qt::Checked;
        now.push_back(std::move(one));
    }
    const RunningOrder order = orderOf(m_items, now);
    return order == orderOf(m_items, m_items) ? RunningOrder() : order;
}

} // namespace vramscope
