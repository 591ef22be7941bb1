// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/models/data_table_view.h"
#include "ui/support/exact_role.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QHeaderView>
#include <QSignalSpy>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

struct Kernel
{
    std::string name;
    std::int64_t change = 0;
    std::optional<std::int64_t> bytes;
};

DataTable kernels(std::shared_ptr<int> made = {})
{
    using enum DataTable::Kind;
    TableOf<Kernel> table("Kernels", std::vector<Kernel>{{"all", 0, 10'000},
                                                         {"gemm\n<b>", -2'500, 4'000},
                                                         {"softmax", 1'500, {}},
                                                         {"Gemv", 1'500, 6'000}});
    table
        .add({"name", "Kernel"},
             [made](const Kernel &row) {
                 if (made)
                     ++*made;
                 return row.name;
             })
        .add({"change", "Change", TimeChange, "B less A"}, &Kernel::change)
        .add({"bytes", "Bytes", Size}, &Kernel::bytes)
        .tips([](const Kernel &row) { return "bytes of\n" + row.name; })
        .strong([](const Kernel &row) { return row.name == "all"; });
    DataTable described = std::move(table).table();
    described.pinned = 1;
    return described;
}

QStringList column(const QAbstractItemModel &model, int at)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, at).data().toString();
    return texts;
}

} // namespace

/// One item model shows every table.
class DataTableModelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void cellsAreShownAndExact()
    {
        DataTableModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(kernels());
        QCOMPARE(column(model, 0), (QStringList{u"all"_s, u"gemm?<b>"_s, u"softmax"_s, u"Gemv"_s}));
        QCOMPARE(column(model, 1),
                 (QStringList{u"0 ns"_s, u"−2.5 µs"_s, u"+1.5 µs"_s, u"+1.5 µs"_s}));
        QCOMPARE(model.index(1, 1).data(kExactRole).toLongLong(), -2'500);
        QVERIFY(!model.index(1, 0).data(kExactRole).isValid());
        QVERIFY(!model.index(2, 2).data(kExactRole).isValid()); // unknown
        QCOMPARE(model.index(1, 1).data(Qt::ToolTipRole).toString(),
                 u"<p>−2.5 µs (−2,500 ns)</p>"_s);
        QCOMPARE(model.index(1, 2).data(Qt::ToolTipRole).toString(),
                 u"<p>bytes of<br>gemm<br>&lt;b&gt;</p>"_s);
        QVERIFY(model.index(0, 2).data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(!model.index(1, 2).data(Qt::FontRole).isValid());
        QCOMPARE(model.headerData(1, Qt::Horizontal, kUnitRole).toString(), u"ns"_s);
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), u"B less A"_s);
        model.setUnit(ByteUnit::Decimal);
        QCOMPARE(model.index(1, 2).data().toString(), u"4.00 kB"_s);
    }

    void rowsSortByExactValues()
    {
        DataTableModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(kernels());
        const QPersistentModelIndex softmax = model.index(2, 0);
        model.sort(1, Qt::DescendingOrder); // equal ones as in the table, the sum first
        QCOMPARE(column(model, 0), (QStringList{u"all"_s, u"softmax"_s, u"Gemv"_s, u"gemm?<b>"_s}));
        QCOMPARE(softmax.row(), 1);
        QCOMPARE(model.rowAt(1), std::size_t(2));
        QCOMPARE(model.placeOf(1), 3);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(2, order);
            QCOMPARE(column(model, 0).back(), u"softmax"_s); // its size is not known
        }
        model.sort(-1);
        QCOMPARE(column(model, 0).at(1), u"gemm?<b>"_s);
    }

    void theFilterKeepsNames()
    {
        DataTableModel model;
        model.setTable(kernels());
        const QPersistentModelIndex gemv = model.index(3, 0);
        model.setFilter(u"gem"_s);
        QCOMPARE(column(model, 0), (QStringList{u"gemm?<b>"_s, u"Gemv"_s}));
        QCOMPARE(gemv.row(), 1);
        QCOMPARE(model.placeOf(2), -1);
        model.setTable(kernels()); // which keeps the filter
        QCOMPARE(model.rowCount(), 2);
        model.setFilter({});
        QCOMPARE(model.rowCount(), 4);
    }

    void onlyShownCellsAreMade()
    {
        const auto made = std::make_shared<int>(0);
        DataTableModel model;
        model.setTable(kernels(made));
        model.sort(1);
        QCOMPARE(*made, 0);
        (void)model.index(2, 0).data();
        QCOMPARE(*made, 1);
    }

    void aRowOfTheTableIsChosen()
    {
        DataTableView view(u"Kernels"_s);
        view.setTable(kernels(), ByteUnit::Binary);
        view.sortByColumn(1, Qt::AscendingOrder);
        const QSignalSpy chosen(&view, &DataTableView::rowChosen);
        Q_EMIT view.clicked(view.model()->index(3, 0));
        QCOMPARE(chosen.front().front().value<std::size_t>(), std::size_t(3));
        view.setTable(kernels(), ByteUnit::Binary); // with the same columns, which keep the order
        QCOMPARE(view.horizontalHeader()->sortIndicatorSection(), 1);
    }
};

VRAMSCOPE_TEST(DataTableModelTest)
#include "tst_data_table_model.moc"
