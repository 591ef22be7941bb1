// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/profile_data.h"
#include "core/profile/profile_study.h"
#include "tests/core/page/page_document.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

using namespace vramscope;

namespace {

using Numbers = std::vector<std::int64_t>;

/// Kernels on two streams that overlap on one of them, operators in each other, calls and a range.
std::shared_ptr<const ProfileStudy> sampleStudy()
{
    test::StatedProfile made;
    made.work({"gemm", 1000, 1400})
        .work({"ncclDevKernel_AllReduce", 1100, 1900, 13})
        .work({"Memcpy DtoH", 1950, 1960, 7, 0, kNotStated, WorkKind::Copy})
        .operation({"aten::linear", 1000, 1090})
        .operation({"aten::addmm", 1010, 1050})
        .call("cudaLaunchKernel", 1020, 1030, 1)
        .call("cudaStreamSynchronize", 1100, 1800, 2)
        .range("forward", 990, 1200);
    return made.study();
}

test::PageDocument pageOf(const ProfileStudy &study, std::size_t largest = kUsualLargest)
{
    const auto rows = timelineRows(study.profile(), [] { return true; });
    ProfileDataOptions options;
    options.largest = largest;
    options.sections = {{"All", {}}};
    for (std::size_t at = 0; at < rows->groups.size(); ++at) {
        options.sections[0].groups.push_back(at);
        options.groupTitles.push_back("group " + std::to_string(at));
    }
    options.text = [&](StringId id) { return std::string(study.profile().text(id)); };
    options.origin = 990;
    options.end = 1960;
    return test::readPageDocument(profileData(study, *rows, options));
}

} // namespace

class TestProfileData : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void hasEverySliceOfEveryRowInOrder()
    {
        const auto study = sampleStudy();
        const test::PageDocument page = pageOf(*study);
        QVERIFY(page.isRead);
        QCOMPARE(page.head["span"].toInteger(), 970);
        const Numbers &slices = page.numbers.at("slices");
        QCOMPARE(page.head["rows"].toArray().size(), std::ssize(slices));
        QCOMPARE(page.head["rows"][0].toString(), QStringLiteral("All"));
        QCOMPARE(slices[0], 0); // the title
        QCOMPARE(page.numbers.at("start").size(), std::size_t(8));
        const auto names = page.texts.at("name");
        std::size_t at = 0;
        std::map<std::string, std::vector<std::int64_t>> found;
        for (const std::int64_t count : slices) {
            for (std::int64_t each = 0; each < count; ++each, ++at) {
                const std::int64_t start = page.numbers.at("start")[at];
                QVERIFY(each == 0 || start >= page.numbers.at("start")[at - 1] +
                                                  page.numbers.at("duration")[at - 1]);
                found[names[static_cast<std::size_t>(page.numbers.at("name")[at])]] = {
                    start, page.numbers.at("duration")[at], page.numbers.at("category")[at]};
            }
        }
        const auto kind = [](std::string_view name) {
            std::int64_t at = 0;
            while (sliceKindName(static_cast<std::size_t>(at)) != name)
                ++at;
            return at;
        };
        QCOMPARE(found["gemm"], (Numbers{10, 400, kind("Matrix product")}));
        QCOMPARE(found["ncclDevKernel_AllReduce"], (Numbers{110, 800, kind("Communication")}));
        QCOMPARE(found["Memcpy DtoH"], (Numbers{960, 10, kind("Copy")}));
        QCOMPARE(found["aten::addmm"], (Numbers{20, 40, kind("Operator")}));
        QCOMPARE(found["cudaLaunchKernel"], (Numbers{30, 10, kind("Runtime call")}));
        QCOMPARE(found["cudaStreamSynchronize"],
                 (Numbers{110, 700, kind("Call that waits for the GPU")}));
        QCOMPARE(found["forward"], (Numbers{0, 210, kind("Annotation")}));
        QVERIFY(!page.head.contains(QLatin1String("aside")));
    }

    void keepsTheLongestSlicesAndSaysHowManyItLeavesOut()
    {
        const auto study = sampleStudy();
        const test::PageDocument page = pageOf(*study, 3);
        QVERIFY(page.isRead);
        Numbers durations = page.numbers.at("duration");
        std::ranges::sort(durations);
        QCOMPARE(durations, (Numbers{400, 700, 800}));
        QCOMPARE(
            page.head["aside"].toString(),
            QStringLiteral("The page has the 3 longest slices of 8; the others are left out."));
        // Of equal ones the first are kept, never more than are wanted.
        test::StatedProfile equal;
        for (std::int64_t at = 0; at < 20; ++at)
            equal.work({"gemm", 1000 + 10 * at, 1005 + 10 * at});
        QCOMPARE(pageOf(*equal.study(), 4).numbers.at("start"), (Numbers{10, 20, 30, 40}));
    }
};

VRAMSCOPE_TEST(TestProfileData)
#include "tst_profile_data.moc"
