// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/name_pattern.h"
#include "core/profile/work_rules.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <QRegularExpression>

using namespace vramscope;

class TestWorkRules : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPatternTakesItsNames_data();
    void aPatternTakesItsNames();
    void aPatternThatIsNoneIsRefused_data();
    void aPatternThatIsNoneIsRefused();
    void workGetsTheClassOfItsName_data();
    void workGetsTheClassOfItsName();
    void theShippedRulesTakeWhatTheirExpressionsTake();
    void aKernelThatNamesACollectiveCommunicates();
    void theFirstRuleThatFitsDecides();
    void workThatNoRuleTakesComputes();
    void rulesSurviveTheirText();
    void aWrongRuleIsNamed_data();
    void aWrongRuleIsNamed();
};

namespace {

WorkGroup groupOf(std::string_view name, WorkKind kind = WorkKind::Kernel)
{
    const auto profile = test::StatedProfile().work({name, 0, 1, 7, 0, 1, kind}).done();
    return classify(*profile).groups.front();
}

} // namespace

void TestWorkRules::aPatternTakesItsNames_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("takes");
    const auto row = [](const char *pattern, const char *name, bool takes) {
        QTest::addRow("%s: %s", pattern, name) << pattern << name << takes;
    };
    row("nccl", "void NCCLKernel", true);
    row("^nccl", "void ncclKernel", false);
    row("^nccl", "ncclKernel", true);
    row("a|b", "xbx", true);
    row("a|b", "xcx", false);
    row("deep_?ep", "DeepEP", true);
    row("deep_?ep", "deep_ep", true);
    row("deep_?ep", "deep__ep", false);
    row("triton*add", "triton_poi_fused_add_3", true);
    row("triton*add", "add_triton", false);
    row("^a*b*c", "axxbyyc", true);
    row("^a*b*c", "axxcyyb", false);
    row("", "whatever", true);
}

void TestWorkRules::aPatternTakesItsNames()
{
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    QFETCH(bool, takes);
    const auto compiled = NamePattern::compiled(pattern.toStdString());
    QVERIFY(compiled.ok());
    QCOMPARE(compiled->matchesLowered(name.toLower().toStdString()), takes);
}

void TestWorkRules::aPatternThatIsNoneIsRefused_data()
{
    QTest::addColumn<QString>("pattern");
    for (const char *pattern : {"a||b", "a|", "?a", "^", "a??", "a?b?c?d?e?f?g?h?i?j?k?l?"})
        QTest::newRow(pattern) << pattern;
}

void TestWorkRules::aPatternThatIsNoneIsRefused()
{
    QFETCH(QString, pattern);
    const auto compiled = NamePattern::compiled(pattern.toStdString());
    QVERIFY(!compiled.ok());
    QVERIFY(!compiled.error().detail.empty());
}

void TestWorkRules::workGetsTheClassOfItsName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("family");
    const auto row = [](const char *name, WorkKind kind, const char *expected,
                        const char *family = "") {
        QTest::addRow("%s, %d", name, int(kind)) << name << int(kind) << expected << family;
    };
    row("ncclDevKernel_AllReduce_Sum_f32_RING_LL", WorkKind::Kernel, "communication");
    row("void deep_ep::intranode::dispatch", WorkKind::Kernel, "communication");
    row("void aiter::cross_device_reduce_2stage", WorkKind::Kernel, "communication");
    row("one_shot_all_reduce_kernel", WorkKind::Kernel, "communication");
    row("nccl copy", WorkKind::Copy, "copy");
    row("Memcpy HtoD (Pinned -> Device)", WorkKind::Copy, "copy");
    row("CopyHostToDevice", WorkKind::Kernel, "copy");
    row("__amd_rocclr_copyBuffer", WorkKind::Kernel, "copy");
    row("__amd_rocclr_fillBufferAligned", WorkKind::Kernel, "fill");
    row("fillBuffer", WorkKind::Copy, "fill");
    row("anything", WorkKind::Fill, "fill");
    row("hipLaunchThis", WorkKind::Kernel, "compute", "other");
    row("nvjet_hsh_128x256_64x4_TNT", WorkKind::Kernel, "compute", "matrix product");
    row("triton_poi_fused_add_12", WorkKind::Kernel, "compute", "triton");
    row("void cutlass__5x_cudnn::wgrad", WorkKind::Kernel, "compute", "convolution");
    row("flash_fwd_kernel", WorkKind::Kernel, "compute", "attention");
    row("void multi_tensor_apply_kernel<LpNorm>", WorkKind::Kernel, "compute", "optimizer");
    row("void at::native::reduce_kernel<512>", WorkKind::Kernel, "compute", "reduction");
}

void TestWorkRules::workGetsTheClassOfItsName()
{
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(QString, expected);
    QFETCH(QString, family);
    const WorkGroup group = groupOf(name.toStdString(), static_cast<WorkKind>(kind));
    QCOMPARE(QString::fromStdString(std::string(textOf(group.workClass))), expected);
    QCOMPARE(QString::fromStdString(std::string(textOf(group.family))), family);
    QVERIFY(group.rule != kNoRow);
}

/// The same as regular expressions, on names put together of their parts.
void TestWorkRules::theShippedRulesTakeWhatTheirExpressionsTake()
{
    const auto option = QRegularExpression::CaseInsensitiveOption;
    const QRegularExpression communication(
        "nccl|rccl|msccl|hccl|nvshmem|rocshmem|deep_?ep|symm_mem|multimem|cross_device_reduce|"
        "::ep::|(one|two)_?shot_?all_?reduce|all_?reduce_(one|two)_?shot|quickreduce",
        option);
    const QRegularExpression fill("^(hip)?memset|fillbuffer", option);
    const QRegularExpression copy("^(hip)?memcpy|^copy(host|device)|copybuffer|^dma", option);
    constexpr std::array<const char *, 26> kParts{
        "nccl", "deep",     "_",     "ep",     "one",  "two",           "shot", "all",    "reduce",
        "hip",  "mem",      "cpy",   "set",    "copy", "host",          "dma",  "buffer", "fill",
        "::",   "symm_mem", "quick", "Device", " ",    "cross_device_", "x",    "rOc"};
    std::mt19937 random(7);
    for (int count = 0; count < 4000; ++count) {
        QString name;
        for (auto part = 1 + random() % 6; part > 0; --part)
            name += QLatin1String(kParts[random() % kParts.size()]);
        const auto kind = static_cast<WorkKind>(random() % 3);
        const bool isKernel = kind == WorkKind::Kernel;
        const WorkClass expected =
            isKernel && communication.match(name).hasMatch()        ? WorkClass::Communication
            : kind == WorkKind::Fill || fill.match(name).hasMatch() ? WorkClass::Fill
            : kind == WorkKind::Copy || copy.match(name).hasMatch() ? WorkClass::Copy
                                                                    : WorkClass::Compute;
        const WorkClass found = groupOf(name.toStdString(), kind).workClass;
        QVERIFY2(found == expected, qPrintable(name));
    }
}

void TestWorkRules::aKernelThatNamesACollectiveCommunicates()
{
    const auto profile = test::StatedProfile()
                             .work({"gemm", 0, 1})
                             .collective({"all_to_allv", 1, 2, 8})
                             .collective({"", 2, 3, 8})
                             .done();
    const std::vector<WorkRule> rules{
        {"", WorkKind::Kernel, true, WorkClass::Communication, WorkFamily::None}};
    const WorkClasses classes = classify(*profile, rules);
    QCOMPARE(classes.workClass,
             (std::vector{WorkClass::Compute, WorkClass::Communication, WorkClass::Compute}));
    QCOMPARE(classes.collectiveOf(0), kNoRow);
    QCOMPARE(classes.collectiveOf(1), 0U);
}

void TestWorkRules::theFirstRuleThatFitsDecides()
{
    const auto profile = test::StatedProfile().work({"gemm_a", 0, 1}).work({"gemm", 1, 2}).done();
    const std::vector<WorkRule> rules{{"gemm_a", {}, false, WorkClass::Copy, WorkFamily::None},
                                      {"gemm", {}, false, WorkClass::Fill, WorkFamily::None}};
    const WorkClasses classes = classify(*profile, rules);
    QCOMPARE(classes.groupOf(0).rule, 0U);
    QCOMPARE(classes.groupOf(1).rule, 1U);
    QCOMPARE(classes.workClass[1], WorkClass::Fill);
}

void TestWorkRules::workThatNoRuleTakesComputes()
{
    const auto profile = test::StatedProfile().work({"ncclKernel", 0, 1}).done();
    const WorkClasses classes = classify(*profile, {});
    QCOMPARE(classes.groupOf(0).rule, kNoRow);
    QCOMPARE(classes.workClass[0], WorkClass::Compute);
}

void TestWorkRules::rulesSurviveTheirText()
{
    const auto read = workRulesFromJson(workRulesJson(defaultWorkRules()));
    QVERIFY(read.ok());
    QVERIFY(*read == defaultWorkRules());
}

void TestWorkRules::aWrongRuleIsNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no array") << "{}"
                              << "array";
    QTest::newRow("no class") << R"([{"class":"copy"},{"pattern":"a"}])"
                              << "rule 2";
    QTest::newRow("class") << R"([{"class":"other"}])"
                           << "class";
    QTest::newRow("kind") << R"([{"class":"copy","kind":"event"}])"
                          << "kind";
    QTest::newRow("pattern") << R"([{"class":"copy","pattern":"a||b"}])"
                             << "a||b";
    QTest::newRow("key") << R"([{"class":"copy","patern":"a"}])"
                         << "patern";
    QTest::newRow("cut") << R"([{"class":)"
                         << "";
}

void TestWorkRules::aWrongRuleIsNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = workRulesFromJson(text.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().detail).contains(says),
             read.error().detail.c_str());
}

VRAMSCOPE_TEST(TestWorkRules)
#include "tst_work_rules.moc"
