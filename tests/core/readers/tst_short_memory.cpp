// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <QScopeGuard>

#include <atomic>
#include <new>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

std::atomic<Bytes> theFreeMemory;

/// A machine whose memory falls by half a gibibyte each time that it is asked for.
std::optional<Bytes> falling()
{
    return theFreeMemory.fetch_sub(kGiB / 2);
}

std::optional<Bytes> unknown()
{
    return {};
}

std::string exampleFile()
{
    return test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s).toStdString();
}

} // namespace

class TestShortMemory : public test::Test
{
    Q_OBJECT

private slots:
    void cleanup() { setFreeMemorySource(nullptr); }

    void aFileThatWouldFillTheMemoryIsGivenUpWithASentence()
    {
        theFreeMemory = kGiB - 1; // more than half of it is gone at the second look
        setFreeMemorySource(falling);
        const auto read = readTrace(exampleFile());
        QVERIFY(!read);
        const QString said = QString::fromStdString(read.error().text());
        QVERIFY2(said.startsWith(u"There is not enough memory"_s), qPrintable(said));
        QVERIFY2(said.contains(u"1.00 GiB are free"_s), qPrintable(said));
    }

    void aFileIsReadWhereNothingIsKnownOfTheMemory()
    {
        setFreeMemorySource(unknown);
        QVERIFY(readTrace(exampleFile()));
    }

    void theNeedIsReckonedFromWhatIsDone()
    {
        theFreeMemory = 4 * kGiB;
        setFreeMemorySource(falling);
        MemoryShare memory;
        for (const double done : {0.1, 0.2, 0.3, 0.4})
            QVERIFY(memory.suffices(done));
        QVERIFY(!memory.suffices(0.6)); // 2.5 GiB of it, and as much again for the analysis
        QVERIFY(!memory.suffices(0.6)); // for good
        const std::string said = memory.error().text();
        QVERIFY(said.starts_with(
            "There is not enough memory: this needs about 8.33 GiB, and 4.00 GiB are free"));
    }

    void whatAReaderIsNotGivenIsSaid()
    {
        const auto read = readTrace(exampleFile(), [](double) -> bool { throw std::bad_alloc(); });
        QVERIFY(!read);
        QVERIFY(read.error().text().starts_with("There is not enough memory"));
    }
};

VRAMSCOPE_TEST(TestShortMemory)
#include "tst_short_memory.moc"
