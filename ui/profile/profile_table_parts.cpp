// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_parts.h"

#include "core/base/counted.h"
#include "core/report/tables.h"
#include "core/trace/problem_text.h"
#include "ui/export/exported_view.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kStagedColumns = 7;
constexpr qsizetype kStagedName = 38; // characters

/// The end of a path of operators, and a long name without its middle.
QString shortened(const QString &text)
{
    if (text.size() <= kStagedName)
        return text;
    QString name = text.section(u" > "_s, -1).section(u" › "_s, -1);
    if (name.startsWith(u"void "_s))
        name.remove(0, 5);
    if (name.size() <= kStagedName)
        return name;
    const qsizetype half = (kStagedName - 1) / 2;
    return name.first(half) + u'…' + name.last(half);
}

} // namespace

StageScene tableScene(const DataTable &table, ByteUnit unit, std::size_t most)
{
    DataTable staged = table;
    staged.columns.resize(std::min(table.columns.size(), kStagedColumns));
    std::vector<FactRow> rows = factRows(staged, most, unit);
    for (FactRow &row : rows)
        for (FactCell &cell : row.cells)
            cell.text = shortened(cell.text);
    const QString title = foreignText(table.title);
    return {table.rows == 0 ? foreignText(table.note) : title, tableView(slideTable(staged, rows))};
}

StageItem tableItem(const QString &name, const QString &title, std::function<DataTable()> table,
                    ByteUnit unit, bool shown)
{
    return {"table:" + name.toStdString(), title,
            [table = std::move(table), unit] { return onCard(tableScene(table(), unit)); }, shown};
}

namespace {

/// Bars above a view that others may share, which it shows for as long as it exists.
class StagedBars : public QWidget
{
public:
    StagedBars(std::vector<BarTimes> times, BarScale scale, std::shared_ptr<QWidget> below)
        : m_below(std::move(below))
    {
        auto *bar = new BreakdownBar;
        bar->setCommonScale(scale == BarScale::Common);
        bar->setTimes(std::move(times));
        auto *layout = new QVBoxLayout(this);
        layout->setSpacing(24);
        layout->addWidget(bar);
        if (m_below)
            layout->addWidget(m_below.get());
        layout->addStretch(1);
    }
    ~StagedBars() override
    {
        if (m_below)
            m_below->setParent(nullptr);
    }
    StagedBars(const StagedBars &) = delete;
    StagedBars &operator=(const StagedBars &) = delete;

private:
    std::shared_ptr<QWidget> m_below;
};

} // namespace

std::shared_ptr<QWidget> stagedBars(std::vector<BarTimes> times, BarScale scale,
                                    const StageScene &below)
{
    return std::make_shared<StagedBars>(std::move(times), scale, below.view);
}

ReportFigure barsFigure(std::string id, std::vector<BarTimes> times, BarScale scale)
{
    return {std::move(id), [times = std::move(times), scale](int width, const Theme &theme) {
                BreakdownBar bar;
                bar.setCommonScale(scale == BarScale::Common);
                bar.setTimes(times);
                return widgetDrawing(bar, {width, bar.heightForWidth(width)}, theme);
            }};
}

QStringList problemLines(const ProfileDocument &document, const QString &prefix)
{
    QStringList lines;
    for (const Problem &each : document.study->problems())
        lines << prefix + foreignText(document.shown(problemText(each)));
    return lines;
}

QLabel *problemsLabel(const QStringList &problems)
{
    QLabel *label = textLabel({}, u"warn"_s);
    label->setContentsMargins(16, 6, 16, 6);
    showProblems(*label, problems);
    return label;
}

void showProblems(QLabel &label, const QStringList &problems)
{
    constexpr qsizetype kMostLines = 4;
    const bool isCut = problems.size() > kMostLines; // the last line then counts the others
    QStringList shown = problems.mid(0, isCut ? kMostLines - 1 : kMostLines);
    if (isCut)
        shown << toQString(counted(problems.size() - shown.size(), "more problem")) +
                     u": point here to read all."_s;
    label.setText(shown.join(u'\n'));
    label.setToolTip(
        u"<p>%1</p>"_s.arg(problems.join(u'\n').toHtmlEscaped().replace(u'\n', u"<br>"_s)));
    label.setVisible(!problems.isEmpty());
}

void addProblems(Report &report, const QStringList &problems)
{
    for (const QString &each : problems)
        addParagraph(report, each.toStdString(), Tone::Problem);
}

} // namespace vramscope
