// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpu_names.h"
#include "core/catalog/instances.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <set>

using namespace vramscope;

/// Machines that are rented or bought whole, resources/gpus/instances.csv.
class TestInstances : public test::Test
{
    Q_OBJECT

private slots:
    void everyRowIsComplete();
    void namesThatPeopleUseAreKnown_data();
    void namesThatPeopleUseAreKnown();
    void aMachineHasItsHostAndItsNetwork();
    void aNumberInANameCountsChips();
    void aNameOfSeveralMachinesSaysSo();
    void otherWordsAreNoMachines();
};

void TestInstances::everyRowIsComplete()
{
    std::set<std::string> names;
    QVERIFY(cloudInstances().size() > 150);
    for (const CloudInstance &it : cloudInstances()) {
        QVERIFY2(names.insert(it.name).second, it.name.c_str());
        QVERIFY2(it.gpu && !it.provider.empty() && !it.source.empty(), it.name.c_str());
        QVERIFY2(it.gpus > 0 || it.name.ends_with('#'), it.name.c_str());
        QCOMPARE(it.gpusPerNode, it.gpus);
        if (it.gpus == 0)
            continue;
        const auto found = findInstance(it.name);
        QVERIFY2(found && found->name == it.name, it.name.c_str());
        // No machine has the name of a card, which stands for one of them.
        QVERIFY2(!findNamedGpu(it.name).gpu, it.name.c_str());
    }
}

void TestInstances::namesThatPeopleUseAreKnown_data()
{
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<qint64>("gpus");
    for (const test::TableRow &row : test::readTable(
             QStringLiteral(VRAMSCOPE_SOURCE_DIR "/tests/data/catalog/instance_names.csv")))
        QTest::addRow("%s", qPrintable(row.text("words"))) << row.text("gpu") << row.number("gpus");
}

void TestInstances::namesThatPeopleUseAreKnown()
{
    QFETCH(QString, gpu);
    QFETCH(qint64, gpus);
    const QString words = QString::fromUtf8(QTest::currentDataTag());
    for (const QString &text :
         {words, words.toLower(), words.toUpper(), QString(words).replace(u' ', u'-')}) {
        const auto found = findInstance(text.toStdString());
        QVERIFY2(found, qPrintable(text));
        QCOMPARE(QString::fromStdString(found->gpu->name), gpu);
        QCOMPARE(qint64(found->gpus), gpus);
    }
    QVERIFY(std::size_t(words.split(u' ').size()) <= kMostInstanceWords);
}

void TestInstances::aMachineHasItsHostAndItsNetwork()
{
    const auto aws = findInstance("p5.48xlarge");
    QCOMPARE(aws->hostMemoryBytes, Bytes(2048) * kGiB);
    QCOMPARE(aws->networkGigabits, std::int64_t(400)); // 3,200 for eight
    QCOMPARE(aws->provider, std::string("AWS"));
    QCOMPARE(findInstance("dgx a100")->networkGigabits, std::int64_t(200));
    QCOMPARE(findInstance("hgx h100")->hostMemoryBytes, Bytes(0)); // a board
}

void TestInstances::aNumberInANameCountsChips()
{
    QCOMPARE(findInstance("v5litepod-256")->gpus, std::int64_t(256));
    QCOMPARE(findInstance("v5litepod-256")->name, std::string("v5litepod-256"));
    QCOMPARE(findInstance("tpu-v5e-4")->gpus, std::int64_t(4));
    QCOMPARE(findInstance("v5p-64")->gpus, std::int64_t(32)); // two cores make a chip
    for (const char *none :
         {"v5p-7", "v5litepod-0", "v5litepod-", "v5litepod--8", "v6e-99999999999999999999"})
        QVERIFY2(!findInstance(none) || findInstance(none)->gpus == 8, none);
}

void TestInstances::aNameOfSeveralMachinesSaysSo()
{
    const auto dgx = findInstance("DGX A100");
    QCOMPARE(dgx->others.size(), std::size_t(1));
    QCOMPARE(dgx->others.front()->name, std::string("a100-sxm-40gb"));
    QVERIFY(!findInstance("kaggle")->others.empty());
    QVERIFY(findInstance("DGX H100")->others.empty());
}

void TestInstances::otherWordsAreNoMachines()
{
    for (const char *word : {"", "-", "standard", "ml", "g5", "p5", "v3", "v3 8", "v4 8", "h100",
                             "8xh100", "aws", "lambda", "dgx", "dgx spark", "8"})
        QVERIFY2(!findInstance(word), word);
}

VRAMSCOPE_TEST(TestInstances)
#include "tst_instances.moc"
