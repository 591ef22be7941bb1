// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command_line/command.h"
#include "tests/support/test.h"

#include <array>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr std::array kOptions{
    cli::Option{"--view", "VIEW", "what is drawn"},
    cli::Option{"--out", "FILE", "where to", false, "-o"},
    cli::Option{"--hide", "FRAMES", "leave out", true},
    cli::Option{"--json", "", "one JSON object"},
};

constexpr cli::Command kDraw{"draw",
                             "FILE [FILE]",
                             "Draws files.",
                             1,
                             2,
                             kOptions,
                             "VIEW is one of these:\n  plan  a plan\n"};

Result<cli::Arguments> parsed(const QString &line)
{
    std::vector<std::string> words;
    for (const QString &word : line.split(u' '))
        words.push_back(word.toStdString());
    const std::vector<std::string_view> views(words.begin(), words.end());
    return cli::parse(kDraw, views);
}

using Words = std::vector<std::string>;

} // namespace

class TestCommand : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aValueFollowsItsOptionOrIsJoinedToIt()
    {
        for (const QString &line : {u"--view plan a"_s, u"--view=plan a"_s, u"a --view plan"_s}) {
            const auto arguments = parsed(line);
            QVERIFY2(arguments.ok(), qPrintable(line));
            QCOMPARE(arguments->value("--view"), std::string_view("plan"));
            QCOMPARE(arguments->files, Words{"a"});
        }
        QCOMPARE(parsed(u"a --view=a=b"_s)->value("--view"), std::string_view("a=b"));
        QCOMPARE(parsed(u"a --view="_s)->value("--view", "else"), std::string_view());
        QCOMPARE(parsed(u"a"_s)->value("--view", "else"), std::string_view("else"));
        QCOMPARE(parsed(u"a --view --json"_s)->value("--view"), std::string_view("--json"));
    }

    void anOptionIsKnownByItsShortNameToo()
    {
        QCOMPARE(parsed(u"-o b a"_s)->value("--out"), std::string_view("b"));
        QCOMPARE(parsed(u"-o=b a"_s)->value("--out"), std::string_view("b"));
    }

    void behindTwoDashesThereAreFilesAlone()
    {
        const auto arguments = parsed(u"--json -- --help --json"_s);
        QVERIFY(arguments.ok() && !arguments->wantsHelp);
        QVERIFY(arguments->has("--json"));
        QCOMPARE(arguments->files, (Words{"--help", "--json"}));
        QCOMPARE(parsed(u"-"_s)->files, Words{"-"});
    }

    void valuesOfAnOptionThatRepeatsKeepTheirOrder()
    {
        const auto arguments = parsed(u"--hide x a --hide=y"_s);
        QCOMPARE(arguments->values("--hide"), (Words{"x", "y"}));
        QCOMPARE(arguments->value("--hide"), std::string_view("y"));
    }

    void helpIsGivenWhateverElseIsWrong()
    {
        for (const QString &line : {u"--help"_s, u"-h"_s, u"--nonsense --help"_s, u"a b c -h"_s})
            QVERIFY2(parsed(line).ok() && parsed(line)->wantsHelp, qPrintable(line));
        QVERIFY(!parsed(u"a --view --help"_s)->wantsHelp);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("clause");
        QTest::newRow("unknown") << u"a --colour x"_s << u"there is no option --colour"_s;
        QTest::newRow("nearest") << u"a --jsn"_s
                                 << u"there is no option --jsn (did you mean '--json'?)"_s;
        QTest::newRow("nearest joined")
            << u"a --veiw=x"_s << u"there is no option --veiw (did you mean '--view'?)"_s;
        QTest::newRow("short") << u"a -x"_s << u"there is no option -x"_s;
        QTest::newRow("flag") << u"a --json=1"_s << u"--json takes no value"_s;
        QTest::newRow("no value") << u"a -o"_s << u"--out needs a value: FILE"_s;
        QTest::newRow("twice") << u"a -o b --out c"_s << u"--out is given twice; give it once"_s;
        QTest::newRow("too few") << u"--json"_s << u"needs FILE [FILE]"_s;
        QTest::newRow("too many") << u"a b c"_s << u"unexpected argument c"_s;
        QTest::newRow("empty")
            << u"a "_s
            << u"an argument is empty, as of a variable without a value; give FILE [FILE]"_s;
    }

    void saysWhatIsWrong()
    {
        QFETCH(QString, line);
        QFETCH(QString, clause);
        const auto arguments = parsed(line);
        QVERIFY(!arguments.ok());
        QVERIFY(arguments.error().code == ErrorCode::Invalid);
        QCOMPARE(QString::fromStdString(arguments.error().detail), clause);
    }

    void helpIsMadeOfWhatACommandTakes()
    {
        QCOMPARE(QString::fromStdString(cli::helpText("tool", kDraw)),
                 uR"(usage: tool draw [OPTION…] FILE [FILE]

Draws files.

options:
  --view VIEW       what is drawn
  -o, --out FILE    where to
  --hide FRAMES     leave out
  --json            one JSON object
  --help            this text

VIEW is one of these:
  plan  a plan

exit status: 0 success, 1 a file cannot be used, 2 wrong arguments
)"_s);
    }
};

VRAMSCOPE_TEST(TestCommand)
#include "tst_command.moc"
