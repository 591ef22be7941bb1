// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/groups.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/print/stacks_report.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::Py;

namespace {

std::shared_ptr<const Trace> read(const std::string &bytes)
{
    return readTrace(std::as_bytes(std::span(bytes.data(), bytes.size()))).value();
}

std::shared_ptr<const Trace> readWith(const char *key, Py value)
{
    return read(test::pickled(test::sampleSnapshot().with(key, std::move(value))));
}

} // namespace

/// What snapshots of the newest PyTorch have beyond those before.
class TestNewSnapshots : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void pinnedMemoryIsADeviceOfItsOwn();
    void aNoteBelongsToTheAllocationThatLives();
};

void TestNewSnapshots::pinnedMemoryIsADeviceOfItsOwn()
{
    const auto trace =
        readTrace(
            test::projectFile(u"tests/data/recordings/pinned_host_only.pickle"_s).toStdString())
            .value();
    QCOMPARE(trace->devices().size(), std::size_t(1));
    const DeviceTrace &host = trace->devices().front();
    QVERIFY(host.host);
    QCOMPARE(host.device, 1);
    const Study study(trace, host);
    QCOMPARE(study.summary().peakActive, 768 * kMiB);
    QCOMPARE(study.summary().activeEnd, 512 * kMiB);
    QCOMPARE(study.summary().reservedEnd, 768 * kMiB);
    QVERIFY(trace->problems().empty());
    QVERIFY(trace->extras().empty());
    QVERIFY(traceText(trace, "p.pickle").find("memory of the host") != std::string::npos);

    const Py segment = test::sampleSegment(
        512,
        Py::list({test::sampleBlock(0x7f0000000000, 512, 500, "active_allocated", Py::list())}));
    const auto beside = readWith("host_segments", Py::list({segment}));
    const std::size_t gpus = read(test::pickled(test::sampleSnapshot()))->devices().size();
    QCOMPARE(beside->devices().size(), gpus + 1);
    QVERIFY(beside->devices().back().host);
    QVERIFY(!beside->devices().front().host);
    std::vector<std::shared_ptr<const Study>> studies = studiesOf(beside);
    std::ranges::reverse(studies);
    QVERIFY(!studies[mainDevice(studies)]->device().host);
    QVERIFY(read(test::pickled(test::sampleSnapshot()
                                   .with("host_segments", Py::list({}))
                                   .with("host_traces", Py::list({}))))
                ->devices()
                .size() == gpus);
    QCOMPARE(readWith("host_traces", Py("x"))->problems().size(), std::size_t(1));
}

void TestNewSnapshots::aNoteBelongsToTheAllocationThatLives()
{
    const auto trace =
        readTrace(
            test::projectFile(u"tests/data/recordings/annotate_action.pickle"_s).toStdString())
            .value();
    QVERIFY(trace->problems().empty());
    const Study study(trace, trace->devices().front());
    const Allocations &allocations = study.allocations();
    std::vector<std::string> notes;
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        const auto context = static_cast<std::size_t>(allocations.noteOf(study.device(), at));
        notes.emplace_back(trace->text(trace->contexts()[context].userMetadata));
    }
    QCOMPARE(notes, (std::vector<std::string>{"", "layer 1 weight", "", "", "saved for backward"}));
    const auto text =
        groupsText(groupCosts(study, "a.pickle", GroupBy::Metadata, Cost::Total, 0), 40);
    QVERIFY(text.find("layer 1 weight") != std::string::npos);
    QVERIFY(text.find("saved for backward") != std::string::npos);
    QVERIFY(traceText(trace, "a.pickle").find("2 annotate") != std::string::npos);
}

VRAMSCOPE_TEST(TestNewSnapshots)
#include "tst_new_snapshots.moc"
