// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/preset_box.h"

#include "core/catalog/catalogue.h"
#include "ui/planner/preset_popup.h"
#include "ui/support/text.h"

#include <QKeyEvent>
#include <QLineEdit>

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
