// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_names.h"
#include "core/profile/profile_difference.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using test::StatedOperator;
using test::StatedProfile;

namespace {

const OperatorChange &changeOf(const ProfileDifference &difference, std::string_view key)
{
    static const OperatorChange none{};
    const auto found = std::ranges::find(difference.operators, key, &OperatorChange::key);
    if (found == difference.operators.end()) {
        QTest::qFail(("no row " + std::string(key)).c_str(), __FILE__, __LINE__);
        return none;
    }
    return *found;
}

} // namespace

class TestProfileDifference : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPlainNameKeepsWhatBuildsShare_data();
    void aPlainNameKeepsWhatBuildsShare();
    void operatorsMatchByPathBeforeName();
    void kernelsMatchByPlainName();
    void countsComeBeforeTimes();
    void smallChangesAreEqual();
    void workOfNoOperatorHasARow();
    void workThatWasNotRecordedIsNotRemoved();
    void tablesAndPartsAddUp();
    void oneStepIsComparedWithOneStep();
};

void TestProfileDifference::aPlainNameKeepsWhatBuildsShare_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("plain");
    const auto row = [](const char *name, const char *plain) {
        QTest::newRow(name) << name << plain;
    };
    row("void at::f<int, 4>(long)", "at::f");
    row("triton_poi_fused_add_12", "triton_poi_fused_add");
    row("gemm_128x64_tn", "gemm_tn");
    row("gemm_128x64tn", "gemm_128x64tn");
    row("a_12_34abc", "a_34abc");
    row("a_1x2_3y_4", "a_3y");
    row("void (anonymous namespace)::f<a<b>, c>(int (*)(x))::g", "::f::g");
    row("f(", "f(");
    row("128", "128");
    row("static void f", "void f");
    row("  void f ", "f");
    row("Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD");
}

void TestProfileDifference::aPlainNameKeepsWhatBuildsShare()
{
    QFETCH(QString, name);
    QFETCH(QString, plain);
    QCOMPARE(QString::fromStdString(plainName(name.toStdString())), plain);
}

void TestProfileDifference::operatorsMatchByPathBeforeName()
{
    const auto a = StatedProfile()
                       .operation({"a", 0, 100})
                       .operation({"x", 10, 20, "1", "[[1]]"})
                       .operation({"x", 30, 40, "1", "[[2]]"})
                       .operation({"moved", 50, 60, "1", "[[3]]"})
                       .operation({"gone", 200, 210})
                       .study();
    const auto b = StatedProfile()
                       .operation({"a", 0, 100})
                       .operation({"x", 10, 20, "1", "[[1]]"})
                       .operation({"x", 30, 40, "1", "[[9]]"})
                       .operation({"moved", 150, 160, "1", "[[3]]"})
                       .operation({"come", 200, 210})
                       .study();
    const ProfileDifference difference = compareProfiles(*a, *b);
    QCOMPARE(changeOf(difference, "a > x | [[1]]").level, 1);
    QCOMPARE(changeOf(difference, "a > x").level, 2);
    QCOMPARE(changeOf(difference, "moved | [[3]]").level, 3);
    QCOMPARE(changeOf(difference, "gone").state, ChangeState::Removed);
    QCOMPARE(changeOf(difference, "gone").level, 0);
    QCOMPARE(changeOf(difference, "come").state, ChangeState::New);
    QCOMPARE(difference.operators.size(), std::size_t(6));
}

void TestProfileDifference::kernelsMatchByPlainName()
{
    const auto a = StatedProfile().work({"f<4>(int)", 0, 100}).work({"g", 100, 110}).study();
    const auto b = StatedProfile().work({"f<8>(int)", 0, 300}).work({"g", 300, 310}).study();
    const ProfileDifference difference = compareProfiles(*a, *b);
    QCOMPARE(difference.kernels.size(), std::size_t(2));
    QCOMPARE(difference.kernels[0].name, std::string("f"));
    QCOMPARE(difference.kernels[0].level, 2);
    QCOMPARE(difference.kernels[0].state, ChangeState::Slower);
    QCOMPARE(difference.kernels[0].delta, 200);
    QCOMPARE(difference.kernels[1].level, 1);
}

void TestProfileDifference::countsComeBeforeTimes()
{
    const auto a = StatedProfile().work({"f", 0, 100}).study();
    const auto b = StatedProfile().work({"f", 0, 10}).work({"f", 10, 20}).study();
    QCOMPARE(compareProfiles(*a, *b).kernels[0].state, ChangeState::More);
    QCOMPARE(compareProfiles(*b, *a).kernels[0].state, ChangeState::Fewer);
}

void TestProfileDifference::smallChangesAreEqual()
{
    const auto a = StatedProfile().work({"f", 0, 100}).study();
    const auto equal = StatedProfile().work({"f", 0, 105}).study();
    const auto slower = StatedProfile().work({"f", 0, 106}).study();
    QCOMPARE(compareProfiles(*a, *equal).kernels[0].state, ChangeState::Equal);
    QCOMPARE(compareProfiles(*a, *slower).kernels[0].state, ChangeState::Slower);
    QCOMPARE(compareProfiles(*slower, *a).kernels[0].state, ChangeState::Faster);
}

void TestProfileDifference::workOfNoOperatorHasARow()
{
    const auto a = StatedProfile().work({"f", 0, 100}).study();
    const auto b = StatedProfile().work({"f", 0, 250}).study();
    const OperatorChange change = changeOf(compareProfiles(*a, *b), "(no operator) | null");
    QCOMPARE(change.delta, 150);
    QCOMPARE(change.count, (BeforeAfter{0, 0}));
}

// The rest of the file is missing, or its recorder saw no device: nothing became faster.
void TestProfileDifference::workThatWasNotRecordedIsNotRemoved()
{
    const auto whole = StatedProfile().operation({"aten::mm", 0, 50}).work({"f", 0, 100}).study();
    const auto host = StatedProfile().operation({"aten::mm", 0, 50}).study();
    const ProfileDifference cut = compareProfiles(*whole, *host);
    QVERIFY(cut.kernels.empty() && cut.operators.empty() && cut.devices.empty());
    QCOMPARE(noDevicesComparedText(cut),
             std::string("Device work cannot be compared: B has no device event in what is "
                         "compared."));
    QCOMPARE(noDevicesComparedText(compareProfiles(*host, *whole)),
             std::string("Device work cannot be compared: A has no device event in what is "
                         "compared."));
    const ProfileDifference neither = compareProfiles(*host, *host); // operators of the CPU are
    QCOMPARE(changeOf(neither, "aten::mm | null").state, ChangeState::Equal);
    QCOMPARE(noDevicesComparedText(neither),
             std::string("Device work cannot be compared: neither A nor B has a device event in "
                         "what is compared."));
}

void TestProfileDifference::tablesAndPartsAddUp()
{
    for (unsigned seed = 0; seed < 30; ++seed) {
        const ProfileStudy a(test::randomProfile(seed));
        const ProfileStudy b(test::randomProfile(seed + 1000));
        for (const auto &scope :
             {DifferenceScope{}, DifferenceScope{DifferenceScope::Kind::All, {}},
              DifferenceScope{DifferenceScope::Kind::Named, "ProfilerStep#1"}}) {
            const ProfileDifference difference = compareProfiles(a, b, scope);
            const std::int64_t all = difference.deviceTime[1] - difference.deviceTime[0];
            std::int64_t ofOperators = 0;
            for (const OperatorChange &each : difference.operators)
                ofOperators += each.delta;
            QCOMPARE(ofOperators, all);
            std::int64_t ofKernels = 0;
            for (const KernelChange &each : difference.kernels)
                ofKernels += each.delta;
            QCOMPARE(ofKernels, all);
            QVERIFY(!difference.devices.empty());
            for (const BreakdownChange &each : difference.devices) {
                const auto change = [&](std::int64_t TimeBreakdown::*part) {
                    return each.sides[1].times.*part - each.sides[0].times.*part;
                };
                QCOMPARE(change(&TimeBreakdown::compute) +
                             change(&TimeBreakdown::exposedCommunication) +
                             change(&TimeBreakdown::exposedCopy) + change(&TimeBreakdown::idle),
                         change(&TimeBreakdown::span));
            }
        }
    }
}

void TestProfileDifference::oneStepIsComparedWithOneStep()
{
    const auto withSteps = [](std::int64_t count) {
        StatedProfile made;
        for (std::int64_t at = 0; at < count; ++at) {
            made.range("ProfilerStep#" + std::to_string(at), at * 100, at * 100 + 100);
            made.call("cudaLaunchKernel", at * 100, at * 100 + 1, at);
            made.work({"f", at * 100 + 10, at * 100 + 20 + at, 7, 0, at});
        }
        return made.study();
    };
    const auto three = withSteps(3);
    const auto five = withSteps(5);
    const auto one = withSteps(1);
    const ProfileDifference median = compareProfiles(*three, *five);
    QCOMPARE(*median.steps[0], std::string("ProfilerStep#1"));
    QCOMPARE(*median.steps[1], std::string("ProfilerStep#2"));
    QCOMPARE(median.deviceTime, (BeforeAfter{11, 12}));
    QVERIFY(!compareProfiles(*three, *one).steps[0]);
    QCOMPARE(compareProfiles(*three, *five, {DifferenceScope::Kind::All, {}}).deviceTime[0],
             10 + 11 + 12);
}

VRAMSCOPE_TEST(TestProfileDifference)
#include "tst_profile_difference.moc"
