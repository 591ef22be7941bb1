// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_patterns.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/test.h"

#include <set>

using namespace vramscope;

/// The small language of shapes, and what stands before a message.
class TestLogShape : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreReadAsTheyArePrinted_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<double>("value");
        QTest::newRow("whole") << "size: 17 tokens" << 17.0;
        QTest::newRow("thousands") << "size: 1,048,576 tokens" << 1048576.0;
        QTest::newRow("more blanks") << "size:  \t 17  tokens" << 17.0;
        QTest::newRow("negative") << "size: -2.5 tokens" << -2.5;
        QTest::newRow("no thousands") << "size: 1234567.25 tokens" << 1234567.25;
        QTest::newRow("behind a first try that fails") << "size: none, size: 8 tokens" << 8.0;
    }

    void numbersAreReadAsTheyArePrinted()
    {
        QFETCH(QString, line);
        QFETCH(double, value);
        const std::string text = line.toStdString();
        const auto match = LogShape("size: {n} tokens").find(text, 0);
        QVERIFY(match);
        QCOMPARE(match->numbers.size(), std::size_t(1));
        QCOMPARE(match->numbers[0].value, value);
    }

    void whatIsNoNumberDoesNotFit_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("none") << "size: tokens";
        QTest::newRow("cut") << "size: 17";
        QTest::newRow("a comma that divides no thousands") << "size: 1,04 tokens";
        QTest::newRow("four digits behind a comma") << "size: 1,0480 tokens";
        QTest::newRow("a word") << "size: many tokens";
        QTest::newRow("too long") << "size: " + QString(500, '9') + " tokens";
    }

    void whatIsNoNumberDoesNotFit()
    {
        QFETCH(QString, line);
        QVERIFY(!LogShape("size: {n} tokens").find(line.toStdString(), 0));
    }

    void unitsDevicesAndWordsAreTaken()
    {
        const std::string line = "load:   GPU_7 buffer size =  1.50 MiB of model tiny-1b (v2)";
        const auto match =
            LogShape("<@> buffer size = {b?} <*>model <=model> (v{v})").find(line, 0);
        QVERIFY(match);
        QCOMPARE(match->device, std::string_view("GPU_7"));
        QCOMPARE(match->numbers.size(), std::size_t(2));
        QCOMPARE(match->numbers[0].unit, std::string_view("MiB"));
        QCOMPARE(match->numbers[0].decimals, 2);
        QCOMPARE(match->numbers[1].value, 2.0);
        QCOMPARE(match->words.size(), std::size_t(1));
        QCOMPARE(match->words[0].text, std::string_view("tiny-1b"));
    }

    void everyPatternCanBeLookedForAndKnowsItsKeys()
    {
        std::set<std::string> used;
        for (const LogPattern &pattern : logPatterns()) {
            const QByteArray shape(pattern.shape.data(), qsizetype(pattern.shape.size()));
            QVERIFY2(LogShape(pattern.shape).anchor().size() >= 4, shape.constData());
            if (pattern.kind != LogPatternKind::Figures)
                continue;
            for (qsizetype at = shape.indexOf('{'); at >= 0; at = shape.indexOf('{', at + 1)) {
                QByteArray key = shape.mid(at + 1, shape.indexOf('}', at) - at - 1);
                if (key.endsWith('?'))
                    key.chop(1);
                key = key.split('=').front(); // the unit
                const bool ofDevice = key.endsWith('@');
                if (ofDevice)
                    key.chop(1);
                QVERIFY2(!ofDevice || shape.contains("<@>"), shape.constData());
                QVERIFY2(key.isEmpty() || logQuantity(key.toStdString()), shape.constData());
                used.insert(key.split(':').front().toStdString());
            }
        }
        for (const LogQuantity &quantity : logQuantities()) {
            const QByteArray key(quantity.key.data(), qsizetype(quantity.key.size()));
            QVERIFY2(used.contains(std::string(quantity.key)), key.constData());
        }
    }

    void prefixesGiveTheRankAndGo_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("rank");
        const auto row = [](const char *name, const char *before, const char *rank) {
            QTest::newRow(name) << QString::fromLatin1(before) + "the message" << rank;
        };
        row("nothing", "", "");
        row("time and file", "INFO 01-02 03:04:05 [worker.py:77] ", "");
        row("file without its first bracket", "INFO 01-02 03:04:05 worker.py:77] ", "");
        row("process", "(EngineCore pid=321) INFO 01-02 03:04:05 [worker.py:77] ",
            "EngineCore:321");
        row("process of a rank", "(Worker_TP3 pid=9) ", "Worker_TP3");
        row("two processes", "(Core_DP0 pid=1) (RayWorkerWrapper pid=88, ip=10.0.0.1) ",
            "RayWorkerWrapper:88");
        row("ranks of SGLang", "[2031-02-03 04:05:06 DP1 TP3] ", "DP1 TP3");
        row("time of SGLang", "[2031-02-03 04:05:06] ", "");
        row("container", "serve-1  | 2031-02-03T04:05:06.7Z (Worker_PP1_TP0 pid=4) ",
            "Worker_PP1_TP0");
        row("another logger", "2031-02-03 04:05:06,789 - x - INFO - [2031-02-03 04:05:06 TP1] ",
            "TP1");
        row("colour", "\x1B[1;36m(Worker_TP1 pid=7)\x1B[0m INFO [a.py:1] ", "Worker_TP1");
        row("colour as text", "^[[0;36m(Worker_TP1 pid=7)^[[0m ", "Worker_TP1");
        row("colour without its escape", "[36m(Worker_TP1 pid=7)[0m ", "Worker_TP1");
    }

    void prefixesGiveTheRankAndGo()
    {
        QFETCH(QString, line);
        QFETCH(QString, rank);
        const auto lines = logLines(line.toStdString());
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(lines[0].rank), rank);
        QVERIFY2(lines[0].message.ends_with("the message"), lines[0].message.c_str());
        if (!line.startsWith("2031") && !line.startsWith("serve"))
            QCOMPARE(lines[0].message, std::string("the message"));
    }

    void aProgressBarThatGoesBackIsSeveralLines()
    {
        const auto lines = logLines("step 1\rstep 2\r\rstep 3\r");
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(lines[2].message, std::string("step 3"));
    }

    void lineEndsAsLettersAreBlanks()
    {
        QCOMPARE(withoutColours("a\\nb \x1B[32mc\x1B[0m [2031-01-01] [12mb]"),
                 std::string("a b c [2031-01-01] b]"));
    }
};

VRAMSCOPE_TEST(TestLogShape)
#include "tst_log_shape.moc"
