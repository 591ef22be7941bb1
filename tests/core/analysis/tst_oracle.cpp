// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "tests/support/reference.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

using namespace vramscope;
using namespace Qt::StringLiterals;

// Our figures of every recorded snapshot against those of an independent, slow and simple reference
// program that lies beside the recordings.
class TestOracle : public test::Test
{
    Q_OBJECT

private slots:
    void theReportSaysWhatTheReferenceSays_data();
    void theReportSaysWhatTheReferenceSays();
};

void TestOracle::theReportSaysWhatTheReferenceSays_data()
{
    QStringList files = test::recordedSnapshots();
    for (const test::ExampleSnapshot &example : test::exampleSnapshots())
        files.append(test::projectFile("resources/examples/"_L1 + QString::fromUtf8(example.name)));
    const test::ReferenceFigures figures = test::referenceFigures(files);
    if (!figures.missing.isEmpty())
        QSKIP(qPrintable(figures.missing));
    QCOMPARE(figures.files.size(), files.size());

    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonObject>("expected");
    for (qsizetype at = 0; at < files.size(); ++at)
        QTest::newRow(qPrintable(QFileInfo(files[at]).fileName()))
            << files[at] << figures.files[at];
}

void TestOracle::theReportSaysWhatTheReferenceSays()
{
    QFETCH(QString, file);
    QFETCH(QJsonObject, expected);
    QVERIFY(!expected.isEmpty());
    const auto trace = readTrace(file.toStdString());
    if (expected.contains("error"_L1)) {
        QVERIFY(!trace.ok());
        return;
    }
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().text().c_str());
    const QByteArray report = QByteArray::fromStdString(traceJson(*trace, file.toStdString()));
    const QJsonObject ours = QJsonDocument::fromJson(report).object();
    QCOMPARE(ours["annotations"_L1], expected["annotations"_L1]);
    const QJsonArray devices = ours["devices"_L1].toArray();
    const QJsonArray expectedDevices = expected["devices"_L1].toArray();
    QCOMPARE(devices.size(), expectedDevices.size());
    for (qsizetype at = 0; at < devices.size(); ++at) {
        const QJsonObject device = devices[at].toObject();
        const QJsonObject expectedDevice = expectedDevices[at].toObject();
        for (auto field = expectedDevice.begin(); field != expectedDevice.end(); ++field) {
            // The reference adds up requests, where active memory is that of blocks.
            QString ourKey = field.key();
            if (ourKey == "baseline"_L1)
                ourKey += "_requested"_L1;
            ourKey.replace("peak_active"_L1, "peak_requested"_L1);
            if (device[ourKey] == field.value())
                continue;
            QFAIL(QJsonDocument(QJsonObject{{"field"_L1, ourKey},
                                            {"ours"_L1, device[ourKey]},
                                            {"reference"_L1, field.value()}})
                      .toJson(QJsonDocument::Compact)
                      .constData());
        }
    }
}

VRAMSCOPE_TEST(TestOracle)
#include "tst_oracle.moc"
