// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_views.h"

#include "core/table/table.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <array>
#include <numeric>

namespace vramscope {

namespace {

constexpr Bytes kLeastShare = 500;    ///< of the whole: below a 500th a bar is a hairline
constexpr double kMostRowHeight = 64; ///< of a waterfall
constexpr double kWaterfallType = 1.2;
constexpr int kTableShare = 42; ///< hundredths of the width, if next to a view
constexpr int kBetween = 24;

/// A table at the top of its place; prefers the width of its columns.
class TableView : public QWidget
{
public:
    explicit TableView(FactTable *table)
        : m_table(table)
    {
        setLayout(column({table, EmptyRoom{0}}, kStyleSpacing));
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

/// A table and a view side by side, as high as the larger preferred height.
class BesideView : public QWidget
{
public:
    BesideView(std::shared_ptr<QWidget> table, std::shared_ptr<QWidget> view)
        : m_parts{std::move(table), std::move(view)}
    {
        QHBoxLayout *layout =
            row({{m_parts[0].get(), kTableShare}, {m_parts[1].get(), 100 - kTableShare}}, kBetween);
        setLayout(layout);
        if (m_parts[1]->sizePolicy().verticalPolicy() == QSizePolicy::Maximum)
            layout->setAlignment(m_parts[1].get(), Qt::AlignTop);
        setBackgroundRole(m_parts[1]->backgroundRole());
        setSizePolicy(m_parts[1]->sizePolicy());
    }
    ~BesideView() override
    {
        for (const auto &part : m_parts) // whoever made it may show it again
            part->setParent(nullptr);
    }

    /// The table wraps its words; the view's words are never cut.
    [[nodiscard]] QSize sizeHint() const override
    {
        const QSize view = m_parts[1]->sizeHint();
        return {view.width() * 100 / (100 - kTableShare) + kBetween,
                std::max(view.height(), m_parts[0]->sizeHint().height())};
    }

private:
    std::array<std::shared_ptr<QWidget>, 2> m_parts;
};

std::shared_ptr<QWidget> viewOfTable(const StageTable &table)
{
    std::vector<FactRow> rows;
    for (const QStringList &cells : table.rows) {
        FactRow row;
        for (const QString &cell : cells)
            row.cells.push_back({cell, {}});
        row.strong = table.strong == rows.size();
        rows.push_back(std::move(row));
    }
    auto made = std::make_shared<TableView>(
        new FactTable(QStringLiteral("Table"), table.columns, table.words));
    made->table()->setRows(std::move(rows));
    made->table()->horizontalHeader()->setVisible(!table.columns.join(QString()).isEmpty());
    made->setBackgroundRole(QPalette::Base);
    return made;
}

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

std::shared_ptr<QWidget> tableView(const DataTable &table, ByteUnit unit)
{
    auto view = std::make_shared<TableView>(new FactTable(toQString(table.title)));
    view->table()->setTable(table, unit);
    return view;
}

std::shared_ptr<QWidget> sceneView(const StageScene &scene)
{
    if (!scene.table)
        return scene.view;
    const std::shared_ptr<QWidget> table = viewOfTable(*scene.table);
    return scene.view ? std::make_shared<BesideView>(table, scene.view) : table;
}

StageScene onCard(StageScene scene)
{
    if (scene.view)
        scene.view->setBackgroundRole(QPalette::Base);
    return scene;
}

} // namespace vramscope
