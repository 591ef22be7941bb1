// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_difference_report.h"
#include "core/print/profile_report.h"
#include "core/profile/profile_difference.h"
#include "core/ranks/run_study.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/canonical_json.h"
#include "tests/support/test.h"

using namespace vramscope;
using test::StatedProfile;

namespace {

std::shared_ptr<const ProfileStudy> trained()
{
    return StatedProfile()
        .rank(1)
        .range("ProfilerStep#1", 0, 400'000)
        .operation({"aten::mm", 0, 90'000})
        .call("cudaLaunchKernel", 1000, 5000, 1)
        .call("cudaDeviceSynchronize", 10'000, 60'000, 2)
        .work({"gemm", 100'000, 700'000, 7, 0, 1})
        .collective({"allreduce", 600'000, 1'000'000, 1024})
        .work({"Memcpy DtoH", 1'100'000, 1'200'000, 9, 0, kNotStated, WorkKind::Copy})
        .study();
}

bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestProfileReport : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerComesFirst();
    void stepsAreShownWithoutWhatLiesAround();
    void tablesEndWhereTheyAreAskedTo();
    void whatIsNotKnownIsSaid();
    void namesCannotChangeALine();
    void sharesHaveSixDigits();
    void ranksWithoutCollectivesSaySo();
    void aDifferenceClosesItsSum();
};

void TestProfileReport::theAnswerComesFirst()
{
    const std::string text = profileText(*trained(), {"a.json", 10, true});
    QVERIFY2(contains(text, "GPU 0, all that was recorded: first start to last end:\n"
                            "  compute                   600 µs   54.5 %\n"
                            "  exposed communication     300 µs   27.3 %\n"
                            "  exposed copies and fills  100 µs    9.1 %\n"
                            "  idle                      100 µs    9.1 %\n"
                            "  span                      1.1 ms  100.0 %\n"),
             text.c_str());
    QVERIFY(text.find("idle") < text.find("Potential savings"));
    QVERIFY(text.find("Potential savings") < text.find("Device work by name"));
    QVERIFY(contains(text, "100 µs of 400 µs of communication is hidden (25.0 %)"));
    QVERIFY(contains(text, "As HTA"));
    QVERIFY(contains(text, "1 with a recorded call, 2 without one"));
    QVERIFY(contains(text, "50 µs"));
}

void TestProfileReport::stepsAreShownWithoutWhatLiesAround()
{
    const auto study = StatedProfile()
                           .range("ProfilerStep#1", 0, 100)
                           .range("ProfilerStep#2", 100, 200)
                           .call("cudaLaunchKernel", 10, 20, 1)
                           .call("cudaLaunchKernel", 110, 120, 2)
                           .call("cudaLaunchKernel", 210, 220, 3)
                           .work({"a", 1000, 2000, 7, 0, 1})
                           .work({"a", 2000, 3000, 7, 0, 2})
                           .work({"a", 3000, 7000, 7, 0, 3})
                           .study();
    const std::string text = profileText(*study, {"a.json", 10, false});
    QVERIFY2(contains(text, "only what was called in its 2 steps:\n  compute"), text.c_str());
    QVERIFY(contains(text, "span                      2 µs  100.0 %"));
    QVERIFY(contains(text, "span                      6 µs  100.0 %"));
}

void TestProfileReport::tablesEndWhereTheyAreAskedTo()
{
    const std::string one = profileText(*trained(), {"a.json", 1, false});
    QVERIFY2(contains(one, "(2 others; --top 0 lists them)"), one.c_str());
    QVERIFY(!contains(profileText(*trained(), {"a.json", 0, false}), " others; "));
}

void TestProfileReport::whatIsNotKnownIsSaid()
{
    const std::string text = profileText(*StatedProfile().study(), {"a.json", 10, false});
    QVERIFY2(text.starts_with("Problem: The recording has no device event."), text.c_str());
    const auto unstated = StatedProfile().work({"ncclDevKernel_Generic", 0, 1000, 13}).study();
    const std::string table = profileText(*unstated, {"a.json", 10, false});
    QVERIFY2(contains(table, "unknown"), table.c_str());
}

void TestProfileReport::namesCannotChangeALine()
{
    const auto study = StatedProfile().work({"a\nb\x1b[31m", 0, 1000}).study();
    const std::string text = profileText(*study, {"x\ny", 10, false});
    QVERIFY(contains(text, "a?b?[31m"));
    QVERIFY(contains(text, "x?y"));
}

void TestProfileReport::sharesHaveSixDigits()
{
    const auto study = StatedProfile().work({"a", 0, 1}).work({"b", 1, 3}).study();
    const std::string json = profileJson(*study, {"a.json", 0, false});
    QCOMPARE(QString::fromStdString(test::memberText(json, "kernels")),
             QStringLiteral("[{\"class\":\"compute\",\"count\":1,\"max\":2,\"mean\":2.0,\"min\":2,"
                            "\"name\":\"b\",\"share\":0.666667,\"total\":2},"
                            "{\"class\":\"compute\",\"count\":1,\"max\":1,\"mean\":1.0,\"min\":1,"
                            "\"name\":\"a\",\"share\":0.333333,\"total\":1}]"));
    QVERIFY(!contains(json, "\n"));
}

void TestProfileReport::ranksWithoutCollectivesSaySo()
{
    std::vector<RankProfileFile> files{{"a", 0, StatedProfile().work({"f", 0, 9}).study()},
                                       {"b", 1, StatedProfile().work({"f", 0, 9}).study()}};
    const std::string text =
        profileFolderText(*runStudy(std::make_shared<const ProfileFolder>(
                              ProfileFolder{"run", compareRanks(std::move(files)), {}, 0})),
                          "run", 10);
    QVERIFY2(contains(text, "which rank is late, and what the"), text.c_str());
    QVERIFY(contains(text, "run: 2 profiles"));
}

void TestProfileReport::aDifferenceClosesItsSum()
{
    const auto a = StatedProfile().work({"f", 0, 1000}).study();
    const auto b = StatedProfile().work({"f", 0, 2000}).work({"g", 3000, 3500}).study();
    const std::string text = profileDifferenceText(compareProfiles(*a, *b), {"a", "b"}, 10);
    QVERIFY2(contains(text, "Compute"), text.c_str());
    QVERIFY(contains(text, "A: a, all that was recorded\n"));
    QVERIFY(contains(text, "+1.5 µs")); // compute
    QVERIFY(contains(text, "+2.5 µs")); // the span
    QVERIFY(contains(text, "1 new, 1 slower"));
}

VRAMSCOPE_TEST(TestProfileReport)
#include "tst_profile_report.moc"
