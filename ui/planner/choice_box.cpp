// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/choice_box.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QStylePainter>
#include <QWheelEvent>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

ChoiceBox::ChoiceBox(const QList<ChoiceItem> &items, bool search, QWidget *parent)
    : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(4);
    int widest = 0;
    for (const ChoiceItem &item : items) {
        addItem(item.title, item.value);
        setItemData(count() - 1, item.toolTip, Qt::ToolTipRole);
        widest = std::max(widest, fontMetrics().horizontalAdvance(item.title));
    }
    view()->setMinimumWidth(widest + 40);
    setMaxVisibleItems(18);
    connect(this, &QComboBox::activated, this,
            [this](int index) { Q_EMIT chosen(itemData(index).toString()); });
    if (search)
        addSearch();
}

void ChoiceBox::addSearch()
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    completer()->setMaxVisibleItems(12);
    completer()->popup()->setProperty("role", u"popup"_s);
    connect(lineEdit(), &QLineEdit::returnPressed, this, &ChoiceBox::takeTypedText);
    completer()->popup()->installEventFilter(this);
}

// Enter while the list of matches is open takes what is typed, unless one of them is chosen there:
// the list alone would close and take nothing.
bool ChoiceBox::eventFilter(QObject *watched, QEvent *event)
{
    QAbstractItemView *matches = lineEdit() ? completer()->popup() : nullptr;
    if (watched == matches && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !matches->currentIndex().isValid()) {
            matches->hide();
            takeTypedText();
            return true;
        }
    }
    return QComboBox::eventFilter(watched, event);
}

void ChoiceBox::takeTypedText()
{
    const QString typed = lineEdit()->text().trimmed();
    int found = findText(typed, Qt::MatchFixedString);
    if (found < 0)
        found = findData(typed);
    if (found < 0 && !typed.isEmpty())
        found = findText(typed, Qt::MatchContains);
    if (found >= 0 && itemData(found).toString() != m_shown)
        Q_EMIT chosen(itemData(found).toString());
    else
        showValue(m_shown, m_default);
}

// The box has the focus for its text too: events of focus never pass by the line edit's filters.
void ChoiceBox::focusInEvent(QFocusEvent *event)
{
    QComboBox::focusInEvent(event);
    const bool returns =
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (lineEdit() && !returns) // after the press that may have brought the focus
        QMetaObject::invokeMethod(lineEdit(), &QLineEdit::selectAll, Qt::QueuedConnection);
}

void ChoiceBox::focusOutEvent(QFocusEvent *event)
{
    QComboBox::focusOutEvent(event);
    if (lineEdit() && event->reason() != Qt::PopupFocusReason && !completer()->popup()->isVisible())
        showValue(m_shown, m_default); // what was typed and not taken
}

void ChoiceBox::showValue(const QString &value, bool isDefault)
{
    const bool typing = lineEdit() && lineEdit()->hasFocus() && value == m_shown;
    m_shown = value;
    m_default = isDefault;
    setBoxLook(this, m_state, m_default);
    const QSignalBlocker quiet(this);
    const int index = findData(value);
    if (index != currentIndex())
        setCurrentIndex(index);
    if (lineEdit() && !typing) {
        lineEdit()->setText(index >= 0 ? itemText(index) : value);
        lineEdit()->setCursorPosition(0); // the beginning of a long name tells most
    }
    setToolTip(index >= 0 ? itemText(index) : value);
}

void ChoiceBox::setState(BoxState state)
{
    m_state = state;
    setBoxLook(this, m_state, m_default);
}

void ChoiceBox::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (isEditable())
        return;
    const QRect place =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const QString text = currentIndex() >= 0 ? option.currentText
                         : m_shown.isEmpty() ? placeholderText()
                                             : m_shown;
    option.currentText = fontMetrics().elidedText(text, Qt::ElideRight, place.width() - 4);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void ChoiceBox::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

ChoicesBox::ChoicesBox(const QList<ChoiceItem> &items, QWidget *parent)
    : QPushButton(parent)
{
    setProperty("role", u"choices"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumWidth(60);
    auto *list = new QMenu(this);
    for (const ChoiceItem &item : items) {
        QAction *action = list->addAction(item.title);
        action->setData(item.value);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this] {
            QStringList values;
            for (const QAction *choice : choices()) {
                if (choice->isChecked())
                    values.append(choice->data().toString());
            }
            Q_EMIT chosen(values);
        });
    }
    setMenu(list);
}

QList<QAction *> ChoicesBox::choices() const
{
    return menu()->actions();
}

void ChoicesBox::showValue(const QStringList &values, bool isDefault)
{
    m_default = isDefault;
    for (QAction *action : choices())
        action->setChecked(values.contains(action->data().toString()));
    constexpr qsizetype kNamed = 2;
    setText(values.isEmpty()          ? u"none"_s
            : values.size() <= kNamed ? values.join(u", "_s)
                                      : u"%1 of %2"_s.arg(values.size()).arg(choices().size()));
    setToolTip(values.join(u", "_s));
    setBoxLook(this, m_state, m_default);
}

void ChoicesBox::setState(BoxState state)
{
    m_state = state;
    setBoxLook(this, m_state, m_default);
}

} // namespace vramscope
