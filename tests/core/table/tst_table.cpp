// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/json_rows.h"
#include "core/table/row_order.h"
#include "core/table/table.h"
#include "core/table/terminal_table.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

using namespace vramscope;

namespace {

struct Kernel
{
    std::string name;
    std::int64_t total = 0;
    std::optional<std::int64_t> bytes = {};
    std::optional<std::int64_t> registers = {};
};

DataTable kernels(std::vector<Kernel> rows)
{
    using enum DataTable::Kind;
    TableOf<Kernel> table("Kernels", std::move(rows));
    table.add({"name", "Kernel"}, &Kernel::name)
        .add({"class", "Class", Text, {}, {}, false}, [](const Kernel &) { return "compute"; })
        .add({"total", "Total", Time}, &Kernel::total)
        .add({"share", "Share", Share, "Of 4 ms"},
             [](const Kernel &row) { return shareOf(row.total, 4'000'000); })
        .add({"moved.bytes", "Bytes", Size, {}, "size"}, &Kernel::bytes)
        .add({"moved.registers", "Registers", Count}, &Kernel::registers)
        .noteIfEmpty("Nothing ran.");
    return std::move(table).table();
}

DataTable two()
{
    return kernels({{"gemm", 3'000'000, 2048}, {"a name that is far too long for it", 1'000, {}}});
}

} // namespace

/// A table that is described once reads the same wherever it is written.
class TestTable : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aKindMakesTheText_data()
    {
        using enum DataTable::Kind;
        QTest::addColumn<DataTable::Kind>("kind");
        QTest::addColumn<DataTable::Cell>("cell");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("exact");
        const auto row = [](const char *name, DataTable::Kind kind, DataTable::Cell cell,
                            std::string text, std::string exact) {
            QTest::newRow(name) << kind << std::move(cell) << std::move(text) << std::move(exact);
        };
        row("text", Text, "gemm", "gemm", "");
        row("count", Count, 1234567, "1,234,567", "");
        row("size", Size, std::int64_t(3) << 30, "3.00 GiB", "3.00 GiB (3,221,225,472 bytes)");
        row("growth", SizeChange, 16384, "+16.0 KiB", "+16.0 KiB (+16,384 bytes)");
        row("loss", SizeChange, -16384, "-16.0 KiB", "-16.0 KiB (-16,384 bytes)");
        row("time", Time, 999'960, "1 ms", "1 ms (999,960 ns)");
        row("slower", TimeChange, 1'500, "+1.5 µs", "+1.5 µs (+1,500 ns)");
        row("mean time", Time, 331'250.4, "331.2 µs", "");
        row("mean size", Size, 2048.5, "2.00 KiB", "");
        row("share", Share, 0.123, "12.3 %", "");
        row("small share", Share, 0.0005, "<0.1 %", "");
        row("no share", Share, 0.0, "0 %", "");
        row("percent", Percent, 62.44, "62.4 %", "");
        row("bandwidth", Bandwidth, 97.345, "97.3 GB/s", "");
        row("lower bound", LeastBandwidth, 97.345, "≥ 97.3 GB/s", "");
        row("seconds", Seconds, 200.0, "3 min 20 s", "");
        row("rounded", Rounded, 41234.0, "41,200", "");
        row("figure", Figure, "46,368 tokens", "46,368 tokens", "");
        row("error", SignedError, -0.0314, "-0.031 %", "");
        row("large error", SignedError, 12.54, "+12.5 %", "");
        row("no error", SignedError, 0.0, "0 %", "");
        row("tiny error", ErrorSize, -0.0001, "<0.001 %", "");
        row("error without sign", ErrorSize, -4.1, "4.10 %", "");
        row("short time", Time, 853, "853 ns", "853 ns");
        row("small size", Size, 853, "853 B", "853 bytes");
        row("unknown", Time, {}, "–", "");
        DataTable::Cell doubtful(4);
        doubtful.text = "4?";
        row("as said", Count, doubtful, "4?", "");
        DataTable::Cell unrecorded(0);
        unrecorded.isKnown = false;
        row("not recorded", Time, unrecorded, "–", "");
    }

    void aKindMakesTheText()
    {
        QFETCH(const DataTable::Kind, kind);
        QFETCH(const DataTable::Cell, cell);
        QFETCH(const std::string, text);
        QFETCH(const std::string, exact);
        const DataTable::Column column{"key", "Title", kind};
        QCOMPARE(cellText(column, cell), text);
        QCOMPARE(exactText(column, cell), exact);
    }

    void aTerminalHasTheColumnsThatAreAskedFor()
    {
        const std::string text =
            terminalText(two(), {{"total", "share", "moved.bytes", "nothing", "name"}, 0, 20});
        QVERIFY(text.starts_with("  total"));
        QVERIFY(text.find("75.0 %") != std::string::npos);
        QVERIFY(text.find("2.00 KiB") != std::string::npos);
        QVERIFY(text.find("too long for it") == std::string::npos); // 20 characters
        QVERIFY(terminalText(two(), {{"name"}, 1}).ends_with("(1 other; --top 0 lists it)\n"));
    }

    void documentsHaveExactValuesInTheOrderOfTheKeys()
    {
        const auto json = rowsJson(two(), {"name", "class", "moved.bytes", "total", "share"});
        QCOMPARE(json.dump(),
                 std::string(R"([{"name":"gemm","class":"compute","moved":{"bytes":2048},)"
                             R"("total":3000000,"share":0.75},)"
                             R"({"name":"a name that is far too long for it","class":"compute",)"
                             R"("moved":{"bytes":null},"total":1000,"share":0.00025}])"));
        QCOMPARE(rowsJson(two(), {"name"}, 1).size(), std::size_t(1));
    }

    void readersSeeNoColumnsWithoutValues()
    {
        const DataTable shown = shownColumns(two());
        std::string titles;
        for (const DataTable::Column &column : shown.columns)
            titles += column.title + ' ';
        QCOMPARE(titles, std::string("Kernel Total Share Bytes "));
        // Without rows nothing is known to be empty.
        QCOMPARE(shownColumns(kernels({})).columns.size(), std::size_t(5));
    }

    void aTableIsBuiltRowByRow()
    {
        using enum DataTable::Kind;
        RowTable rows("Parts", {{"name", ""},
                                {"bytes", "Bytes", Size},
                                {.key = "ratio", .isShown = false, .isExact = true}});
        rows.add({"weights", 2048, 1.0 / 3}, {.kind = 0, .at = 7});
        rows.add({"total", DataTable::Cell(4096).as("all of it"), {}}, {}, true);
        const DataTable table = std::move(rows).table();
        QCOMPARE(terminalText(table), std::string("               bytes\n"
                                                  "  weights   2.00 KiB\n"
                                                  "  total    all of it\n"));
        QVERIFY(table.target(0).kind == 0 && table.target(0).at == 7);
        QVERIFY(table.target(1).kind < 0);
        QVERIFY(!table.isStrong(0) && table.isStrong(1));
        QCOMPARE(exactText(table.columns[1], table.cell(1, 1)), std::string());
        QCOMPARE(rowsJson(table, {"name", "ratio"}).dump(),
                 std::string(R"([{"name":"weights","ratio":0.3333333333333333},)"
                             R"({"name":"total","ratio":null}])"));
        // Without any title there is no line of titles.
        QCOMPARE(terminalText(pickedColumns(table, {"name", "nothing"})),
                 std::string("  weights\n  total\n"));
    }

    void rowsSortByTheValuesOfAColumn()
    {
        DataTable::Cell later("4?");
        later.value = 40;
        DataTable::Cell unrecorded(0);
        unrecorded.isKnown = false;
        DataTable table =
            madeTable({}, {{"name", "Name"}, {"count", "Count", DataTable::Kind::Count}},
                      {{"all", 7},
                       {"b", 3},
                       {"c", unrecorded},
                       {"a", later},
                       {"d", 3.5},
                       {"e", DataTable::Cell()}});
        table.pinned = 1;
        const auto sorted = [&](std::size_t column, bool descending) {
            std::vector<std::uint32_t> rows{0, 1, 2, 3, 4, 5};
            sortRows(rows, table, column, descending);
            std::string names;
            for (const std::uint32_t row : rows)
                names += cellText(table.columns[0], table.cell(row, 0)) + ' ';
            return names;
        };
        QCOMPARE(sorted(0, false), std::string("all a b c d e "));
        QCOMPARE(sorted(0, true), std::string("all e d c b a "));
        QCOMPARE(sorted(1, false), std::string("all b d a c e "));
        QCOMPARE(sorted(1, true), std::string("all a d b c e "));
    }

    void errorsSortByTheirSize()
    {
        const DataTable table = madeTable({}, {{"error", "Error", DataTable::Kind::SignedError}},
                                          {{0.5}, {-3.0}, {2.0}});
        std::vector<std::uint32_t> rows{0, 1, 2};
        sortRows(rows, table, 0, true);
        QCOMPARE(rows, (std::vector<std::uint32_t>{1, 2, 0}));
    }

    void anEmptyTableSaysWhy()
    {
        QCOMPARE(kernels({}).note, std::string("Nothing ran."));
        QCOMPARE(two().note, std::string());
        QVERIFY(two().columnOf("total") == 2);
        QVERIFY(!two().columnOf("nothing"));
    }
};

VRAMSCOPE_TEST(TestTable)
#include "tst_table.moc"
