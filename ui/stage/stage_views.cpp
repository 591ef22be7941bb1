// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_views.h"

#include "core/table/table.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/stage/slide.h"
#include "ui/stage/slide_table.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

namespace vramscope {

namespace {

constexpr Bytes kLeastShare = 500;    ///< of the whole: below a 500th a bar is a hairline
constexpr double kMostRowHeight = 64; ///< of a waterfall

/// A view over a table, which is as high as it needs.
class StackedView : public QWidget
{
public:
    StackedView(std::shared_ptr<QWidget> view, std::shared_ptr<SlideTableView> table)
        : m_view(std::move(view))
        , m_table(std::move(table))
    {
        for (QWidget *part : {m_view.get(), static_cast<QWidget *>(m_table.get())})
            part->setParent(this);
        setBackgroundRole(m_view->backgroundRole());
        setSizePolicy(m_view->sizePolicy());
    }
    ~StackedView() override
    {
        for (QWidget *part : {m_view.get(), static_cast<QWidget *>(m_table.get())})
            part->setParent(nullptr); // whoever made it may show it again
    }

protected:
    void resizeEvent(QResizeEvent *) override
    {
        const double high =
            tableRoom(shownRows(m_table->table()), height() / kViewPoint, slideWidth) * kViewPoint;
        const int top = static_cast<int>(height() - high);
        m_table->setGeometry(0, top, width(), height() - top);
        m_view->setGeometry(0, 0, width(), top - static_cast<int>(kPartGap * kViewPoint));
    }

private:
    std::shared_ptr<QWidget> m_view;
    std::shared_ptr<SlideTableView> m_table;
};

} // namespace

std::shared_ptr<QWidget> partsView(const PartBytes &parts, ByteUnit unit)
{
    const Bytes total = totalOf(parts);
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
    chart->setFont(typeFont(chart.get(), Type::Lead));
    chart->setUnit(unit);
    chart->setCutOff(true);
    chart->setMostRowHeight(kMostRowHeight);
    chart->setBars(bars, emptyText);
    return chart;
}

SlideTable slideTable(const DataTable &table, const std::vector<FactRow> &rows)
{
    SlideTable made;
    for (const DataTable::Column &column : table.columns) {
        if (!column.isShown)
            continue;
        if (column.isText())
            made.words.push_back(static_cast<int>(made.columns.size()));
        made.columns.push_back(printable(column.title));
    }
    for (const FactRow &row : rows) {
        if (row.strong)
            made.strong = made.rows.size();
        std::vector<std::string> &cells = made.rows.emplace_back();
        for (const FactCell &cell : row.cells)
            cells.push_back(cell.text.toStdString());
    }
    return made;
}

std::shared_ptr<QWidget> tableView(const SlideTable &table)
{
    return std::make_shared<SlideTableView>(table);
}

std::shared_ptr<QWidget> tableView(const DataTable &table, ByteUnit unit)
{
    return tableView(slideTable(table, factRows(table, unit)));
}

std::shared_ptr<QWidget> sceneView(const StageScene &scene)
{
    if (!scene.table)
        return scene.view;
    auto table = std::make_shared<SlideTableView>(*scene.table);
    if (!scene.view)
        return table;
    return std::make_shared<StackedView>(scene.view, std::move(table));
}

StageScene onCard(StageScene scene)
{
    if (scene.view)
        scene.view->setBackgroundRole(QPalette::Base);
    return scene;
}

} // namespace vramscope
