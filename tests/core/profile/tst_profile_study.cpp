// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "core/profile/profile_findings.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <thread>

using namespace vramscope;
using test::StatedProfile;

namespace {

const Finding *findingOf(const ProfileStudy &study, std::string_view kind)
{
    const auto found = std::ranges::find(study.findings(), kind, &Finding::kind);
    return found == study.findings().end() ? nullptr : &*found;
}

} // namespace

class TestProfileStudy : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void threadsThatAskAtOnceGetTheSamePart();
    void rulesOfTheStudyDecide();
    void exposedCommunicationIsNamedWithItsCollectives();
    void communicationOnAComputingStreamIsFound();
    void aHostThatComesTooLateIsFound();
    void aProfileWithNothingToGainHasNoFindings();
    void findingsComeByTheirTime();
    void timesReadAsPeopleWriteThem();
};

void TestProfileStudy::threadsThatAskAtOnceGetTheSamePart()
{
    const ProfileStudy study(test::randomProfile(5));
    std::vector<const std::vector<Finding> *> got(4);
    {
        std::vector<std::jthread> threads;
        for (auto &each : got)
            threads.emplace_back([&] { each = &study.findings(); });
    }
    for (const auto *each : got)
        QCOMPARE(each, got.front());
}

void TestProfileStudy::rulesOfTheStudyDecide()
{
    const auto profile = StatedProfile().work({"gemm", 0, 10}).done();
    const std::vector<WorkRule> rules{
        {"gemm", {}, false, WorkClass::Communication, WorkFamily::None}};
    QCOMPARE(ProfileStudy(profile, rules).devices()[0].times.communication, 10);
    QCOMPARE(ProfileStudy(profile).devices()[0].times.communication, 0);
}

void TestProfileStudy::exposedCommunicationIsNamedWithItsCollectives()
{
    const auto study = StatedProfile()
                           .work({"gemm", 0, 600'000})
                           .collective({"allreduce", 500'000, 900'000, 1024})
                           .work({"gemm", 900'000, 1'000'000})
                           .study();
    const Finding *finding = findingOf(*study, kExposedCommunication);
    QVERIFY(finding != nullptr);
    QCOMPARE(finding->cost, 300'000);
    QCOMPARE(QString::fromStdString(finding->sentence),
             QStringLiteral("Nothing computes while 300 µs (30.0 % of 1 ms) of communication runs "
                            "on device 0; 25.0 % of it is hidden. Most exposed: allreduce of 4.00 "
                            "KiB, 1 call, 300 µs exposed."));
    QVERIFY(findingOf(*study, kSameStream) == nullptr);
}

void TestProfileStudy::communicationOnAComputingStreamIsFound()
{
    const auto study =
        StatedProfile().work({"gemm", 0, 600}).work({"ncclAllReduce", 600, 1000}).study();
    const Finding *finding = findingOf(*study, kSameStream);
    QVERIFY(finding != nullptr);
    QCOMPARE(finding->cost, 400);
}

void TestProfileStudy::aHostThatComesTooLateIsFound()
{
    const auto study = StatedProfile()
                           .call("cudaLaunchKernel", 0, 5, 1)
                           .call("cudaDeviceSynchronize", 50, 5000, 3)
                           .call("cudaLaunchKernel", 6000, 6005, 2)
                           .work({"gemm", 10, 1000, 7, 0, 1})
                           .work({"gemm", 7000, 9000, 7, 0, 2})
                           .study();
    const Finding *late = findingOf(*study, kHostBound);
    QVERIFY(late != nullptr);
    QCOMPARE(late->cost, 6000);
    const Finding *blocking = findingOf(*study, kBlockingCalls);
    QVERIFY(blocking != nullptr);
    QCOMPARE(blocking->cost, 4950);
    QVERIFY(blocking->sentence.find("cudaDeviceSynchronize, 1 call") != std::string::npos);
}

void TestProfileStudy::aProfileWithNothingToGainHasNoFindings()
{
    QVERIFY(StatedProfile().work({"gemm", 0, 1000}).study()->findings().empty());
    QVERIFY(StatedProfile().study()->findings().empty());
}

void TestProfileStudy::findingsComeByTheirTime()
{
    const ProfileStudy study(test::randomProfile(9));
    QVERIFY(study.findings().size() > 1);
    QVERIFY(std::ranges::is_sorted(study.findings(), std::ranges::greater(), &Finding::cost));
}

void TestProfileStudy::timesReadAsPeopleWriteThem()
{
    QCOMPARE(formatNanoseconds(0), std::string("0 ns"));
    QCOMPARE(formatNanoseconds(853), std::string("853 ns"));
    QCOMPARE(formatNanoseconds(12'345), std::string("12.35 µs"));
    QCOMPARE(formatNanoseconds(999'960), std::string("1 ms"));
    QCOMPARE(formatNanoseconds(-927'900'000), std::string("-927.9 ms"));
    QCOMPARE(formatNanoseconds(14'522'911'000), std::string("14.52 s"));
    QCOMPARE(formatTimeShare(1, 8), std::string("12.5 %"));
    QCOMPARE(formatTimeShare(1, 100'000), std::string("<0.1 %"));
    QCOMPARE(formatTimeShare(0, 0), std::string("0 %"));
}

VRAMSCOPE_TEST(TestProfileStudy)
#include "tst_profile_study.moc"
