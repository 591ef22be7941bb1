// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_study.h"
#include "core/ranks/summarize_folder.h"
#include "core/readers/read_trace.h"
#include "core/report/report.h"
#include "core/trace/redaction.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test.h"
#include "ui/document/document_page.h"
#include "ui/export/report_figure.h"
#include "ui/models/data_table_view.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_page.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_items.h"
#include "ui/ranks/ranks_document.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <filesystem>
#include <variant>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Three ranks; rank 2 computes longer and so comes last in all six collectives.
RunStudyPointer lateRanks()
{
    const auto folder =
        readProfileFolder(test::projectFile(u"tests/data/profiles/late"_s).toStdString());
    return folder.ok() ? runStudy(*folder) : nullptr;
}

/// One all-reduce of each rank that ends at the same moment, with the start that it has.
RunStudyPointer ranksOf(const std::vector<int> &starts, const QTemporaryDir &folder)
{
    for (std::size_t rank = 0; rank < starts.size(); ++rank) {
        QFile file(folder.filePath(u"rank%1.json"_s.arg(rank)));
        if (!file.open(QIODevice::WriteOnly))
            return nullptr;
        file.write(
            u"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": %1, \"world_size\": "
            "%2}, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": "
            "\"ncclDevKernel_AllReduce_Sum_f32\", \"pid\": 0, \"tid\": 7, \"ts\": %3, "
            "\"dur\": %4, \"args\": {\"device\": 0, \"stream\": 7, \"Collective name\": "
            "\"allreduce\", \"Process Group Name\": \"of alice\", \"Group size\": %2, "
            "\"In msg nelems\": 100, \"Out msg nelems\": 100, \"dtype\": \"Float\"}}]}"_s.arg(rank)
                .arg(starts.size())
                .arg(starts[rank])
                .arg(1000 - starts[rank])
                .toUtf8());
    }
    const auto read = readProfileFolder(folder.path().toStdString());
    return read.ok() ? runStudy(*read) : nullptr;
}

DocumentPointer ranksDocument(const RunStudyPointer &study)
{
    return std::make_shared<const RanksDocument>(study);
}

QStringList column(const DataTable &table, const QString &title)
{
    const auto of =
        std::ranges::find(table.columns, title.toStdString(), &DataTable::Column::title);
    QStringList texts;
    for (std::size_t row = 0; row < table.rows; ++row)
        texts << shownText(*of, of->cell(row), ByteUnit::Binary);
    return texts;
}

} // namespace

class RankTimesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theLateRankIsTheAnswer();
    void whereAllComeAtOnceNobodyIsLate();
    void oneRankAloneHasNothingBesideIt();
    void barsStandOnOneScale();
    void tablesTellWaitsAndClocks();
    void targetsAreJudged();
    void whatCannotBeReadIsSaid();
    void foldersAreToldApart();
    void aRowOpensItsTrace();
    void thePageComesBackAsItWas();
    void namesOfPeopleAreTakenOut();
    void reportAndPresentationTellTheSame();
    void summariesOfTracesAloneOpen();
};

void RankTimesTest::theLateRankIsTheAnswer()
{
    const auto folder = lateRanks();
    QVERIFY(folder != nullptr);
    QVERIFY2(headlineOf(*folder, ByteUnit::Binary)
                 .startsWith(u"Rank 2 came last in 6 of 6 collectives"_s),
             qPrintable(headlineOf(*folder, ByteUnit::Binary)));
    const QString more = spreadText(*folder, ByteUnit::Binary);
    QVERIFY2(more.startsWith(u"The slowest step is step "_s), qPrintable(more));
    QVERIFY2(more.contains(u"Rank 2 has 4.89 ms less exposed comm"_s), qPrintable(more));
}

void RankTimesTest::whereAllComeAtOnceNobodyIsLate()
{
    const QTemporaryDir place;
    const auto folder = ranksOf({100, 100, 100}, place);
    QVERIFY(folder != nullptr);
    QVERIFY2(headlineOf(*folder, ByteUnit::Binary).startsWith(u"No rank is clearly later"_s),
             qPrintable(headlineOf(*folder, ByteUnit::Binary)));
    const DataTable ranks = shownTable(*folder, RanksTab::Ranks, ByteUnit::Binary);
    QCOMPARE(column(ranks, u"Came last"_s), (QStringList{u"0"_s, u"0"_s, u"0"_s}));
    const DataTable calls = shownTable(*folder, RanksTab::Collectives, ByteUnit::Binary);
    QCOMPARE(column(calls, u"Last rank"_s), QStringList{u"several"_s});
}

void RankTimesTest::oneRankAloneHasNothingBesideIt()
{
    const QTemporaryDir place;
    const auto folder = ranksOf({100}, place);
    QVERIFY(folder != nullptr);
    QVERIFY(
        headlineOf(*folder, ByteUnit::Binary).startsWith(u"There is no other profiler trace"_s));
}

void RankTimesTest::barsStandOnOneScale()
{
    const QTemporaryDir place;
    RanksPage page(ranksOf({0, 500, 750}, place));
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1280, 720);
    page.show();
    const BreakdownBar &bar = *page.bar();
    QCOMPARE(bar.times().size(), std::size_t(3));
    const auto width = [&](std::size_t rank) {
        return bar.partRect(rank, BarPart::Communication).width();
    };
    QVERIFY(std::abs(width(0) - 2 * width(1)) <= 2);
    QVERIFY(std::abs(width(1) - 2 * width(2)) <= 2);
}

void RankTimesTest::tablesTellWaitsAndClocks()
{
    const QTemporaryDir place;
    const auto folder = ranksOf({0, 500, 750}, place);
    const DataTable ranks = shownTable(*folder, RanksTab::Ranks, ByteUnit::Binary);
    QCOMPARE(column(ranks, u"Waited"_s), (QStringList{u"750 µs"_s, u"250 µs"_s, u"0 ns"_s}));
    QCOMPARE(column(ranks, u"Came last"_s), (QStringList{u"0"_s, u"0"_s, u"1"_s}));
    QCOMPARE(column(ranks, u"Clock"_s), (QStringList{u"0 ns"_s, u"0 ns"_s, u"0 ns"_s}));
    QCOMPARE(column(ranks, u"File"_s),
             (QStringList{u"rank0.json"_s, u"rank1.json"_s, u"rank2.json"_s}));
    const DataTable calls = shownTable(*folder, RanksTab::Collectives, ByteUnit::Binary);
    QCOMPARE(column(calls, u"Transfer"_s), QStringList{u"250 µs"_s});
    QCOMPARE(column(calls, u"Longest wait"_s), QStringList{u"750 µs"_s});
    QCOMPARE(column(calls, u"Last rank"_s), QStringList{u"2"_s});
    QCOMPARE(column(calls, u"Size"_s), QStringList{u"400 B"_s});
    const DataTable matches = shownTable(*folder, RanksTab::Matches, ByteUnit::Binary);
    QCOMPARE(column(matches, u"Matched by"_s), QStringList{u"order: equal counts"_s});
}

void RankTimesTest::targetsAreJudged()
{
    const auto late = lateRanks();
    const DataTable runs = shownTable(*late, RanksTab::Runs, ByteUnit::Binary);
    QCOMPARE(column(runs, u"Compute"_s),
             (QStringList{u"75.2 % low"_s, u"75.2 % low"_s, u"97.7 % ok"_s}));
    QVERIFY(column(runs, u"Of"_s).front().endsWith(u"3 steps"_s));
    QCOMPARE(column(runs, u"Peak memory"_s).size(), 3);
}

void RankTimesTest::whatCannotBeReadIsSaid()
{
    const QTemporaryDir place;
    QFile whole(test::projectFile(u"tests/data/profiles/late/rank0.json.gz"_s));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QFile broken(place.filePath(u"rank9.json.gz"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(whole.read(200)); // cut off while it was copied
    broken.close();
    QVERIFY(QFile::copy(test::projectFile(u"README.md"_s), place.filePath(u"README.md"_s)));
    const auto folder = ranksOf({0, 500}, place);
    QVERIFY(folder != nullptr);
    const QString notes = coverageLines(*folder).join(u'\n');
    QVERIFY2(notes.contains(u"rank9.json.gz cannot be used. "_s), qPrintable(notes));
    QVERIFY2(notes.contains(u"1 file in the folder is no profiler trace."_s), qPrintable(notes));
}

void RankTimesTest::foldersAreToldApart()
{
    const auto isProfiles = [](const QString &path) {
        return isProfileFolder(test::projectFile(path).toStdString());
    };
    QVERIFY(isProfiles(u"tests/data/profiles/late"_s)); // which is packed
    QVERIFY(!isProfiles(u"resources/examples"_s));
    QVERIFY(!isProfiles(u"no such folder"_s));
}

void RankTimesTest::aRowOpensItsTrace()
{
    const QTemporaryDir place;
    RanksPage page(ranksOf({0, 500}, place));
    const QSignalSpy opened(&page, &RanksPage::openWanted);
    Q_EMIT page.view()->activated(page.view()->model()->index(1, 3));
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.front().front().toString(), place.filePath(u"rank1.json"_s));
    page.setTab(RanksTab::Collectives); // whose rows are of no rank
    Q_EMIT page.view()->activated(page.view()->model()->index(0, 0));
    QCOMPARE(opened.size(), 1);

    const QTemporaryDir shared; // of one recording with all ranks
    QFile file(shared.filePath(u"report.sqlite"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(test::sampleNsightExport()));
    file.close();
    const auto folder = readProfileFolder(shared.path().toStdString());
    QVERIFY(folder.ok());
    const RunStudyPointer ofOne = runStudy(*folder);
    RanksPage both(ofOne);
    QCOMPARE(column(shownTable(*ofOne, RanksTab::Ranks, ByteUnit::Binary), u"File"_s),
             (QStringList{u"report.sqlite, GPU 0 of process 11"_s,
                          u"report.sqlite, GPU 1 of process 12"_s}));
    QCOMPARE(column(shownTable(*ofOne, RanksTab::Ranks, ByteUnit::Binary), u"Rank"_s),
             (QStringList{u"GPU 0 of process 11"_s, u"GPU 1 of process 12"_s}));
    QCOMPARE(column(shownTable(*ofOne, RanksTab::Ranks, ByteUnit::Binary), u"Clock"_s),
             (QStringList{u"the same"_s, u"the same"_s}));
    QVERIFY(headlineOf(*ofOne, ByteUnit::Binary).contains(u"GPU"_s));
    QVERIFY(!headlineOf(*ofOne, ByteUnit::Binary).contains(u'?'));
    const QSignalSpy openedBoth(&both, &RanksPage::openWanted);
    Q_EMIT both.view()->activated(both.view()->model()->index(1, 3));
    QCOMPARE(openedBoth.size(), 1);
    QCOMPARE(openedBoth.front().front().toString(), file.fileName());

    const auto recording = readRecording(file.fileName().toStdString());
    QVERIFY(recording.ok());
    const auto profile = std::get<std::shared_ptr<const Profile>>(*recording);
    const auto ofDevices = devicesAsRanks(profile, file.fileName().toStdString());
    QCOMPARE(ofDevices->path, (*folder)->path);
    QCOMPARE(ofDevices->ranks.ranks.size(), 2U);
    QCOMPARE(ofDevices->ranks.ranks[1].fileName(), std::string("report.sqlite"));
    ProfilePage recorded(analyse(profile));
    const QSignalSpy wanted(&recorded, &ProfilePage::comparisonWanted);
    for (QPushButton *button : recorded.findChildren<QPushButton *>()) {
        if (button->text() == u"Compare the GPUs as ranks"_s)
            button->click();
    }
    QCOMPARE(wanted.size(), 1);
}

void RankTimesTest::thePageComesBackAsItWas()
{
    const DocumentPointer document = ranksDocument(lateRanks());
    const auto page = document->makePage({}, {}, nullptr);
    page->restore({{u"tab"_s, u"runs"_s}});
    QCOMPARE(page->table(10).title, u"Targets"_s);
    QCOMPARE(page->chosen(nullptr)[u"tab"_s], QVariant(u"runs"_s));
    QVERIFY(document->unfitText(u"ranks"_s).isEmpty());
    QVERIFY(!document->unfitText(u"profile"_s).isEmpty());
    QCOMPARE(document->files().size(), 3);
}

void RankTimesTest::namesOfPeopleAreTakenOut()
{
    const QTemporaryDir place;
    const DocumentPointer document = ranksDocument(ranksOf({0, 500}, place));
    Redaction redaction;
    redaction.gather("/home/alice/run", Redaction::Kind::Path);
    document->gatherNames(redaction);
    const auto page = document->withoutNames(redaction)->makePage({}, {}, nullptr);
    page->goTo(u"collectives"_s);
    const Table table = page->table(10);
    QCOMPARE(table.rows.size(), std::size_t(1));
    for (const auto &cell : table.rows.front())
        QVERIFY2(!cell.text.contains(u"alice"_s), qPrintable(cell.text));
}

void RankTimesTest::reportAndPresentationTellTheSame()
{
    const auto folder = lateRanks();
    const std::vector<StageItem> items = rankItems(folder, ByteUnit::Binary);
    QCOMPARE(items.size(), 1 + tabsOf(*folder).size());
    QCOMPARE(items.front().scene().headline, headlineOf(*folder, ByteUnit::Binary));
    Report report;
    const DocumentPointer document = ranksDocument(folder);
    document->addReportSection(report, "late", 1, ByteUnit::Binary);
    QVERIFY(report.blocks.size() > 4);
    QCOMPARE(document->reportFigures(1, {}).size(), std::size_t(1));
}

void RankTimesTest::summariesOfTracesAloneOpen()
{
    const QTemporaryDir out;
    SummaryTask task;
    task.folder = test::projectFile(u"tests/data/profiles/late"_s).toStdString();
    task.out = out.path().toStdString();
    QVERIFY(summarizeFolder(task).ok());
    const auto read = readRunStudy(out.path().toStdString());
    QVERIFY(read.ok());
    RanksPage page(ofSnapshots(*read));
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1280, 720);
    page.show();
    QVERIFY(page.heading().startsWith(u"Rank 2 came last in 6 of 6 collectives"_s));
    QVERIFY(page.grid() == nullptr && page.heatMap() == nullptr);
    QCOMPARE(page.bar()->times().size(), std::size_t(3));
    QCOMPARE(page.tab(), RanksTab::Ranks);
    QCOMPARE(column(page.view()->table(), u"Came last"_s), (QStringList{u"0"_s, u"0"_s, u"6"_s}));
    QCOMPARE(page.current(), std::size_t(2)); // the late one first
    page.setFilter(u"late"_s);
    QCOMPARE(page.bar()->times().size(), std::size_t(1));
    QCOMPARE(page.rank(0), std::size_t(2));
    Report report;
    ranksDocument(*read)->addReportSection(report, "late", 1, ByteUnit::Binary);
    QVERIFY(report.blocks.size() > 4);
    QVERIFY(!page.stageItems().empty());
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::RankTimesTest)
#include "tst_rank_times.moc"
