// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/base/string_pool.h"
#include "core/base/text.h"
#include "tests/support/comma_locale.h"
#include "tests/support/test.h"

#include <QScopeGuard>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <array>
#include <clocale>
#include <random>

using namespace vramscope;

class TestBase : public test::Test
{
    Q_OBJECT

private slots:
    void controlCharactersOfAFileReachNoTerminal();
    void foreignTextIsCutBetweenCharacters();
    void jsonHoldsNothingThatATerminalActsOn();
    void sizesAreShownWithThreeDigitsAndTheFittingUnit_data();
    void sizesAreShownWithThreeDigitsAndTheFittingUnit();
    void countsHaveCommasBetweenThousands();
    void durationsAreShownInTheFittingUnit();
    void numbersAreTheSameInEveryLocale();
    void anErrorTextEndsWithItsOffset();
    void aPoolGivesEqualTextsOneIdEvenWhenMoved();
    void labelsFitIntoSentences();
};

void TestBase::labelsFitIntoSentences()
{
    QCOMPARE(withinSentence("Micro-batch"), std::string("micro-batch"));
    QCOMPARE(withinSentence("GPUs"), std::string("GPUs"));
    QCOMPARE(withinSentence("X"), std::string("X"));
    QCOMPARE(withinSentence(""), std::string());
    QCOMPARE(capitalized("at the loss"), std::string("At the loss"));
    QCOMPARE(capitalized("\u00e9t\u00e9"), std::string("\u00e9t\u00e9"));
    QCOMPARE(capitalized(""), std::string());
}

void TestBase::sizesAreShownWithThreeDigitsAndTheFittingUnit_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("binary");
    QTest::addColumn<QString>("decimal");
    QTest::newRow("zero") << qint64(0) << "0 B"
                          << "0 B";
    QTest::newRow("bytes") << qint64(512) << "512 B"
                           << "512 B";
    QTest::newRow("a kibibyte") << qint64(1024) << "1.00 KiB"
                                << "1.02 kB";
    QTest::newRow("never 1000 MiB") << qint64(1000) * kMiB << "0.98 GiB"
                                    << "1.05 GB";
    QTest::newRow("H100") << qint64(85029615043) << "79.2 GiB"
                          << "85.0 GB";
    QTest::newRow("negative") << -qint64(3) * kGiB << "-3.00 GiB"
                              << "-3.22 GB";
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << "8.00 EiB"
                             << "9.22 EB";
}

void TestBase::sizesAreShownWithThreeDigitsAndTheFittingUnit()
{
    QFETCH(qint64, bytes);
    QTEST(QString::fromStdString(formatBytes(bytes, ByteUnit::Binary)), "binary");
    QTEST(QString::fromStdString(formatBytes(bytes, ByteUnit::Decimal)), "decimal");
}

void TestBase::numbersAreTheSameInEveryLocale()
{
    const QTemporaryDir folder;
    QVERIFY(test::writeCommaLocale(folder.path()));
    const QByteArray path = qgetenv("LOCPATH");
    const auto restore = qScopeGuard([&] {
        std::setlocale(LC_NUMERIC, "C");
        path.isNull() ? qunsetenv("LOCPATH") : qputenv("LOCPATH", path);
    });
    qputenv("LOCPATH", folder.path().toLocal8Bit());
    QVERIFY(std::setlocale(LC_NUMERIC, "de_DE"));
    QCOMPARE(*std::localeconv()->decimal_point, ',');
    QCOMPARE(formatBytes(5 * kGiB / 2), std::string("2.50 GiB"));
    QCOMPARE(formatDecimals(1234.5, 1), std::string("1,234.5"));
    QCOMPARE(formatPartOf(3 * kGiB, 80 * kGiB), std::string("3.00 of 80.0 GiB"));
    QCOMPARE(formatPartOf(3 * kMiB, 80 * kGiB), std::string("3.00 MiB of 80.0 GiB"));
    QCOMPARE(formatRounded(2.3456), std::string("2.35"));
    QCOMPARE(formatRounded(2357.9), std::string("2,360"));
    QCOMPARE(formatRounded(-5743210), std::string("-5,740,000"));
    QCOMPARE(formatNumber(0.25), std::string("0.25"));
    QCOMPARE(formatMicroseconds(12'345'678), std::string("12.3 s"));
    // What is printed is what is printed without one.
    QCOMPARE(formatNumber(1e300), std::string("1e+300"));
    QCOMPARE(formatNumber(-1234567.0, 3), std::string("-1.23e+06"));
    QCOMPARE(formatDecimals(-0.0, 1), std::string("-0.0"));
    QCOMPARE(formatDecimals(1e300, 0).size(), std::size_t(301 + 100));
}

void TestBase::countsHaveCommasBetweenThousands()
{
    QCOMPARE(formatCount(0), std::string("0"));
    QCOMPARE(formatCount(999), std::string("999"));
    QCOMPARE(formatCount(774030080), std::string("774,030,080"));
    QCOMPARE(formatCount(-1234), std::string("-1,234"));
    QCOMPARE(counted(1, "kernel"), std::string("1 kernel"));
    QCOMPARE(counted(2000, "gap"), std::string("2,000 gaps"));
    QCOMPARE(counted(0, "launch"), std::string("0 launches"));
    QCOMPARE(counted(1, "copy"), std::string("1 copy"));
    QCOMPARE(counted(3, "copy"), std::string("3 copies"));
    QCOMPARE(counted(2, "day"), std::string("2 days"));
    QCOMPARE(counted(2, "device"), std::string("2 devices"));
    QCOMPARE(formatDecimals(-1234567.25, 1), std::string("-1,234,567.2"));
    QCOMPARE(formatDecimals(999.96, 1), std::string("1,000.0"));
    QCOMPARE(formatGiga(132'801 * kGiB + kGiB / 2 + 1), std::string("132,802"));
    QCOMPARE(formatGiga(71 * kGiB + kGiB / 4, ByteUnit::Binary, 2), std::string("71.25"));
}

void TestBase::durationsAreShownInTheFittingUnit()
{
    QCOMPARE(formatMicroseconds(853), std::string("853 µs"));
    QCOMPARE(formatMicroseconds(12400), std::string("12.4 ms"));
    QCOMPARE(formatMicroseconds(2003288), std::string("2.00 s"));
    QCOMPARE(formatMicroseconds(200'000'000), std::string("3 min 20 s"));
    QCOMPARE(formatMicroseconds(7'500'000'000), std::string("2 h 5 min"));
}

void TestBase::anErrorTextEndsWithItsOffset()
{
    QCOMPARE((Error{ErrorCode::Empty, "The file is empty."}).text(),
             std::string("The file is empty."));
    QCOMPARE((Error{ErrorCode::Truncated, "The file ends too early", 1234}).text(),
             std::string("The file ends too early (at byte 1,234)"));
}

void TestBase::aPoolGivesEqualTextsOneIdEvenWhenMoved()
{
    StringPool pool;
    QCOMPARE(pool.intern(""), StringId::Empty);
    const StringId first = pool.intern("forward");
    pool.intern("backward");
    StringPool moved = std::move(pool);
    QCOMPARE(moved.intern("forward"), first);
    QCOMPARE(moved.text(first), std::string_view("forward"));
    QCOMPARE(moved.size(), std::size_t(3));
}

void TestBase::controlCharactersOfAFileReachNoTerminal()
{
    using namespace std::literals;
    QCOMPARE(printable("Größe µ 漢 €"), std::string("Größe µ 漢 €"));
    QCOMPARE(printable("a\x1b[31m\n\t\0\x7f z"sv), std::string("a?[31m???? z"));
    QCOMPARE(printable("a\xc2\x9b 1"), std::string("a? 1")); // what a terminal takes for escape [
    for (const char *turns :
         {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069", "\u2028", "\u2029"})
        QCOMPARE(printable("a" + std::string(turns) + "b"), std::string("a?b"));
    QCOMPARE(printable("\xcc \xe2\x82 \xed\xa0\x80 \xc0\x80 \x80"), std::string("� �� ��� �� �"));
}

void TestBase::foreignTextIsCutBetweenCharacters()
{
    const std::string accents = "e\u0301e\u0301e\u0301"; // three bytes a letter
    QCOMPARE(firstBytes(accents, 5), std::string_view("e\u0301"));
    QCOMPARE(firstBytes(accents, 4), std::string_view("e\u0301"));
    QCOMPARE(lastBytes(accents, 5), std::string_view("e\u0301"));
    QCOMPARE(firstBytes("ééé", 3), std::string_view("é"));
    QCOMPARE(lastBytes("ééé", 3), std::string_view("é"));
    QCOMPARE(firstBytes("abc", 3), std::string_view("abc"));
    QCOMPARE(excerpt("a\x1bé", 3), std::string("a?"));
    QCOMPARE(shortened("abcdef", 4), std::string("abc…"));
    QCOMPARE(elided("abcdefghij", 7), std::string("ab…ghij"));
    std::mt19937 random(14);
    for (int trial = 0; trial < 5'000; ++trial) {
        static constexpr std::array kParts{"a",      "é",      "漢",     "🙂",
                                           "\u0301", "\u0301", "\u202e", "\x1b"};
        std::string text;
        for (auto length = random() % 60; length > 0; --length)
            text += kParts[random() % kParts.size()];
        const std::size_t most = random() % 100;
        for (const std::string_view cut : {firstBytes(text, most), lastBytes(text, most)}) {
            QVERIFY(cut.size() <= most || cut.size() == text.size());
            QVERIFY(printable(cut).find("�") == std::string::npos);
        }
        for (const std::string &cut : {elided(text, most), shortened(text, most)})
            QVERIFY(printable(cut).find("�") == std::string::npos);
        QVERIFY(characters(shortened(text, most)) <= std::max<std::size_t>(most, 1) || most == 0);
        for (std::size_t at = 0; at < text.size(); ++at) // and where a text is broken already
            QVERIFY(characterLength(firstBytes(text.substr(at), most)) <= 4);
    }
    // An endless run of accents is cut all the same.
    std::string endless = "e";
    while (endless.size() < 5'000)
        endless += "\u0301";
    QVERIFY(firstBytes(endless, 1000).size() >= 999);
    QVERIFY(lastBytes(endless, 1000).size() >= 998);
}

void TestBase::jsonHoldsNothingThatATerminalActsOn()
{
    const nlohmann::ordered_json json{{"a\x1b", "\x7f \u009b \u202e é 🙂"}, {"b", "\xcc"}};
    QCOMPARE(jsonText(json),
             std::string(R"({"a\u001b":"\u007f \u009b \u202e é 🙂","b":"�"})"));
    QCOMPARE(nlohmann::ordered_json::parse(jsonText(json))["a\x1b"], json["a\x1b"]);
}

VRAMSCOPE_TEST(TestBase)
#include "tst_base.moc"
