// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/offscreen/read_document.h"
#include "ui/planner/plan_document.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_page.h"
#include "ui/trace/trace_document.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000; // ns, where SampleTrace begins

/// A profile that runs while SampleTrace is recorded, or an hour later.
ProfilePointer profileAt(std::int64_t from)
{
    test::SampleProfile made;
    made.work("gemm", kStart + from, kStart + from + 2'000'000);
    return analyse(made.finish());
}

/// By its name: a snapshot, a profiler trace, one of an hour later, or a plan.
Result<DocumentPointer> readNamed(const QString &path, const Progress &)
{
    if (path.endsWith(u".pickle"_s))
        return DocumentPointer(analyse(test::SampleTrace().finish()));
    if (path.endsWith(u"later.json"_s))
        return DocumentPointer(profileAt(3'600'000'000'000));
    if (path.endsWith(u".json"_s))
        return DocumentPointer(profileAt(500'000));
    return DocumentPointer(planDocument(Plan()));
}

Result<DocumentPointer> compared(const QStringList &files)
{
    return readComparison(toCompare(files), readNamed, {});
}

QString whyNot(const QStringList &files)
{
    const auto document = compared(files);
    return document.ok() ? QString() : QString::fromStdString(document.error().detail);
}

} // namespace

class TestComparedProfiles : public test::Test
{
    Q_OBJECT

private slots:
    void aSnapshotLiesOverAProfileOfTheSameRun_data();
    void aSnapshotLiesOverAProfileOfTheSameRun();
    void whatCannotLieOverEachOtherSaysWhy();
    void aPlanIsComparedWithSnapshotsOnly();
    void twoProfilesStandBeforeAndAfter();
    void theNumberOfProfilesIsLimited();
    void aFileInAnOpenTabIsNotReadAgain();
    void pythonFunctionsAreReadWhenAsked();
    void aFolderOfProfilesOpensAsOne();
};

void TestComparedProfiles::aSnapshotLiesOverAProfileOfTheSameRun_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::newRow("profile first") << QStringList{u"run.json"_s, u"run.pickle"_s};
    QTest::newRow("snapshot first") << QStringList{u"run.pickle"_s, u"run.json"_s};
}

void TestComparedProfiles::aSnapshotLiesOverAProfileOfTheSameRun()
{
    QFETCH(const QStringList, files);
    const auto document = compared(files);
    QVERIFY2(document.ok(), qPrintable(whyNot(files)));
    const ProfilePointer profile = documentAs<ProfileDocument>(*document);
    QVERIFY(profile != nullptr);
    QVERIFY(profile->snapshot != nullptr);
    QCOMPARE(profile->memory.size(), std::size_t(1));
    QCOMPARE(profile->memory.front().source, ProfileMemoryCurves::Source::Snapshot);
    QCOMPARE((*document)->files().size(), 2); // which no export may replace
    QVERIFY((*document)->unfitText(u"compare"_s).isEmpty());
}

void TestComparedProfiles::whatCannotLieOverEachOtherSaysWhy()
{
    QVERIFY(whyNot({u"later.json"_s, u"run.pickle"_s}).contains(u"another time"_s));
    QVERIFY(whyNot({u"run.json"_s, u"plan.toml"_s}).startsWith(u"plan.toml: "_s));
}

void TestComparedProfiles::aPlanIsComparedWithSnapshotsOnly()
{
    const auto held = readReconciliation(toCompare({u"run.json"_s}).front(), readNamed, {});
    QVERIFY(!held.ok());
    QVERIFY(held.error().detail.find("profiler trace") != std::string::npos);
    const auto page = (*readNamed(u"run.json"_s, {}))->makePage(u"run"_s, u"run.json"_s, nullptr);
    QCOMPARE(page->compared().size(), std::size_t(1));
    QVERIFY(!page->snapshot().has_value()); // so no menu offers it to a plan
}

void TestComparedProfiles::twoProfilesStandBeforeAndAfter()
{
    const auto document = compared({u"run.json"_s, u"later.json"_s});
    QVERIFY2(document.ok(), qPrintable(whyNot({u"run.json"_s, u"later.json"_s})));
    QVERIFY((*document)->unfitText(u"compare"_s).isEmpty());
    const auto page = (*document)->makePage({}, {}, nullptr);
    QCOMPARE(page->helpTopic(), u"profile#before-and-after"_s);
    QCOMPARE(page->compared().size(), std::size_t(2));
    QVERIFY(!page->snapshot().has_value());
}

void TestComparedProfiles::theNumberOfProfilesIsLimited()
{
    const QString why = whyNot({u"a.json"_s, u"b.json"_s, u"c.json"_s});
    QVERIFY2(why.contains(u"two at a time"_s), qPrintable(why));
}

void TestComparedProfiles::aFileInAnOpenTabIsNotReadAgain()
{
    const auto open = readNamed(u"run.json"_s, {});
    std::vector<ComparedTrace> files = toCompare({u"run.json"_s, u"run.pickle"_s});
    files.front().profile = documentAs<ProfileDocument>(*open);
    QStringList read;
    const auto document = readComparison(files,
                                         [&](const QString &path, const Progress &progress) {
                                             read += QFileInfo(path).fileName();
                                             return readNamed(path, progress);
                                         },
                                         {});
    QVERIFY(document.ok());
    QCOMPARE(read, QStringList{u"run.pickle"_s});
}

void TestComparedProfiles::pythonFunctionsAreReadWhenAsked()
{
    const QTemporaryDir folder;
    QFile trace(folder.filePath(u"run.json"_s));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write(R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "train.py(3): main", "pid": 1, "tid": 1, "ts": 1, "dur": 90},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 5, "dur": 9},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 6, "dur": 4,
 "args": {"device": 0, "stream": 7, "correlation": 1}}]})");
    trace.close();
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    window.openFiles({trace.fileName()});
    DocumentTab *tab = window.tabs()->current();
    QTRY_COMPARE(tab->state(), DocumentTab::State::Ready);
    const auto profile = [&] {
        return documentAs<ProfileDocument>(tab->page()->document())->profile;
    };
    QCOMPARE(profile()->skippedPythonFunctions(), 1);
    const auto buttons = tab->page()->findChildren<QPushButton *>();
    const auto show = std::ranges::find_if(buttons, [](const QPushButton *each) {
        return each->text().endsWith(u"1 Python function"_s);
    });
    QVERIFY(show != buttons.end());
    (*show)->click();
    QTRY_COMPARE(tab->state(), DocumentTab::State::Ready);
    QCOMPARE(profile()->skippedPythonFunctions(), 0);
    QCOMPARE(profile()->text(profile()->ranges().name.front()),
             std::string_view("train.py(3): main"));
}

void TestComparedProfiles::aFolderOfProfilesOpensAsOne()
{
    const auto folder = readDocument(test::projectFile(u"tests/data/profiles/late"_s), {});
    QVERIFY(folder.ok());
    QVERIFY((*folder)->unfitText(u"ranks"_s).isEmpty());
    QCOMPARE((*folder)->files().size(), 3);
    const auto page = (*folder)->makePage({}, {}, nullptr);
    QCOMPARE(page->helpTopic(), u"profile#ranks"_s);
}

VRAMSCOPE_TEST(TestComparedProfiles)
#include "tst_compared_profiles.moc"
