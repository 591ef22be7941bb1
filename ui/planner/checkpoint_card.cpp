// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/checkpoint_card.h"

#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/settings/checkpoint_issues.h"
#include "core/settings/settings.h"
#include "ui/charts/architecture_chart.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum Column { Name, For, Loaded, Type, Shape, Tensors, Size, ColumnCount };

QString purpose(const TensorMeaning &meaning)
{
    switch (meaning.use) {
    case StoredUse::Tower:
        return u"Vision and audio"_s;
    case StoredUse::Prediction:
        return u"Multi-token prediction"_s;
    case StoredUse::Rotary:
        return u"Rotary positions"_s;
    case StoredUse::Mask:
        return u"Masks and positions"_s;
    case StoredUse::Order:
        return u"Order of columns"_s;
    case StoredUse::Text:
        return u"Description"_s;
    case StoredUse::Unknown:
        return u"Not known"_s;
    case StoredUse::Model:
        break;
    }
    return modelPartName(meaning.part);
}

QString shapeText(const std::vector<std::int64_t> &shape)
{
    QStringList sizes;
    for (const std::int64_t size : shape)
        sizes.append(countText(size));
    return sizes.empty() ? u"1"_s : sizes.join(u" × "_s);
}

QString countOf(std::int64_t count, const QString &what)
{
    return countText(count) + u' ' + what + (count == 1 ? QString() : u"s"_s);
}

QString typesText(const CheckpointTable &table)
{
    QStringList types;
    for (const TypeBytes &each : bytesByType(table))
        types.append(toQString(each.type.name) + u' ' + bytesText(each.bytes));
    return types.join(u", "_s);
}

Bytes notLoaded(const Settings &settings)
{
    Bytes sum = 0;
    for (const LeftOut &each : leftOut(settings))
        sum += each.bytes;
    return sum;
}

QTreeWidget *tensorTable(const Settings &settings)
{
    auto *table = new QTreeWidget;
    table->setAccessibleName(u"Tensors of the checkpoint"_s);
    table->setRootIsDecorated(false);
    table->setTextElideMode(Qt::ElideMiddle); // the ends of a name tell it from others
    table->setHeaderLabels(
        {u"Name"_s, u"For"_s, u"Loaded"_s, u"Type"_s, u"Shape"_s, u"Tensors"_s, u"Size"_s});
    for (const PlacedTensors &each : settings.checkpoint->tensors) {
        const QString name = toQString(each.group.name);
        auto *item = new QTreeWidgetItem(
            table, {name, purpose(each.meaning), isHeld(settings, each) ? u"yes"_s : u"no"_s,
                    toQString(each.group.type.name), shapeText(each.group.shape),
                    countText(each.group.tensors()), bytesText(each.group.bytes())});
        item->setToolTip(Name, name);
        item->setToolTip(Size, exactBytesText(each.group.bytes()));
        for (const int column : {Shape, Tensors, Size})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (const int column : {Shape, Tensors, Size})
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    table->header()->setStretchLastSection(false);
    table->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (int column = For; column < ColumnCount; ++column)
        table->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    return table;
}

} // namespace

CheckpointCard::CheckpointCard(QWidget *parent)
    : QWidget(parent)
    , m_line(new ElidedLabel(Qt::ElideRight))
    , m_details(quietButton(u"details…"_s))
{
    m_details->setFocusPolicy(Qt::TabFocus);
    m_details->setAccessibleName(u"Tensors of the checkpoint in detail"_s);
    m_details->setToolTip(u"Every kind of tensor in the files, and what it is for"_s);
    setLayout(row({{m_line, 1}, m_details}, kStyleSpacing, {0, 1, 0, 3}));
    connect(m_details, &QToolButton::clicked, this, &CheckpointCard::openDetails);
    m_line->setFont(typeFont(m_line, Type::Small));
    hide();
}

QString CheckpointCard::text() const
{
    if (!m_settings || !m_settings->checkpoint)
        return {};
    const CheckpointTable &table = m_settings->checkpoint->table;
    QString text = u"Files: %1"_s.arg(bytesText(table.bytes()));
    if (const Bytes left = notLoaded(*m_settings); left > 0 && countsByCheckpoint(*m_settings))
        text += u", %1 not loaded"_s.arg(bytesText(left));
    return text;
}

void CheckpointCard::showCheckpoint(const std::shared_ptr<const Settings> &settings)
{
    m_settings = settings;
    const QString line = text();
    m_line->setFullText(line);
    setVisible(!line.isEmpty());
}

void CheckpointCard::openDetails()
{
    const CheckpointTable &table = m_settings->checkpoint->table;
    QStringList left;
    for (const LeftOut &each : leftOut(*m_settings))
        left.append(u"%1, %2"_s.arg(toQString(each.words), bytesText(each.bytes)));
    std::vector<QWidget *> parts;
    if (!left.empty() && countsByCheckpoint(*m_settings))
        parts.push_back(textLabel(u"Not loaded: %1."_s.arg(left.join(u"; "_s)), u"dim"_s));
    parts.push_back(tensorTable(*m_settings));
    showDetails(this, u"What the checkpoint holds"_s,
                u"%1 of %2 in %3: %4"_s.arg(countOf(table.tensors(), u"tensor"_s),
                                            bytesText(table.bytes()),
                                            countOf(table.files, u"file"_s), typesText(table)),
                parts, {980, 560});
}

} // namespace vramscope
