// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/false_durations.h"
#include "core/profile/profile_findings.h"
#include "core/trace/problem_text.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>

using namespace vramscope;
using test::StatedProfile;

namespace {

/// Looks at every pair of works of a lane.
std::vector<std::pair<std::uint32_t, std::int64_t>>
slowFalseDurations(const WorkColumns &work, const std::vector<std::int64_t> &correlation)
{
    std::vector<std::pair<std::uint32_t, std::int64_t>> found;
    for (std::uint32_t row = 0; row < work.count(); ++row) {
        std::optional<std::int64_t> next;
        int inside = 0;
        for (std::uint32_t other = 0; other < work.count(); ++other) {
            const bool isLater =
                work.lane[other] == work.lane[row] && correlation[other] != correlation[row] &&
                work.start[other] > work.start[row] && work.start[other] < work.end[row];
            if (!isLater)
                continue;
            next = std::min(next.value_or(work.start[other]), work.start[other]);
            inside += work.end[other] < work.end[row] ? 1 : 0;
        }
        if (inside >= 2)
            found.emplace_back(row, *next);
    }
    return found;
}

std::string problemsOf(const ProfileStudy &study)
{
    std::string text;
    for (const Problem &problem : study.problems())
        text += problemText(problem) + "\n";
    return text;
}

bool says(const ProfileStudy &study, std::string_view part)
{
    const std::string text = problemsOf(study);
    if (text.find(part) == text.npos)
        qWarning("%s", text.c_str());
    return text.find(part) != text.npos;
}

} // namespace

class TestProfileProblems : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void falseDurationsAreThoseOfASlowReference();
    void aFalseDurationIsCutAndNamed();
    void overlapsThatAreMeantAreKept();
    void withoutDeviceEventsTheCallsAreNamed();
    void aRecordingOfTheCpuAloneIsSaidToBeOne();
    void aCutRecordingIsNeverSaidToBeComplete();
    void stepsWithoutDeviceEventsAreCounted();
    void workOfUnknownOriginIsNamed();
    void aWholeRecordingHasNoProblems();
};

void TestProfileProblems::falseDurationsAreThoseOfASlowReference()
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint32_t count) {
            return static_cast<std::int64_t>(random() % count);
        };
        std::vector<std::array<std::int64_t, 4>> made; // start, end, lane, correlation
        for (std::int64_t at = 0; at < 60; ++at) {
            const std::int64_t start = below(400);
            made.push_back({start, start + below(at % 9 == 0 ? 200 : 12), below(2),
                            seed % 3 == 0 ? below(20) : at});
        }
        std::ranges::sort(made);
        WorkColumns work;
        std::vector<std::int64_t> correlation;
        for (const auto &[start, end, lane, of] : made) {
            work.start.push_back(start);
            work.end.push_back(end);
            work.lane.push_back(static_cast<std::uint32_t>(lane));
            correlation.push_back(of);
        }
        std::vector<std::pair<std::uint32_t, std::int64_t>> found;
        for (const FalseDuration &each : falseDurations(work, correlation))
            found.emplace_back(each.row, each.end);
        QCOMPARE(found, slowFalseDurations(work, correlation));
    }
}

void TestProfileProblems::aFalseDurationIsCutAndNamed()
{
    StatedProfile made;
    made.range("ProfilerStep#1", 0, 9'700'000);
    for (std::int64_t at = 1; at <= 80; ++at) {
        made.call("hipLaunchKernel", at * 120'000, at * 120'000 + 5'000, at);
        const std::int64_t start = at * 120'000 + 10'000;
        const bool isFalse = at == 41;
        made.work({isFalse ? "fmha_bwd_kernel" : "gemm", start,
                   start + (isFalse ? 1'600'000'000 : 100'000), 7, 0, at});
    }
    const auto study = made.study();
    QCOMPARE(study->devices()[0].times.compute, 79 * 100'000 + 120'000);
    QCOMPARE(study->steps().steps[0].device->span, 80 * 120'000 - 20'000);
    QVERIFY(says(*study, "1 duration of device work is false"));
    QVERIFY(says(*study, "99.5 % of all device time"));
    QVERIFY(says(*study, "1.6 s of fmha_bwd_kernel."));
}

void TestProfileProblems::overlapsThatAreMeantAreKept()
{
    // A kernel may begin before its predecessor ends, and those of one graph run at once.
    const auto dependent = StatedProfile()
                               .work({"a", 0, 1000, 7, 0, 1})
                               .work({"b", 900, 2000, 7, 0, 2})
                               .work({"c", 950, 960, 7, 0, 3})
                               .work({"d", 1990, 3000, 7, 0, 4})
                               .study();
    QCOMPARE(dependent->profile().work().end[0], 1000);
    QVERIFY(dependent->problems().empty());
    StatedProfile graph;
    graph.work({"long", 0, 1000, 7, 0, 1});
    for (std::int64_t at = 1; at < 9; ++at)
        graph.work({"short", at * 100, at * 100 + 50, 7, 0, 1});
    QVERIFY(graph.study()->problems().empty());
    // Other streams say nothing of it.
    const auto streams = StatedProfile()
                             .work({"a", 0, 1000, 7, 0, 1})
                             .work({"b", 100, 200, 13, 0, 2})
                             .work({"c", 300, 400, 13, 0, 3})
                             .study();
    QVERIFY(streams->problems().empty());
}

void TestProfileProblems::withoutDeviceEventsTheCallsAreNamed()
{
    StatedProfile made;
    for (std::int64_t at = 0; at < 50; ++at)
        made.call("cudaLaunchKernel", at * 100, at * 100 + 8, at);
    made.call("cudaMemcpyAsync", 6'000, 6'010, 60).call("cudaMemcpyAsync", 6'100, 6'110, 61);
    made.call("cudaDeviceSynchronize", 7'000, 900'000, 70).call("cudaEventCreate", 1, 2, 71);
    const auto study = made.study();
    QVERIFY(says(*study, "The recording has no device event. It has calls of the GPU's runtime: "
                         "50 launches (cudaLaunchKernel), 2 copies (cudaMemcpyAsync), 1 wait "
                         "(cudaDeviceSynchronize), 1 other call (cudaEventCreate)."));
    QVERIFY(says(*study, "its events are missing"));
    QVERIFY(problemsOf(*study).find("CPU alone") == std::string::npos);
}

void TestProfileProblems::aRecordingOfTheCpuAloneIsSaidToBeOne()
{
    const auto study = StatedProfile().operation({"aten::mm", 0, 10}).study();
    QVERIFY(says(*study, "It has 1 operator and no call of a GPU's runtime: it was recorded for "
                         "the CPU alone."));
    QVERIFY(says(*StatedProfile().study(), "no call of a GPU's runtime and no operator"));
}

void TestProfileProblems::aCutRecordingIsNeverSaidToBeComplete()
{
    const auto study = StatedProfile().cut().operation({"aten::mm", 0, 10}).study();
    QVERIFY(problemsOf(*study).starts_with("The file ends in the middle."));
    QVERIFY(says(*study, "No device event is in the part of the file that was read."));
    QVERIFY(says(*study, "The missing end may have held the device events."));
    QVERIFY(problemsOf(*study).find("CPU alone") == std::string::npos);
}

void TestProfileProblems::stepsWithoutDeviceEventsAreCounted()
{
    const auto made = [](std::int64_t withWork) {
        StatedProfile profile;
        for (std::int64_t step = 0; step < 32; ++step) {
            profile.range("ProfilerStep#" + std::to_string(step), step * 100, step * 100 + 90);
            profile.call("hipGraphLaunch", step * 100 + 5, step * 100 + 8, step);
            if (step < withWork)
                profile.work({"decode", step * 100 + 10, step * 100 + 20, 7, 0, step});
        }
        return profile.study();
    };
    QVERIFY(says(*made(2), "30 of 32 steps have no device event"));
    QVERIFY(made(16)->problems().empty());
}

void TestProfileProblems::workOfUnknownOriginIsNamed()
{
    const auto study = StatedProfile()
                           .call("cudaLaunchKernel", 0, 5, 1)
                           .work({"a", 10, 20, 7, 0, 1})
                           .work({"b", 30, 270, 7, 0, 99})
                           .study();
    QVERIFY(says(*study, "1 device event has no recorded call, 96.0 % of the device time"));
}

void TestProfileProblems::aWholeRecordingHasNoProblems()
{
    const auto study =
        StatedProfile().call("cudaLaunchKernel", 0, 5, 1).work({"a", 10, 20, 7, 0, 1}).study();
    QVERIFY(study->problems().empty());
    // Without any recorded call nothing is known of origins, which the launches say.
    QVERIFY(StatedProfile().work({"a", 0, 10}).study()->problems().empty());
}

VRAMSCOPE_TEST(TestProfileProblems)
#include "tst_profile_problems.moc"
