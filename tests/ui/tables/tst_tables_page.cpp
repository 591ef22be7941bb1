// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redaction.h"
#include "tests/support/test.h"
#include "ui/document/document_page.h"
#include "ui/models/data_table_view.h"
#include "ui/offscreen/read_document.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_tables.h"
#include "ui/tables/tables_document.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QByteArray kSums = "Processing [r.sqlite] with [reports/cuda_gpu_kern_sum.py]...\n"
                         "Time (%),Total Time (ns),Instances,Name\n"
                         "10.0,100,1,scale\n90.0,1500000,3,\"gemm(int, int)\"\n"
                         "\n ** CUDA API Summary (cuda_api_sum):\n\n"
                         "Time (%),Total Time (ns),Num Calls,Name\n100.0,5,1,cudaMalloc\n";

const QByteArray kCounters =
    "\"ID\",\"Host Name\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
    "\"0\",\"alice-box\",\"gemm\",\"Achieved Occupancy\",\"%\",\"62.50\"\n"
    "\"0\",\"alice-box\",\"gemm\",\"Duration\",\"us\",\"4.50\"\n"
    "\"1\",\"alice-box\",\"other\",\"Achieved Occupancy\",\"%\",\"1.00\"\n";

const QByteArray kTrace = R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 4,
 "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "scale", "pid": 0, "tid": 7, "ts": 9, "dur": 4,
 "args": {"device": 0, "stream": 7}}]})";

QStringList titles(const DataTable &table)
{
    QStringList titles;
    for (const DataTable::Column &column : table.columns)
        titles << QString::fromStdString(column.title);
    return titles;
}

std::string textAt(const DataTable &table, std::size_t row, std::size_t column)
{
    return cellText(table.columns[column], table.cell(row, column));
}

} // namespace

/// Tables of nsys stats and Nsight Compute in the window, alone and beside a profiler trace.
class TablesPageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tablesOfNsysAreATabEach();
    void launchesAreShownTogetherAndOneByOne();
    void countersStandBesideTheKernelsOfATrace();
    void whatCannotBeJoinedSaysWhy();
    void namesOfMachinesAreTakenOut();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] Result<DocumentPointer> compared(const QString &one, const QString &other) const
    {
        return readComparison(toCompare({path(one), path(other)}), readDocument, {});
    }

    QTemporaryDir m_folder;
};

void TablesPageTest::initTestCase()
{
    const auto write = [&](const QString &name, const QByteArray &bytes) {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write(u"sums.csv"_s, kSums));
    QVERIFY(write(u"counters.csv"_s, kCounters));
    QVERIFY(write(u"others.csv"_s, QByteArray(kCounters).replace("gemm", "gemv")));
    QVERIFY(write(u"trace.json"_s, kTrace));
}

void TablesPageTest::tablesOfNsysAreATabEach()
{
    const auto document = readDocument(path(u"sums.csv"_s), {});
    QVERIFY(document.ok());
    QVERIFY(documentAs<TablesDocument>(*document));
    QVERIFY((*document)->unfitText(u"profile"_s).isEmpty());
    QVERIFY(!(*document)->unfitText(u"ranks"_s).isEmpty());
    const auto page = (*document)->makePage({}, {}, nullptr);
    const auto *view = page->findChild<DataTableView *>();
    QAbstractItemModelTester model(view->model());
    QCOMPARE(page->table(10).title, u"cuda_gpu_kern_sum"_s);
    QCOMPARE(titles(view->table()),
             (QStringList{u"Name"_s, u"Time (%)"_s, u"Total Time"_s, u"Instances"_s}));
    QCOMPARE(textAt(view->table(), 1, 0), "gemm(int, int)");
    QCOMPARE(view->table().cell(1, 2), DataTable::Cell(1'500'000));
    QCOMPARE(page->statusText(), u"2 rows · 4 columns"_s);
    page->restore({{u"tab"_s, 1}});
    QCOMPARE(page->table(10).title, u"CUDA API Summary (cuda_api_sum)"_s);
    QCOMPARE(page->chosen(nullptr)[u"tab"_s].toInt(), 1);
    page->restore({{u"tab"_s, 9}}); // of another file
    QCOMPARE(page->statusText(), u"1 row · 4 columns"_s);
}

void TablesPageTest::launchesAreShownTogetherAndOneByOne()
{
    const auto document = readDocument(path(u"counters.csv"_s), {});
    QVERIFY(document.ok());
    const auto shown = analyse(documentAs<TablesDocument>(*document)->tables);
    QCOMPARE(shown->shown.size(), 2U);
    QCOMPARE(shown->shown[0].rows, 2U);
    QCOMPARE(textAt(shown->shown[0], 0, 3), "62.5 %");
    QCOMPARE(textAt(shown->shown[0], 0, 4), "–"); // not collected
    QCOMPARE(textAt(shown->shown[1], 0, 0), "gemm");
    QCOMPARE(tablesHeadline(*shown->tables), u"Nsight Compute: 2 launches of 2 kernels."_s);
    QVERIFY(tablesNotes(*shown->tables).join(u' ').contains(u"locked clocks"_s));
}

void TablesPageTest::countersStandBesideTheKernelsOfATrace()
{
    for (const auto &document : {compared(u"trace.json"_s, u"counters.csv"_s),
                                 compared(u"counters.csv"_s, u"trace.json"_s)}) {
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().detail.c_str());
        QVERIFY((*document)->unfitText(u"compare"_s).isEmpty());
        const auto profile = documentAs<ProfileDocument>(*document);
        QVERIFY(profile);
        const DataTable table = profileTable(*profile, {}, {});
        const qsizetype at = titles(table).indexOf(u"Achieved occ."_s);
        QVERIFY(at > 0);
        QVERIFY(!titles(table).contains(u"DRAM"_s));
        QCOMPARE(textAt(table, 0, static_cast<std::size_t>(at)), "62.5 %");
        QCOMPARE(textAt(table, 1, static_cast<std::size_t>(at)), "–");
        QVERIFY(table.noteTip.find("1 of 2 launches") != std::string::npos);
        QVERIFY(table.noteTip.find("1 launch of kernels that were not recorded here") !=
                std::string::npos);
        const auto ruled = (*document)->withoutNames(Redaction());
        QVERIFY(
            documentAs<ProfileDocument>(ruled)->study->counters()); // what is made of it keeps them
    }
}

void TablesPageTest::whatCannotBeJoinedSaysWhy()
{
    const auto nothing = compared(u"trace.json"_s, u"others.csv"_s);
    QVERIFY(nothing.ok()); // nothing joined is an answer
    const DataTable table = profileTable(*documentAs<ProfileDocument>(*nothing), {}, {});
    QVERIFY(!titles(table).contains(u"Achieved occ."_s));
    QVERIFY(table.note.starts_with("Nothing of Nsight Compute's 2 launches"));
    const auto sums = compared(u"trace.json"_s, u"sums.csv"_s);
    QVERIFY(!sums.ok());
    QVERIFY(QString::fromStdString(sums.error().detail).contains(u"sums of nsys stats"_s));
    const auto two = compared(u"counters.csv"_s, u"sums.csv"_s);
    QVERIFY(!two.ok());
    QVERIFY(QString::fromStdString(two.error().detail).contains(u"joined to a profiler trace"_s));
}

void TablesPageTest::namesOfMachinesAreTakenOut()
{
    const auto document = readDocument(path(u"counters.csv"_s), {});
    Redaction redaction;
    (*document)->gatherNames(redaction);
    const auto without = documentAs<TablesDocument>((*document)->withoutNames(redaction))->tables;
    QCOMPARE(without->tables.front().cell(0, 1), "host");
    QCOMPARE(without->launches.size(), 2U);
    QCOMPARE(without->launches[0].name, "gemm");
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TablesPageTest)
#include "tst_tables_page.moc"
