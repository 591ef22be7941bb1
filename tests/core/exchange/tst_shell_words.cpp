// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/shell_arithmetic.h"
#include "core/exchange/shell_words.h"
#include "tests/support/test.h"

#include <limits>

using namespace vramscope;

class TestShellWords : public test::Test
{
    Q_OBJECT

private slots:
    void aScriptBecomesTheWordsOfItsCommands_data();
    void aScriptBecomesTheWordsOfItsCommands();
    void eachWordKnowsItsLine();
    void brokenScriptsSayWhere_data();
    void brokenScriptsSayWhere();
    void variablesThatDoubleEndAsAnError();
    void arithmeticIsExactOrNothing_data();
    void arithmeticIsExactOrNothing();
};

namespace {

QString joined(const std::vector<ShellWord> &words)
{
    QStringList list;
    for (const ShellWord &word : words) {
        if (!word.end)
            list << QString::fromStdString(word.text);
    }
    return list.join(QLatin1Char('|'));
}

} // namespace

void TestShellWords::aScriptBecomesTheWordsOfItsCommands_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *script, const char *words) {
        QTest::newRow(name) << QByteArray(script) << QString::fromUtf8(words);
    };
    row("plain", "run --a 1 --b=2", "run|--a|1|--b=2");
    row("continued", "run --a \\\n  1 \\\r\n --b", "run|--a|1|--b");
    row("comments", "# all\nrun --a # rest\nrun --b#no", "run|--a|run|--b#no");
    row("quotes", "run 'a b' \"c d\"'e' \"f\\\"g\"", "run|a b|c de|f\"g");
    row("variable", "N=4\nrun --a $N ${N}x", "run|--a|4|4x");
    row("exported", "export N=4 M=5\nrun --a $N $M", "export|run|--a|4|5");
    row("splits", "ARGS=\"--a 1 \\\n --b 2\"\nrun $ARGS \"$ARGS\"", "run|--a|1|--b|2|--a 1 --b 2");
    row("array", "A=(--a 1 # one\n --b\n)\nA+=(--c)\nrun ${A[@]} \"${A[@]}\"",
        "run|--a|1|--b|--c|--a|1|--b|--c");
    row("default", "run --a ${N:-7} ${M-8} ${K:-$N}", "run|--a|7|8|$N");
    row("known over default", "N=1\nrun --a ${N:-7}", "run|--a|1");
    row("arithmetic", "N=4\nM=$((N * 2 + ${N}))\nrun --a $M $(($M/5))", "run|--a|12|2");
    row("command", "run --a $(nproc --all) $1", "run|--a|$(…)|$1");
    row("redirected", "run --a 2>&1 | tee log; next --b", "run|--a|1|tee|log|next|--b");
    row("definitions only", "A=(--a 1)\nB='--b 2'", "--a|1|--b|2");
    row("own words", "run \"$@\" --a", "run||--a");
}

void TestShellWords::aScriptBecomesTheWordsOfItsCommands()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, words);
    const auto read = shellWords(script.toStdString());
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QCOMPARE(joined(*read), words);
}

void TestShellWords::eachWordKnowsItsLine()
{
    const auto words =
        shellWords("A=(\n  --a\n  1\n)\nB=\"--b \\\n  --c\"\nrun \\\n  ${A[@]} $B --d");
    QVERIFY(words.ok());
    QStringList lines;
    for (const ShellWord &word : *words)
        lines << QString::number(word.line);
    QCOMPARE(lines.join(QLatin1Char(' ')), QStringLiteral("4 6 7 2 3 5 6 8"));
}

void TestShellWords::brokenScriptsSayWhere_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("quote") << QByteArray("run\nrun 'a") << QByteArray("Line 2: a quote");
    QTest::newRow("double quote") << QByteArray("run \"a") << QByteArray("Line 1: a quote");
    QTest::newRow("array") << QByteArray("A=(1 2") << QByteArray("array");
    QTest::newRow("brace") << QByteArray("run ${A") << QByteArray("${");
    QTest::newRow("parenthesis") << QByteArray("run $(a (b)") << QByteArray("$(");
}

void TestShellWords::brokenScriptsSayWhere()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, says);
    const auto words = shellWords(script.toStdString());
    QVERIFY(!words.ok());
    QVERIFY2(QByteArray::fromStdString(words.error().detail).contains(says),
             words.error().detail.c_str());
}

void TestShellWords::variablesThatDoubleEndAsAnError()
{
    std::string script = "A=abcdefgh\n";
    for (int i = 0; i < 60; ++i)
        script += "A=\"$A $A\"\n";
    const auto words = shellWords(script + "run $A");
    QVERIFY(!words.ok());
    QVERIFY(words.error().detail.find("more than 1 MiB") != std::string::npos);
}

void TestShellWords::arithmeticIsExactOrNothing_data()
{
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<qint64>("value"); // -1: nothing
    QTest::newRow("product first") << QByteArray("1 + 2*3") << qint64(7);
    QTest::newRow("left to right") << QByteArray("100/5/2 - 3 - 2") << qint64(5);
    QTest::newRow("parentheses") << QByteArray(" ( 1+2 ) * $N % 5") << qint64(2);
    QTest::newRow("unknown name") << QByteArray("M * 2") << qint64(-1);
    QTest::newRow("zero") << QByteArray("1 / 0") << qint64(-1);
    QTest::newRow("overflow") << QByteArray("9223372036854775807 + 1") << qint64(-1);
    QTest::newRow("overflowing quotient")
        << QByteArray("(0 - 9223372036854775807 - 1) / (0-1)") << qint64(-1);
    QTest::newRow("rest") << QByteArray("1 ** 2") << qint64(-1);
    QTest::newRow("deep") << QByteArray(40, '(') + "1" + QByteArray(40, ')') << qint64(-1);
}

void TestShellWords::arithmeticIsExactOrNothing()
{
    QFETCH(QByteArray, expression);
    QFETCH(qint64, value);
    const auto number = evaluated(expression.toStdString(), [](std::string_view name) {
        return name == "N" ? std::string("4") : std::string();
    });
    QCOMPARE(number.has_value(), value >= 0);
    QCOMPARE(number.value_or(-1), value);
}

VRAMSCOPE_TEST(TestShellWords)
#include "tst_shell_words.moc"
