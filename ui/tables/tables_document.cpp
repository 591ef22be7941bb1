// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/tables_document.h"

#include "core/describe/profile_tables.h"
#include "core/profile/kernel_counters.h"
#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/models/data_table_view.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/page/tabbed_tables.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// With the column that names the rows in front.
DataTable shownTable(const std::shared_ptr<const ProfilerTables> &tables, const CellTable &table)
{
    DataTable shown = profilerTable(table);
    shown.owner = tables;
    constexpr std::array<std::string_view, 5> kNames{"Kernel Name", "Name", "Range", "Operation",
                                                     "NVTX Range"};
    const auto name = std::ranges::find_if(shown.columns, [&](const DataTable::Column &column) {
        return std::ranges::find(kNames, column.key) != kNames.end();
    });
    if (name != shown.columns.end())
        std::rotate(shown.columns.begin(), name, name + 1);
    if (shown.rows == 0)
        shown.note = "There are no rows: nothing of this kind was recorded";
    return shown;
}

const QString kTab = u"tab"_s; ///< in what a page keeps

/// "CUDA API Summary" of "CUDA API Summary (cuda_api_sum)".
QString tabTitle(const QString &title)
{
    const qsizetype report = title.endsWith(u')') ? title.lastIndexOf(u" ("_s) : -1;
    QString shown = report > 0 ? title.first(report) : title;
    return shown.replace(u'&', u"&&"_s);
}

/// What nsys stats or Nsight Compute wrote: a sentence about it, what is unknown about it, and its
/// tables, one at a time. Sizes are as the tool wrote them, whatever the unit.
class TablesPage : public DocumentPage
{
public:
    explicit TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent = nullptr);

    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return QStringLiteral("profile#tables-of-nsight");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;

private:
    [[nodiscard]] const DataTable &shown() const;
    void showTable();

    std::shared_ptr<const TablesDocument> m_document;
    DataTableView *m_view;
    TabbedTables *m_tables;
};

TablesPage::TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_view(new DataTableView(u"Table of the profiler"_s))
    , m_tables(new TabbedTables({}, m_view))
{
    QTabBar &tabs = *m_tables->tabs();
    tabs.setUsesScrollButtons(true);
    tabs.setElideMode(Qt::ElideRight);
    for (const DataTable &table : m_document->shown) {
        const QString title = foreignText(table.title);
        tabs.setTabToolTip(tabs.addTab(tabTitle(title)), tipHtml(title));
    }
    m_tables->note()->setMinimumWidth(1); // the names of tables come first
    QLineEdit *search = searchField(u"Find by name"_s, 30, u"Rows by their name"_s);
    search->setFixedWidth(180);
    m_tables->addAfterNote(search);
    setLayout(column({new PageHead({tablesHeadline(*m_document->tables),
                                    {{tablesNotes(*m_document->tables).join(u' ')}}}),
                      {m_tables, 1}}));
    connect(search, &QLineEdit::textChanged, m_view, &DataTableView::setSearch);
    connect(m_tables, &TabbedTables::tabChanged, this, &TablesPage::showTable);
    showTable();
}

const DataTable &TablesPage::shown() const
{
    return m_document->shown[static_cast<std::size_t>(m_tables->tab())];
}

void TablesPage::showTable()
{
    m_tables->setNote(foreignText(shown().note));
    m_view->setTable(shown(), unit());
    Q_EMIT statusChanged();
}

QString TablesPage::statusText() const
{
    return countedText(static_cast<std::int64_t>(shown().rows), "row") + u" · "_s +
           countedText(std::ssize(shown().columns), "column");
}

Table TablesPage::table(qsizetype most) const
{
    return tableOf(*m_view->model(), foreignText(shown().title), most);
}

QVariantMap TablesPage::chosen(const Redaction *) const
{
    return {{kTab, m_tables->tab()}};
}

void TablesPage::restore(const QVariantMap &chosen)
{
    m_tables->setTab(chosen[kTab].toInt());
}

} // namespace

std::unique_ptr<DocumentPage> TablesDocument::makePage(const QString &, const QString &,
                                                       QWidget *parent) const
{
    return std::make_unique<TablesPage>(shared<TablesDocument>(), parent);
}

DocumentKind TablesDocument::kind() const
{
    return {toQString(textOf(tables->tool)), u"profile"_s,
            u"These are tables of a profiler; their view is profile."_s};
}

void TablesDocument::gatherNames(Redaction &redaction) const
{
    vramscope::gatherNames(redaction, *tables);
}

DocumentPointer TablesDocument::withoutNames(const Redaction &redaction, const Progress &) const
{
    return analyse(redacted(*tables, redaction));
}

std::shared_ptr<const TablesDocument> analyse(std::shared_ptr<const ProfilerTables> tables,
                                              const Progress &)
{
    auto document = std::make_shared<TablesDocument>();
    if (!tables->launches.empty())
        document->shown.push_back(countedKernelsTable(*tables));
    for (const CellTable &table : tables->tables)
        document->shown.push_back(shownTable(tables, table));
    document->tables = std::move(tables);
    return document;
}

QString tablesHeadline(const ProfilerTables &tables)
{
    if (tables.launches.empty())
        return u"%1: %2."_s.arg(
            toQString(textOf(tables.tool)),
            toQString(counted(static_cast<std::int64_t>(tables.tables.size()), "table")));
    const auto launches = static_cast<std::int64_t>(tables.launches.size());
    const auto kernels = static_cast<std::int64_t>(countedKernels(tables).size());
    return u"Nsight Compute: %1 of %2."_s.arg(countedText(launches, "launch"),
                                              toQString(counted(kernels, "kernel")));
}

QStringList tablesNotes(const ProfilerTables &tables)
{
    QStringList notes;
    for (const std::string &problem : tables.problems)
        notes << foreignText(problem);
    if (tables.tool == TableTool::NsysStats)
        notes << u"nsys made these of a recording; that itself, with its timeline, is the .sqlite "
                 "file beside them."_s;
    else if (!tables.launches.empty())
        notes << toQString(kCounterTimes)
              << u"To see them beside the kernels of the run, drop this file with Ctrl on the page "
                 u"of "
                 "the run's profiler trace, or choose Trace → Compare with there."_s;
    return notes;
}

} // namespace vramscope
