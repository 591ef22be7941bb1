// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/order_dialog.h"

#include "core/session/session.h"
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

/// As much of a note as a document holds, whole characters.
QString cut(QString note)
{
    while (note.toUtf8().size() > qsizetype(kLongestNote))
        note.chop(1);
    return note;
}

} // namespace

OrderDialog::OrderDialog(std::vector<StageItem> items, const RunningOrder &order, QWidget *parent)
    : QDialog(parent)
    , m_items(std::move(items))
    , m_list(new QListWidget)
    , m_note(new QPlainTextEdit)
    , m_up(new QPushButton(tr("Move &up")))
    , m_down(new QPushButton(tr("Move &down")))
{
    setWindowTitle(tr("Running order"));
    m_list->setAccessibleName(tr("What the presentation shows, in order"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_note->setAccessibleName(tr("Note to the chosen item"));
    m_note->setPlaceholderText(tr("What is to be said about it; N shows or hides it"));
    m_note->setTabChangesFocus(true);
    m_up->setToolTip(tr("Alt+Up"));
    m_down->setToolTip(tr("Alt+Down"));
    auto *reset = new QPushButton(tr("&As it was"));
    reset->setToolTip(tr("Everything in its own order, with its own notes"));
    auto *moves = new QHBoxLayout;
    moves->addWidget(m_up);
    moves->addWidget(m_down);
    moves->addStretch();
    moves->addWidget(reset);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    QPushButton *present = buttons->addButton(tr("&Present"), QDialogButtonBox::ActionRole);
    auto *noteTitle = new QLabel(tr("&Note"));
    noteTitle->setBuddy(m_note);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 3);
    layout->addLayout(moves);
    layout->addWidget(noteTitle);
    layout->addWidget(m_note, 1);
    layout->addWidget(buttons);
    resize(460, 520);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(present, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT presentWanted();
    });
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    // Not those of the buttons, which are slower than a key that is held.
    connect(new QShortcut(Qt::ALT | Qt::Key_Up, this), &QShortcut::activated, this,
            [this] { move(-1); });
    connect(new QShortcut(Qt::ALT | Qt::Key_Down, this), &QShortcut::activated, this,
            [this] { move(1); });
    connect(reset, &QPushButton::clicked, this, [this] { fill({}); });
    connect(m_list, &QListWidget::currentRowChanged, this, &OrderDialog::showRow);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &OrderDialog::showRow);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        if (QListWidgetItem *item = m_list->currentItem())
            item->setData(kNoteRole, cut(m_note->toPlainText()));
    });
    fill(order);
}

void OrderDialog::fill(const RunningOrder &order)
{
    m_list->clear();
    for (const StageItem &item : arranged(m_items, order)) {
        auto *row = new QListWidgetItem(item.title, m_list);
        row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                      Qt::ItemIsDragEnabled);
        row->setCheckState(item.shown ? Qt::Checked : Qt::Unchecked);
        row->setData(kKeyRole, toQString(item.key));
        row->setData(kNoteRole, item.note);
    }
    m_list->setCurrentRow(0);
    showRow();
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
