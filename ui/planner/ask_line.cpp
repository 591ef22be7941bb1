// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/ask_line.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMeaning = Qt::UserRole; // role of what a name is
constexpr int kRowPadding = 6;
constexpr int kMostShown = 12;
constexpr int kLeastWidth = 320;

/// A name, and dim at its right what it is.
class NameDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QRect row = option.rect.adjusted(kRowPadding, 0, -kRowPadding, 0);
        const int name = option.fontMetrics.horizontalAdvance(index.data().toString());
        const QString meaning = option.fontMetrics.elidedText(
            index.data(kMeaning).toString(), Qt::ElideRight, row.width() - name - 4 * kRowPadding);
        painter->setPen(themeOf(option.widget).dim);
        painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, meaning);
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), size.height() + kRowPadding};
    }
};

} // namespace

AskLine::AskLine(QWidget *parent)
    : QLineEdit(parent)
    , m_names(new QStandardItemModel(this))
    , m_completer(new QCompleter(m_names, this))
{
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::PopupCompletion);
    m_completer->setMaxVisibleItems(kMostShown);
    QAbstractItemView *popup = m_completer->popup();
    popup->setProperty("role", u"popup"_s);
    popup->setItemDelegate(new NameDelegate(popup));
    popup->setAccessibleName(u"What the word may become"_s);
    connect(this, &QLineEdit::textEdited, this, &AskLine::offer);
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
            &AskLine::take);
}

bool AskLine::offers() const
{
    return m_completer->popup()->isVisible();
}

void AskLine::offer()
{
    const QByteArray before = text().first(cursorPosition()).toUtf8();
    const auto size = static_cast<std::size_t>(before.size());
    m_suggestions = suggestionsAt({before.constData(), size}, size);
    if (m_suggestions.names.empty()) {
        m_completer->popup()->hide();
        return;
    }
    m_names->clear();
    int widest = kLeastWidth;
    for (const AskSuggestion &name : m_suggestions.names) {
        auto *item = new QStandardItem(toQString(name.text));
        item->setData(toQString(name.meaning), kMeaning);
        m_names->appendRow(item);
        const QString whole = toQString(name.text) + toQString(name.meaning);
        widest = std::max(widest, fontMetrics().horizontalAdvance(whole) + 8 * kRowPadding);
    }
    const QRect cursor = cursorRect();
    m_completer->complete(
        QRect(cursor.left(), 0, std::min(widest, std::max(width(), kLeastWidth)), height()));
}

void AskLine::take(const QModelIndex &name)
{
    const QByteArray line = text().toUtf8();
    const auto begin = static_cast<qsizetype>(m_suggestions.begin);
    const auto end = static_cast<qsizetype>(m_suggestions.end);
    if (end > line.size())
        return; // the line has changed since
    const QString before = QString::fromUtf8(line.first(begin)) + name.data().toString();
    const QString after = QString::fromUtf8(line.sliced(end));
    setText(before + (after.isEmpty() ? u" "_s : after));
    setCursorPosition(static_cast<int>(before.size()) + (after.isEmpty() ? 1 : 0));
}

// Tab moves the focus before it is a key.
bool AskLine::event(QEvent *event)
{
    const bool isTab =
        event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Tab;
    if (!isTab || !offers())
        return QLineEdit::event(event);
    const QModelIndex chosen = m_completer->popup()->currentIndex();
    m_completer->popup()->hide();
    take(chosen.isValid() ? chosen : m_completer->popup()->model()->index(0, 0));
    event->accept();
    return true;
}

// The list of names passes each key on before it looks at it itself.
void AskLine::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isChosen = offers() && m_completer->popup()->currentIndex().isValid();
    if (offers() && (event->key() == Qt::Key_Escape || (isEnter && isChosen)))
        return event->ignore();
    if (isEnter)
        m_completer->popup()->hide();
    QLineEdit::keyPressEvent(event);
    if (isEnter)
        Q_EMIT submitted();
}

void AskLine::focusInEvent(QFocusEvent *event)
{
    QLineEdit::focusInEvent(event);
    m_clicked = event->reason() == Qt::MouseFocusReason;
}

void AskLine::mouseReleaseEvent(QMouseEvent *event)
{
    QLineEdit::mouseReleaseEvent(event);
    if (m_clicked && !hasSelectedText())
        selectAll();
    m_clicked = false;
}

} // namespace vramscope
