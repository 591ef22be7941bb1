// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_table.h"
#include "core/profile/operator_table.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <map>

using namespace vramscope;
using test::StatedProfile;

namespace {

OperatorTable tableOf(const ProfileStudy &study, OperatorGrouping grouping,
                      bool belowForward = false)
{
    return operatorTable(study.profile(), study.work(), {grouping, belowForward, {}});
}

/// The row of a path, or of a name; fails the test where there is none.
const OperatorRow &rowOf(const ProfileStudy &study, const OperatorTable &table,
                         const std::string &path)
{
    static const OperatorRow none{};
    for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
        if (pathText(study.profile(), table, row) == path)
            return table.rows[row];
    }
    QTest::qFail(("no row " + path).c_str(), __FILE__, __LINE__);
    return none;
}

} // namespace

class TestOperatorTable : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void timesOfChildrenAreNoneOfTheParents();
    void recursionCountsOnce();
    void waitingIsSplitOff();
    void shapesAndTypesTellRowsApart();
    void pathsAreATree();
    void backwardOperatorsStandBelowTheirForward();
    void modulesComeFromTheFileOrFromPythonAround();
    void aWindowTakesWhatStartsInIt();
    void everyRowIsWhatItsOperatorsSay();
    void kernelsAddUp();
};

void TestOperatorTable::timesOfChildrenAreNoneOfTheParents()
{
    const auto study = StatedProfile()
                           .operation({"outer", 0, 100})
                           .operation({"inner", 10, 40})
                           .operation({"inner", 50, 60})
                           .call("cudaLaunchKernel", 5, 6, 1)
                           .call("cudaLaunchKernel", 20, 21, 2)
                           .work({"a", 200, 207, 7, 0, 1})
                           .work({"b", 300, 330, 7, 0, 2})
                           .study();
    const OperatorTable &table = study->operators();
    const OperatorRow &outer = rowOf(*study, table, "outer");
    QCOMPARE(outer.hostSelf, 60);
    QCOMPARE(outer.hostTotal, 100);
    QCOMPARE(outer.deviceSelf, 7);
    QCOMPARE(outer.deviceTotal, 37);
    QCOMPARE(outer.launches, 2);
    const OperatorRow &inner = rowOf(*study, table, "inner");
    QCOMPARE(inner.count, 2);
    QCOMPARE(inner.hostTotal, 40);
    QCOMPARE(inner.deviceTotal, 30);
    QCOMPARE(table.sorted(study->profile()).front(), 0U);
}

void TestOperatorTable::recursionCountsOnce()
{
    const auto study = StatedProfile()
                           .operation({"f", 0, 100})
                           .operation({"g", 10, 80})
                           .operation({"f", 20, 60})
                           .operation({"f", 200, 210})
                           .study();
    const OperatorRow &f = rowOf(*study, study->operators(), "f");
    QCOMPARE(f.count, 3);
    QCOMPARE(f.hostTotal, 110);
    QCOMPARE(f.hostSelf, 30 + 40 + 10);
}

void TestOperatorTable::waitingIsSplitOff()
{
    const auto study = StatedProfile()
                           .operation({"aten::item", 0, 100})
                           .operation({"inner", 60, 90})
                           .call("cudaStreamSynchronize", 10, 50, 1)
                           .call("cudaLaunchKernel", 52, 55, 2)
                           .call("cudaDeviceSynchronize", 65, 95, 3)
                           .study();
    QCOMPARE(rowOf(*study, study->operators(), "aten::item").waiting, 40);
    QCOMPARE(rowOf(*study, study->operators(), "aten::item").hostSelf, 70);
    QCOMPARE(rowOf(*study, study->operators(), "inner").waiting, 25); // the rest is not within it
}

void TestOperatorTable::shapesAndTypesTellRowsApart()
{
    const auto study = StatedProfile()
                           .operation({"mm", 0, 10, "1", "[[1]]"})
                           .operation({"mm", 10, 20, "1", "[[2]]"})
                           .operation({"mm", 20, 30, "1", "[[1]]"})
                           .study();
    const OperatorTable table = tableOf(*study, OperatorGrouping::Shapes);
    QCOMPARE(table.rows.size(), std::size_t(2));
    QCOMPARE(table.rows[0].count, 2);
    QCOMPARE(study->profile().text(table.rows[1].shapes), std::string_view("[[2]]"));
}

void TestOperatorTable::pathsAreATree()
{
    const auto study = StatedProfile()
                           .operation({"a", 0, 100})
                           .operation({"c", 10, 20})
                           .operation({"b", 200, 300})
                           .operation({"c", 210, 220})
                           .operation({"c", 230, 240})
                           .study();
    const OperatorTable table = tableOf(*study, OperatorGrouping::Path);
    QCOMPARE(table.rows.size(), std::size_t(4));
    QCOMPARE(rowOf(*study, table, "b > c").count, 2);
    QCOMPARE(rowOf(*study, table, "a > c").count, 1);
}

void TestOperatorTable::backwardOperatorsStandBelowTheirForward()
{
    const auto study = StatedProfile()
                           .operation({"linear", 0, 100})
                           .operation({"mm", 10, 40, "1", "", 5, 0})
                           .operation({"autograd", 200, 300, "2"})
                           .operation({"MmBackward", 210, 260, "2", "", 5, 1})
                           .operation({"mm", 220, 250, "2"})
                           .study();
    QCOMPARE(
        rowOf(*study, tableOf(*study, OperatorGrouping::Path), "autograd > MmBackward > mm").count,
        1);
    const OperatorTable below = tableOf(*study, OperatorGrouping::Path, true);
    QCOMPARE(rowOf(*study, below, "linear > mm > MmBackward > mm").hostSelf, 30);
    QCOMPARE(rowOf(*study, below, "autograd").hostSelf, 50);
}

void TestOperatorTable::modulesComeFromTheFileOrFromPythonAround()
{
    const auto study = StatedProfile()
                           .range("nn.Module: Linear_0", 0, 50, RangeKind::Python)
                           .range("forward", 0, 90, RangeKind::Python)
                           .operation({"a", 10, 20})
                           .operation({"b", 60, 80})
                           .operation({"c", 65, 70, "1", "", 3, 0, "top.Conv_1"})
                           .operation({"d", 66, 68})
                           .operation({"CBackward", 0, 10, "2", "", 3, 1})
                           .study();
    const auto nameOf = [&](const OperatorTable &table, std::uint32_t at) {
        return std::string(study->profile().text(table.rows[table.row[at]].name));
    };
    const OperatorTable table = tableOf(*study, OperatorGrouping::Module);
    QCOMPARE(nameOf(table, 0), std::string("nn.Module: Linear_0"));
    QCOMPARE(nameOf(table, 1), std::string());
    QCOMPARE(nameOf(table, 2), std::string("top.Conv_1"));
    QCOMPARE(nameOf(table, 3), std::string("top.Conv_1"));
    QCOMPARE(nameOf(table, 4), std::string());
    QCOMPARE(nameOf(tableOf(*study, OperatorGrouping::Module, true), 4), std::string("top.Conv_1"));
}

void TestOperatorTable::aWindowTakesWhatStartsInIt()
{
    const auto study = StatedProfile()
                           .operation({"a", 0, 100})
                           .operation({"b", 50, 60})
                           .operation({"b", 150, 160})
                           .study();
    const std::vector<TimeInterval> window{{50, 150}};
    const OperatorTable table =
        operatorTable(study->profile(), study->work(), {OperatorGrouping::Path, false, window});
    QCOMPARE(rowOf(*study, table, "a > b").count, 1);
    QCOMPARE(rowOf(*study, table, "a").count, 0);
    QCOMPARE(table.row[0], kNoRow);
}

void TestOperatorTable::everyRowIsWhatItsOperatorsSay()
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        const auto profile = test::randomProfile(seed);
        const ProfileStudy study(profile);
        const OperatorColumns &all = profile->operators();
        const WorkColumns &work = profile->work();
        std::map<StringId, OperatorRow> expected;
        for (std::uint32_t at = 0; at < all.count(); ++at) {
            const auto isWithin = [&](std::uint32_t operation) {
                while (operation != kNoRow && operation != at)
                    operation = all.parent[operation];
                return operation == at;
            };
            bool isNested = false;
            for (std::uint32_t up = all.parent[at]; up != kNoRow; up = all.parent[up])
                isNested = isNested || all.name[up] == all.name[at];
            OperatorRow &row = expected[all.name[at]];
            ++row.count;
            std::int64_t self = all.end[at] - all.start[at];
            for (std::uint32_t kid = 0; kid < all.count(); ++kid)
                self -= all.parent[kid] == at ? std::min(all.end[kid], all.end[at]) - all.start[kid]
                                              : 0;
            row.hostSelf += std::max(std::int64_t(0), self);
            row.hostTotal += isNested ? 0 : all.end[at] - all.start[at];
            for (std::uint32_t piece = 0; piece < work.count(); ++piece) {
                row.deviceSelf += work.operation[piece] == at ? work.duration(piece) : 0;
                if (work.operation[piece] != kNoRow && isWithin(work.operation[piece]) &&
                    !isNested) {
                    row.deviceTotal += work.duration(piece);
                    ++row.launches;
                }
            }
        }
        QCOMPARE(study.operators().rows.size(), expected.size());
        for (const OperatorRow &row : study.operators().rows) {
            const OperatorRow &want = expected[row.name];
            QCOMPARE(row.count, want.count);
            QCOMPARE(row.hostSelf, want.hostSelf);
            QCOMPARE(row.hostTotal, want.hostTotal);
            QCOMPARE(row.deviceSelf, want.deviceSelf);
            QCOMPARE(row.deviceTotal, want.deviceTotal);
            QCOMPARE(row.launches, want.launches);
        }
    }
}

void TestOperatorTable::kernelsAddUp()
{
    const auto profile = test::randomProfile(3);
    const ProfileStudy study(profile);
    std::int64_t all = 0;
    for (std::size_t row = 0; row < profile->work().count(); ++row)
        all += profile->work().duration(row);
    std::int64_t total = 0;
    std::int64_t count = 0;
    for (const KernelRow &row : study.kernels().rows) {
        total += row.total;
        count += row.count;
        QVERIFY(row.shortest <= row.longest && row.exposed <= row.total);
    }
    QCOMPARE(study.kernels().total, all);
    QCOMPARE(total, all);
    QCOMPARE(count, std::int64_t(profile->work().count()));
}

VRAMSCOPE_TEST(TestOperatorTable)
#include "tst_operator_table.moc"
