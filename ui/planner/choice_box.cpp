// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/choice_box.h"

#include "core/catalog/catalogue.h"
#include "ui/planner/preset_popup.h"
#include "ui/support/text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStylePainter>
#include <QWheelEvent>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QList<ChoiceItem> presetItems()
{
    QList<ChoiceItem> items;
    for (const CatalogueModel &model : catalogueModels())
        items.append({toQString(model.name), toQString(model.title), toQString(model.source)});
    return items;
}

} // namespace

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
        showValue(m_shown);
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
        showValue(m_shown); // what was typed and not taken
}

void ChoiceBox::showValue(const QString &value)
{
    const bool typing = lineEdit() && lineEdit()->hasFocus() && value == m_shown;
    m_shown = value;
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

PresetBox::PresetBox(QWidget *parent)
    : ChoiceBox(presetItems(), false, parent)
{
}

void PresetBox::showPopup()
{
    if (!m_popup) {
        m_popup = new PresetPopup(parentWidget()); // the style of what is in a box is not for it
        connect(m_popup, &PresetPopup::chosen, this, [this](const QString &preset) {
            if (preset != currentData().toString())
                Q_EMIT chosen(preset);
        });
    }
    m_popup->openAt({mapToGlobal(QPoint()), size()}, currentData().toString());
}

void PresetBox::hidePopup()
{
    if (m_popup)
        m_popup->hide();
    ChoiceBox::hidePopup();
}

void PresetBox::keyPressEvent(QKeyEvent *event)
{
    const bool command = event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    const QString text = event->text();
    if (command || text.isEmpty() || !text.front().isPrint() || text.front().isSpace())
        return ChoiceBox::keyPressEvent(event);
    showPopup();
    m_popup->search()->setText(text);
}

} // namespace vramscope
