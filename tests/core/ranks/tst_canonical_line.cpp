// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_records.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

#include <random>

using namespace vramscope;

namespace {

/// All lines of the summaries of some ranks.
std::vector<std::string> linesOfRun()
{
    const test::RankRun run{.ranks = 16, .stages = 2, .failing = 3, .beside = 12, .later = 9};
    const RunSummary summary = test::summaryOfRanks(run, {0, 3, 9, 12});
    std::vector<std::string> lines;
    for (const auto &[kind, of] : summary.linesByKind()) {
        for (const std::string_view line : of)
            lines.emplace_back(line);
    }
    return lines;
}

} // namespace

class TestCanonicalLine : public test::Test
{
    Q_OBJECT

private slots:
    void linesThatAreWrittenAreInThatForm();
    void whatIsAcceptedIsItsOnlyForm();
    void otherFormsAreLeftToTheFullReader_data();
    void otherFormsAreLeftToTheFullReader();
    void bothReadersSayTheSame();
};

void TestCanonicalLine::linesThatAreWrittenAreInThatForm()
{
    std::size_t accepted = 0;
    std::size_t curves = 0;
    const std::vector<std::string> lines = linesOfRun();
    for (const std::string &line : lines) {
        const auto canonical = canonicalLine(line);
        accepted += canonical ? 1U : 0U;
        const auto json = nlohmann::json::parse(line);
        const bool isCurve = json["kind"] == "active" || json["kind"] == "reserved";
        curves += isCurve ? 1 : 0;
        if (isCurve)
            QVERIFY(canonical.has_value()); // which are most of a file
        if (!canonical)
            continue;
        QCOMPARE(canonical->values.size(), json.size());
        for (const auto &[key, value] : canonical->values)
            QCOMPARE(std::string(value), json[std::string(key)].dump());
    }
    QCOMPARE(curves, std::size_t(8));
    QVERIFY(accepted * 2 > lines.size());
}

void TestCanonicalLine::whatIsAcceptedIsItsOnlyForm()
{
    const std::vector<std::string> lines = linesOfRun();
    std::mt19937 random(11);
    std::size_t accepted = 0;
    constexpr std::string_view kBytes = "{}[]\",:0123456789-.eE \\tfn\x7f\xc3";
    for (int round = 0; round < 20'000; ++round) {
        std::string line = lines[random() % lines.size()];
        line.resize(std::min<std::size_t>(line.size(), 400 + random() % 200));
        if (random() % 2 == 0)
            line = R"({"a":[1,2,{"b":null}],"c":"x","d":0.25,"e":-7,"f":"\"\\"})";
        for (int change = 0; change < 2; ++change)
            line[random() % line.size()] = kBytes[random() % kBytes.size()];
        if (!canonicalLine(line))
            continue;
        ++accepted;
        const auto json = nlohmann::json::parse(line, nullptr, false);
        QVERIFY2(!json.is_discarded(), line.c_str());
        QCOMPARE(json.dump(), line);
    }
    QVERIFY(accepted > 100);
}

void TestCanonicalLine::otherFormsAreLeftToTheFullReader_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *name, const char *line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("empty", "");
    row("a list", "[1]");
    row("white space", R"({"a": 1})");
    row("keys out of order", R"({"b":1,"a":2})");
    row("a key twice", R"({"a":1,"a":2})");
    row("a leading zero", R"({"a":01})");
    row("minus zero", R"({"a":-0})");
    row("an exponent", R"({"a":1e5})");
    row("a fraction with zeros", R"({"a":1.50})");
    row("a whole number too many", R"({"a":1234567890123456789})");
    row("an escape", R"({"a":"\u0041"})");
    row("an escape in a key", R"({"a\"":1})");
    row("an escaped slash", R"({"a":"\/"})");
    row("an escape cut off", R"({"a":"\)");
    row("beyond ASCII", "{\"a\":\"\xc3\xa4\"}");
    row("a control character", "{\"a\":\"\t\"}");
    row("something behind it", R"({"a":1}})");
    row("cut off", R"({"a":[1,2)");
    row("a comma too many", R"({"a":[1,]})");
    row("too deep", R"({"a":[[[[[[[[[[1]]]]]]]]]]})");
    row("a word", R"({"a":nul})");
}

void TestCanonicalLine::otherFormsAreLeftToTheFullReader()
{
    QFETCH(QByteArray, line);
    QVERIFY(!canonicalLine(line.toStdString()));
}

void TestCanonicalLine::bothReadersSayTheSame()
{
    for (const std::string &line : linesOfRun()) {
        // A blank makes it another form of the same record.
        std::string other = line;
        other.insert(1, " ");
        const auto fast = recordOf(line);
        const auto full = recordOf(other);
        QVERIFY(fast.ok() && full.ok());
        QCOMPARE(fast->kind, full->kind);
        QCOMPARE(fast->moment, full->moment);
        QCOMPARE(fast->source, full->source);
        QCOMPARE(fast->device, full->device);
        QVERIFY(fast->stamp == full->stamp);
        QCOMPARE(fast->key, full->key);
        QCOMPARE(fast->line, full->line);
        if (fast->kind != "active" && fast->kind != "reserved")
            continue;
        RankSummary a;
        RankSummary b;
        RunRecord odd = *fast; // with a value that is not in the only form, and nothing asks for
        odd.line.insert(1, "\"zz\":1e5,");
        QVERIFY(!canonicalLine(odd.line));
        QVERIFY(readRecord(*fast, a).ok());
        QVERIFY(readRecord(odd, b).ok());
        QCOMPARE(a.active.highest, b.active.highest);
        QCOMPARE(a.active.lowest, b.active.lowest);
        QCOMPARE(a.active.events, b.active.events);
        QCOMPARE(a.reserved.highest, b.reserved.highest);
        QCOMPARE(a.begins, b.begins);
    }
}

VRAMSCOPE_TEST(TestCanonicalLine)
#include "tst_canonical_line.moc"
