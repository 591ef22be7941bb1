// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_repair.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <random>

using namespace vramscope;

namespace {

using Random = std::mt19937;

int below(Random &random, int limit)
{
    return static_cast<int>(random() % static_cast<unsigned>(limit));
}

/// What comes out of the repair, and how many flaws it counted.
struct Repaired
{
    QByteArray text;
    std::int64_t flaws = 0;
    bool ended = false;
};

Repaired repaired(const QByteArray &text, std::size_t window = ByteWindow::kDefaultSize,
                  std::string_view open = {})
{
    const auto source =
        memorySource(std::as_bytes(std::span(text.data(), static_cast<std::size_t>(text.size()))));
    ByteWindow input(*source, window);
    JsonRepair repair(input, {}, open);
    Repaired result;
    for (const char c : repair)
        result.text.append(c);
    for (std::size_t i = 0; i < kJsonFlawCount; ++i)
        result.flaws += repair.flaws(JsonFlaw(i)).count;
    result.ended = repair.ended();
    return result;
}

QByteArray spaces(Random &random)
{
    static const char *const kSpaces[] = {"", "", "", " ", "\n  ", "\t", "\r\n"};
    return kSpaces[below(random, 7)];
}

/// A text in quotes that is right, full of what looks like the end of one.
QByteArray validText(Random &random)
{
    static const char *const kParts[] = {"a",
                                         "ts",
                                         "\\\"",
                                         "\\\\",
                                         "\\\",",
                                         "\\\"}",
                                         "\\\": ",
                                         "{\\\"a\\\":\\\"b\\\"},{",
                                         ", ",
                                         "}",
                                         "]",
                                         ":",
                                         "\\n",
                                         "\\u0001",
                                         "\\ud83d\\ude00",
                                         "\xC3\xA4",
                                         "\xF0\x9F\x98\x80",
                                         "/",
                                         "\\/",
                                         " ",
                                         "[",
                                         "{",
                                         "\\\"}]}, {\\\"ph\\\": 1",
                                         "long long long long long",
                                         "\x7F"};
    QByteArray text = "\"";
    for (int count = below(random, 8); count > 0; --count)
        text += kParts[below(random, int(std::size(kParts)))];
    return text + "\"";
}

QByteArray validValue(Random &random, int depth)
{
    static const char *const kWords[] = {"0",     "-1",   "12345678901234", "1.5", "-0.25e-3",
                                         "1E+10", "true", "false",          "null"};
    const int kind = below(random, depth > 0 ? 4 : 2);
    if (kind == 0)
        return kWords[below(random, 9)];
    if (kind == 1)
        return validText(random);
    const bool object = kind == 2;
    QByteArray text(object ? "{" : "[");
    const int count = below(random, 6);
    for (int i = 0; i < count; ++i) {
        text += (i > 0 ? "," : "") + spaces(random);
        if (object) { // keys are distinct by their end
            QByteArray key = validText(random);
            key.insert(key.size() - 1, QByteArray::number(i));
            text += key + spaces(random) + ":" + spaces(random);
        }
        text += validValue(random, depth - 1) + spaces(random);
    }
    return text + (object ? "}" : "]");
}

QByteArray validDocument(Random &random)
{
    return spaces(random) + "[" + validValue(random, 4) + ", " + validValue(random, 4) + "]" +
           spaces(random);
}

/// A text with flaws that nothing about it makes doubtful: no quotation mark where the text could
/// end, and no backslash before what it could escape.
QByteArray flawedText(Random &random)
{
    static const char *const kParts[] = {"\"x", "\" y", "\\U", "\\Dev", "\\q", "a", "(",
                                         "b c", "\n",   "\t",  "\x01",  "1",   ".", "\xC3\xA4"};
    QByteArray text;
    for (int count = 1 + below(random, 8); count > 0; --count)
        text += kParts[below(random, int(std::size(kParts)))];
    return text;
}

QByteArray escaped(const QByteArray &text)
{
    QByteArray result;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += QByteArray("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20)
            result += "\\u00" + QByteArray(1, c).toHex();
        else
            result += c;
    }
    return result;
}

} // namespace

class TestJsonRepair : public test::Test
{
    Q_OBJECT

private slots:
    void whatIsRightPassesUnchangedInMeaning();
    void theRestOfATextIsMendedAsTheWhole();
    void whatIsFlawedReadsAsItsRightForm_data();
    void whatIsFlawedReadsAsItsRightForm();
    void flawedNamesReadAsTheirRightForm();
    void everyPrefixEndsWithoutBeingClosed();
    void anyBytesComeToAnEnd();
    void depthIsLimited();
    void textsAreLimited();
};

void TestJsonRepair::whatIsRightPassesUnchangedInMeaning()
{
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
        const QByteArray text = validDocument(random);
        const QJsonDocument document = QJsonDocument::fromJson(text);
        QVERIFY2(document.isArray(), text);
        const Repaired result = repaired(text, round % 2 == 0 ? 64 : 4096);
        QVERIFY2(result.flaws == 0, text);
        QVERIFY2(QJsonDocument::fromJson(result.text) == document, text);
    }
}

void TestJsonRepair::theRestOfATextIsMendedAsTheWhole()
{
    const QByteArray text = R"~({"a": [{"b": "f("x", y)"}, {"b": NaN,}], "c": 1})~";
    const QByteArray whole = repaired(text).text;
    for (const char *part : {R"({"b": "f)", R"({"b": NaN)"}) {
        const qsizetype at = text.indexOf(part);
        QVERIFY(at > 0);
        const Repaired rest = repaired(text.mid(at), 64, "{[");
        QVERIFY2(whole.endsWith(rest.text), rest.text);
        QVERIFY(rest.text.startsWith("{\"b\":"));
    }
}

void TestJsonRepair::whatIsFlawedReadsAsItsRightForm_data()
{
    QTest::addColumn<QByteArray>("flawed");
    QTest::addColumn<QByteArray>("right");
    const auto row = [](const char *name, const char *flawed, const char *right) {
        QTest::newRow(name) << QByteArray(flawed) << QByteArray(right);
    };
    row("a quoted word", R"~({"name": "f("a")", "ts": 1})~", R"~({"name": "f(\"a\")", "ts": 1})~");
    row("a quoted list", R"~({"name": "f("a","b")", "ts": 1})~",
        R"~({"name": "f(\"a\",\"b\")", "ts": 1})~");
    row("a quoted dictionary", R"~({"name": "kw {"a": "b"} end", "ts": 1})~",
        R"~({"name": "kw {\"a\": \"b\"} end", "ts": 1})~");
    row("a quotation mark first", R"~({"name": ""quoted" op", "ts": 1})~",
        R"~({"name": "\"quoted\" op", "ts": 1})~");
    row("a quotation mark last", R"~({"name": "op "quoted"", "ts": 1})~",
        R"~({"name": "op \"quoted\"", "ts": 1})~");
    row("in a list", R"~({"in": ["", "say "x" now", "y"]})~",
        R"~({"in": ["", "say \"x\" now", "y"]})~");
    row("a path", R"({"name": "C:\Users\py", "ts": 1})", R"({"name": "C:\\Users\\py", "ts": 1})");
    row("a path that ends", R"({"name": "C:\dir\", "ts": 1})", R"({"name": "C:\\dir\\", "ts": 1})");
    row("half an escape", R"({"name": "\u12G4", "ts": 1})", R"({"name": "\\u12G4", "ts": 1})");
    row("a line break", "{\"name\": \"a\nb\", \"ts\": 1}", R"({"name": "a\nb", "ts": 1})");
    row("no UTF-8", "{\"name\": \"\xE4ther\xC3\", \"ts\": 1}",
        "{\"name\": \"\xEF\xBF\xBDther\xEF\xBF\xBD\", \"ts\": 1}");
    row("half a pair", R"({"name": "a\ud800b", "ts": 1})", R"({"name": "a\ufffdb", "ts": 1})");
    row("not a number", R"({"a": NaN, "b": Infinity, "c": -inf, "d": nan})",
        R"({"a": null, "b": null, "c": null, "d": null})");
    row("a number like none", R"({"a": 1., "b": 007, "c": 1e999, "d": .5})",
        R"({"a": null, "b": null, "c": null, "d": null})");
    row("a comma too many", R"({"a": [1, 2, ], "b": 3, })", R"({"a": [1, 2], "b": 3})");
    row("no value", R"({"a": , "b": })", R"({"a": null, "b": null})");
}

void TestJsonRepair::whatIsFlawedReadsAsItsRightForm()
{
    QFETCH(QByteArray, flawed);
    QFETCH(QByteArray, right);
    const QJsonDocument expected = QJsonDocument::fromJson("[" + right + "," + right + "]");
    QVERIFY(expected.isArray());
    for (const std::size_t window : {std::size_t(64), ByteWindow::kDefaultSize}) {
        const Repaired result = repaired("[" + flawed + "," + flawed + "]", window);
        QCOMPARE(QJsonDocument::fromJson(result.text), expected);
        QVERIFY(result.flaws >= 2);
    }
}

void TestJsonRepair::flawedNamesReadAsTheirRightForm()
{
    Random random(3);
    for (int round = 0; round < 3000; ++round) {
        QByteArray flawed = "[";
        QByteArray right = "[";
        for (int i = 0; i < 3; ++i) {
            const QByteArray text = flawedText(random);
            const QByteArray gap = spaces(random);
            const QByteArray rest = "\"," + gap + "\"ts\": 12.5, \"args\": {\"in\": [\"";
            flawed += (i > 0 ? ",{\"name\": \"" : "{\"name\": \"") + text + rest + text + "\"]}}";
            right += (i > 0 ? ",{\"name\": \"" : "{\"name\": \"") + escaped(text) + rest +
                     escaped(text) + "\"]}}";
        }
        const Repaired result = repaired(flawed + "]", 64);
        const QJsonDocument expected = QJsonDocument::fromJson(right + "]");
        QVERIFY2(expected.isArray(), right);
        QVERIFY2(QJsonDocument::fromJson(result.text) == expected, flawed);
    }
}

void TestJsonRepair::everyPrefixEndsWithoutBeingClosed()
{
    const QByteArray whole = R"([{"name": "a \" b", "ts": 12.5, "args": {"x": [1, true]}}])";
    for (qsizetype size = 0; size < whole.size(); ++size) {
        const Repaired result = repaired(whole.left(size));
        QVERIFY(result.ended);
        QVERIFY2(QJsonDocument::fromJson(result.text).isNull(), whole.left(size));
    }
    QVERIFY(QJsonDocument::fromJson(repaired(whole).text) == QJsonDocument::fromJson(whole));
}

void TestJsonRepair::anyBytesComeToAnEnd()
{
    Random random(4);
    static const char kBytes[] = "\"\"\"\\\\,:{}[]{}u0d8 \n1-eNn\x01\xC3\xA4\xFF";
    for (int round = 0; round < 2000; ++round) {
        QByteArray text;
        for (int count = below(random, 300); count > 0; --count)
            text.append(kBytes[below(random, int(sizeof kBytes) - 1)]);
        const Repaired result = repaired(text, 64);
        QVERIFY2(result.text.size() <= 6 * text.size(), text);
        QCOMPARE(repaired(text, 100000).text, result.text);
    }
}

void TestJsonRepair::depthIsLimited()
{
    const auto nested = [](std::size_t depth) {
        return QByteArray(qsizetype(depth), '[') + QByteArray(qsizetype(depth), ']');
    };
    QCOMPARE(repaired(nested(JsonRepair::kMaxDepth)).text, nested(JsonRepair::kMaxDepth));
    QCOMPARE(repaired(nested(JsonRepair::kMaxDepth + 1)).text,
             QByteArray(qsizetype(JsonRepair::kMaxDepth), '['));
}

void TestJsonRepair::textsAreLimited()
{
    const auto most = qsizetype(JsonRepair::kLongestText);
    const auto quoted = [](qsizetype size) { return "[\"" + QByteArray(size, 'x') + "\"]"; };
    QCOMPARE(repaired(quoted(most)).text, quoted(most));
    const Repaired cut = repaired(quoted(3 * most));
    QVERIFY(cut.text.size() < most + (1 << 20));
    QVERIFY(!cut.ended); // it is not that the file ends too early
}

VRAMSCOPE_TEST(TestJsonRepair)
#include "tst_json_repair.moc"
