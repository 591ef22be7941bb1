// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"

#include <QFile>

using namespace vramscope;

class TestExamples : public test::Test
{
    Q_OBJECT

private slots:
    void theShippedSnapshotsAreWhatTheGeneratorWrites_data();
    void theShippedSnapshotsAreWhatTheGeneratorWrites();
};

void TestExamples::theShippedSnapshotsAreWhatTheGeneratorWrites_data()
{
    QTest::addColumn<int>("example");
    int index = 0;
    for (const test::ExampleSnapshot &example : test::exampleSnapshots())
        QTest::newRow(std::string(example.name).c_str()) << index++;
}

void TestExamples::theShippedSnapshotsAreWhatTheGeneratorWrites()
{
    QFETCH(int, example);
    const test::ExampleSnapshot &snapshot =
        test::exampleSnapshots()[static_cast<std::size_t>(example)];
    const std::string bytes = test::snapshotOf(snapshot.tell());
    QVERIFY(bytes.size() < 400'000);
    QFile file(test::projectFile(
        QStringLiteral("resources/examples/") +
        QString::fromUtf8(snapshot.name.data(), qsizetype(snapshot.name.size()))));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
    QVERIFY2(file.readAll().toStdString() == bytes,
             "run make_example_snapshots resources/examples and look at what changed");
}

QTEST_APPLESS_MAIN(TestExamples)
#include "tst_examples.moc"
