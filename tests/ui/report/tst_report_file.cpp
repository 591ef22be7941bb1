// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "tests/support/comma_locale.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"
#include "tests/ui/report/page_check.h"
#include "ui/offscreen/read_document.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Runs the program; what it complains of.
QString ran(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(VRAMSCOPE_PROGRAM), arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return process.errorString();
    const QByteArray said = process.readAllStandardError();
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(said);
}

} // namespace

class TestReportFile : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void isTheSameFromEveryProcess_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::newRow("page") << u"html"_s;
        QTest::newRow("pdf") << u"pdf"_s;
    }

    void isTheSameFromEveryProcess()
    {
        QFETCH(QString, ending);
        QByteArrayList files;
        for (int run = 0; run < 2; ++run) {
            const QString out = m_folder.filePath(u"run%1.%2"_s.arg(run).arg(ending));
            QCOMPARE(ran({u"report"_s,
                          test::projectFile(
                              u"resources/examples/training-out-of-memory-as-planned.vramplan"_s),
                          test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s),
                          u"--out"_s, out}),
                     QString());
            files += test::contentOf(out);
        }
        QVERIFY(files[0].size() > 10'000);
        QVERIFY(files[0] == files[1]);
    }

    void thatCannotBeWrittenIsNoSuccess()
    {
        const QString said =
            ran({u"report"_s, test::projectFile(u"resources/examples/gpt2-small-h100.vramplan"_s),
                 u"-o"_s, u"/dev/full"_s});
        QCOMPARE(said, u"vramscope: /dev/full: The file could not be written: No space left on "
                       "device.\n"_s);
    }

    void goesToTheStandardOutput()
    {
        QProcess process;
        process.start(QStringLiteral(VRAMSCOPE_PROGRAM),
                      {u"report"_s,
                       test::projectFile(u"resources/examples/gpt2-small-h100.vramplan"_s), u"-o"_s,
                       u"-"_s});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        const QByteArray page = process.readAllStandardOutput();
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        QVERIFY(page.trimmed().endsWith("</html>"));
    }

    void isNotWrittenOverWhatItIsAbout()
    {
        const QString page = m_folder.filePath(u"about.html"_s);
        const QString plan = test::projectFile(u"resources/examples/gpt2-small-h100.vramplan"_s);
        QCOMPARE(ran({u"report"_s, plan, u"-o"_s, page}), QString());
        const QByteArray before = test::contentOf(page);
        QVERIFY(ran({u"report"_s, page, u"-o"_s, page}).contains(u"is not overwritten"_s));
        QCOMPARE(test::contentOf(page), before);
    }

    void hasTheSameNumbersOnEveryDesktop()
    {
        QByteArrayList pages;
        QVERIFY(test::writeCommaLocale(m_folder.path()));
        for (const char *locale : {"C", "de_DE"}) {
            const QString out = m_folder.filePath(u"locale.html"_s);
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.remove(u"LC_ALL"_s);
            environment.insert(u"LOCPATH"_s, m_folder.path());
            environment.insert(u"LC_NUMERIC"_s, QString::fromLatin1(locale));
            process.setProcessEnvironment(environment);
            process.start(QStringLiteral(VRAMSCOPE_PROGRAM),
                          {u"report"_s,
                           test::projectFile(u"resources/examples/gpt2-small-h100.vramplan"_s),
                           u"-o"_s, out});
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 0);
            pages += test::contentOf(out);
        }
        QVERIFY(pages[0].size() > 10'000);
        QVERIFY(pages[1] == pages[0]);
    }

    void namesNobodyOfARecordingWhereItIsRedacted()
    {
        const QString folder = test::corpusFolder();
        if (folder.isEmpty())
            QSKIP("The folder of recorded snapshots is not there (VRAMSCOPE_CORPUS).");
        const QString file = folder + u"/oom_expandable_3of4gpus.pickle"_s;
        const QString page = m_folder.filePath(u"redacted.html"_s);
        const QString pdf = m_folder.filePath(u"redacted.pdf"_s);
        const QRegularExpression person(u"haoyang|/home/|/mnt/data3/(?!user)"_s);
        QCOMPARE(ran({u"report"_s, file, u"--out"_s, page}), QString());
        QVERIFY(person.match(QString::fromUtf8(test::contentOf(page))).hasMatch());
        QCOMPARE(ran({u"report"_s, file, u"--redact"_s, u"--out"_s, page}), QString());
        const auto named = person.match(QString::fromUtf8(test::contentOf(page)));
        QVERIFY2(!named.hasMatch(), qPrintable(named.captured()));
        if (QStandardPaths::findExecutable(u"pdftotext"_s).isEmpty())
            return;
        QCOMPARE(ran({u"report"_s, file, u"--redact"_s, u"--out"_s, pdf}), QString());
        QProcess process;
        process.start(u"pdftotext"_s, {pdf, u"-"_s});
        QVERIFY(process.waitForFinished(60'000));
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY(text.contains(u"models.py"_s));
        QVERIFY(!person.match(text).hasMatch());
    }

    void namesNoFileThatAPersonNamedWhereItIsRedacted()
    {
        const QString folder = m_folder.filePath(u"run_zorblatt"_s);
        QVERIFY(QDir().mkpath(folder));
        const QString examples = test::projectFile(u"resources/examples/"_s);
        const QString recording = examples + u"training-expandable-segments.pickle"_s;
        for (const QString &name : {u"/zorblatt_rank0.pickle"_s, u"/zorblatt_rank1.pickle"_s})
            QVERIFY(QFile::copy(recording, folder + name));
        const QString plan = m_folder.filePath(u"zorblatt_8b.vramplan"_s);
        QVERIFY(QFile::copy(examples + u"gpt2-small-h100.vramplan"_s, plan));
        const QString page = m_folder.filePath(u"nobody.html"_s);
        for (const QStringList &files : {QStringList{folder}, QStringList{plan},
                                         QStringList{plan, folder + u"/zorblatt_rank0.pickle"_s}}) {
            QCOMPARE(ran(QStringList{u"report"_s} + files +
                         QStringList{u"--redact"_s, u"--out"_s, page}),
                     QString());
            QVERIFY(!test::contentOf(page).contains("zorblatt"));
        }
        const QString missing = folder + u"/zorblatt.pickle"_s;
        const QString said = ran({u"report"_s, missing, u"--redact"_s, u"--out"_s, page});
        QVERIFY2(!said.isEmpty() && !said.contains(u"zorblatt"_s), qPrintable(said));
    }

    void ofAnExampleIsWellFormedFetchesNothingAndOpensAsItsPlan_data()
    {
        QTest::addColumn<QString>("file");
        for (const QFileInfo &file : QDir(test::projectFile(u"resources/examples"_s))
                                         .entryInfoList({u"*.vramplan"_s, u"*.pickle"_s}))
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }

    void ofAnExampleIsWellFormedFetchesNothingAndOpensAsItsPlan()
    {
        QFETCH(QString, file);
        const QString out = m_folder.filePath(u"example.html"_s);
        QCOMPARE(ran({u"report"_s, file, u"--out"_s, out}), QString());
        QCOMPARE(test::faultsOf(QString::fromUtf8(test::contentOf(out))), QStringList());
        if (!file.endsWith(u".vramplan"_s))
            return;
        const auto document = readDocument(out, {});
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().detail.c_str());
        // Saved, it must not replace the report: it is as if it were imported.
        const Imported *imported = (*document)->imported();
        QVERIFY(imported);
        QVERIFY(imported->plan == readPlan(file.toStdString()).value());
    }
};

VRAMSCOPE_TEST(TestReportFile)
#include "tst_report_file.moc"
