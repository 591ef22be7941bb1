// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_views.h"

#include "ui/charts/stacked_bar_chart.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <numeric>

namespace vramscope {

namespace {

constexpr Bytes kLeastShare = 500;    ///< of the whole: below a 500th a bar is a hairline
constexpr double kMostRowHeight = 64; ///< of a waterfall
constexpr double kWaterfallType = 1.2;

/// A table at the top of its place, that says how wide its columns are.
class TableView : public QWidget
{
public:
    explicit TableView(FactTable *table)
        : m_table(table)
    {
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(table);
        layout->addStretch();
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    }
    [[nodiscard]] FactTable *table() const { return m_table; }
    [[nodiscard]] QSize sizeHint() const override
    {
        return {m_table->horizontalHeader()->length(), m_table->height()};
    }

private:
    FactTable *m_table;
};

} // namespace

std::shared_ptr<QWidget> partsView(const PartBytes &parts, ByteUnit unit)
{
    const Bytes total = std::accumulate(parts.begin(), parts.end(), Bytes(0));
    StackedBars bars;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (parts[part] == 0 || parts[part] < total / kLeastShare)
            continue;
        StackedBar bar{partName(part), {}};
        bar.parts[part] = parts[part];
        bars.bars.push_back(bar);
    }
    auto chart = std::make_shared<StackedBarChart>(Qt::Horizontal);
    chart->setUnit(unit);
    chart->setLegendVisible(false);
    chart->setContent(bars);
    return chart;
}

std::shared_ptr<QWidget> waterfallView(const std::vector<WaterfallBar> &bars,
                                       const QString &emptyText, ByteUnit unit)
{
    auto chart = std::make_shared<WaterfallChart>();
    QFont font = chart->font();
    font.setPointSizeF(font.pointSizeF() * kWaterfallType);
    chart->setFont(font);
    chart->setUnit(unit);
    chart->setCutOff(true);
    chart->setMostRowHeight(kMostRowHeight);
    chart->setBars(bars, emptyText);
    return chart;
}

std::shared_ptr<QWidget> tableView(const QString &name, const QStringList &columns,
                                   std::vector<int> words, std::vector<FactRow> rows)
{
    auto view = std::make_shared<TableView>(new FactTable(name, columns, std::move(words)));
    view->table()->setRows(std::move(rows));
    return view;
}

StageScene onCard(StageScene scene)
{
    if (scene.view)
        scene.view->setBackgroundRole(QPalette::Base);
    return scene;
}

} // namespace vramscope
