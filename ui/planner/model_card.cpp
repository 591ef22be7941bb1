// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/model_card.h"

#include "core/model/parameters.h"
#include "ui/charts/architecture_chart.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum CardColumn { Part, Parameters, Share, Counted, CardColumnCount };

QString parameterCountText(const ParameterCounts &counts, std::int64_t stated)
{
    QString text = countedText(counts.total, "parameter");
    if (counts.active != counts.total)
        text += u", %1 active for a token"_s.arg(countText(counts.active));
    if (stated > 0)
        text += u"; the plan states %1"_s.arg(countText(stated));
    return text;
}

QTreeWidget *partsTable(const ArchitectureChart &chart)
{
    auto *table = new QTreeWidget;
    table->setAccessibleName(u"Parameters by what they are for"_s);
    table->setRootIsDecorated(false);
    table->setHeaderLabels({u"Part"_s, u"Parameters"_s, u"Share"_s, u"How it is counted"_s});
    const auto add = [table](const QStringList &cells) {
        auto *item = new QTreeWidgetItem(table, cells);
        item->setToolTip(Counted, cells[Counted]);
        for (const int column : {Parameters, Share})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    for (const ModelPartCount &part : chart.parts()) {
        QPixmap swatch(10, 10);
        swatch.fill(modelPartColor(part.part));
        add({modelPartName(part.part), countText(part.count), shareText(part.count, chart.total()),
             toQString(part.formula)})
            ->setIcon(Part, swatch);
    }
    add({u"All"_s, countText(chart.total()), u"100 %"_s, QString()});
    for (const int column : {Parameters, Share})
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    for (int column = 0; column < CardColumnCount; ++column)
        table->resizeColumnToContents(column);
    return table;
}

} // namespace

ModelCard::ModelCard(QWidget *parent)
    : QWidget(parent)
    , m_fold(quietButton({}))
    , m_details(quietButton(u"details…"_s))
    , m_chart(new ArchitectureChart)
{
    for (QToolButton *button : {m_fold, m_details})
        button->setFocusPolicy(Qt::TabFocus);
    m_details->setAccessibleName(u"Details of the parameters"_s);
    m_details->setToolTip(u"Every part with its exact count and how it is counted"_s);
    QHBoxLayout *head = row({m_fold, EmptyRoom{0}, m_details}, kStyleSpacing);
    setLayout(column({head, m_chart}, 2, {0, 1, 0, 3}));
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
    connect(m_details, &QToolButton::clicked, this, &ModelCard::openDetails);
    setFolded(true);
    hide();
}

void ModelCard::showModel(const Architecture &architecture, std::int64_t stated)
{
    if (architecture == m_architecture && stated == m_stated)
        return;
    m_architecture = architecture;
    m_stated = stated;
    m_chart->setArchitecture(architecture);
    setVisible(!m_chart->parts().empty());
    showHead();
}

void ModelCard::setFolded(bool folded)
{
    m_folded = folded;
    m_chart->setVisible(!folded);
    showHead();
}

void ModelCard::showHead()
{
    if (m_chart->parts().empty())
        return;
    const ParameterCounts counts = countParameters(m_architecture);
    const QString total = shortCountText(counts.total);
    const QString text = m_stated > 0 ? u"%1, stated %2"_s.arg(total, shortCountText(m_stated))
                         : counts.active != counts.total
                             ? u"%1, %2 active"_s.arg(total, shortCountText(counts.active))
                             : total + u" parameters"_s;
    const QString exact = parameterCountText(counts, m_stated);
    m_fold->setText((m_folded ? u"▸ "_s : u"▾ "_s) + text);
    m_fold->setToolTip(exact + (m_folded ? u"\nShow what they are for"_s : u"\nFold"_s));
    m_fold->setAccessibleName(exact + (m_folded ? u", folded"_s : u", unfolded"_s));
}

void ModelCard::openDetails()
{
    auto *chart = new ArchitectureChart;
    chart->setArchitecture(m_architecture);
    showDetails(this, u"What the model consists of"_s,
                parameterCountText(countParameters(m_architecture), m_stated),
                {chart, dimLabel(chart->rowWords()), partsTable(*chart)}, {860, 560});
}

} // namespace vramscope
