// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/suggestions.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QStringList namesAt(const QString &line)
{
    const std::string text = line.toStdString();
    QStringList names;
    for (const AskSuggestion &name : suggestionsAt(text, text.size()).names)
        names.append(QString::fromStdString(name.text));
    return names;
}

} // namespace

class TestSuggestions : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aBeginningIsCompleted_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("name");
        QTest::newRow("a model") << u"serve qwen3-3"_s << u"Qwen3 32B"_s;
        QTest::newRow("of several words") << u"qlora llama 3.1 8"_s << u"Llama 3.1 8B"_s;
        QTest::newRow("a GPU") << u"qwen3-8b on rtx 409"_s << u"GeForce RTX 4090 24 GB"_s;
        QTest::newRow("from its number on") << u"qwen3-8b on 409"_s << u"GeForce RTX 4090 24 GB"_s;
        QTest::newRow("a tool") << u"qwen3-8b lora unsl"_s << u"Unsloth"_s;
        QTest::newRow("a word") << u"qwen3-8b check"_s << u"checkpointing"_s;
        QTest::newRow("behind a comma") << u"serve,deepsee"_s << u"DeepSeek V3 671B"_s;
    }
    void aBeginningIsCompleted()
    {
        QFETCH(QString, line);
        QFETCH(QString, name);
        QVERIFY2(namesAt(line).contains(name), qPrintable(namesAt(line).join(u", ")));
    }

    void wholeWordsAreLeftAlone_data()
    {
        QTest::addColumn<QString>("line");
        for (const char *line : {"", "q", "serve ", "qwen3-32b", "lora", "qwen3-8b on a 4090",
                                 "qwen3-8b with", "8k", "xyzzyq", "qwen3-8b seq 40", "全量"})
            QTest::newRow(line) << QString::fromUtf8(line);
    }
    void wholeWordsAreLeftAlone()
    {
        QFETCH(QString, line);
        QVERIFY2(namesAt(line).isEmpty(), qPrintable(namesAt(line).join(u", ")));
    }

    /// What is offered is understood where it is taken.
    void whatIsOfferedIsUnderstood()
    {
        int tried = 0;
        for (const char *line : {"qwen3-3", "serve llam", "lora gemm", "qwen3-8b on rtx 40",
                                 "qwen3-8b h10", "qwen3-8b mi3", "qwen3-8b lora axol"}) {
            const std::string text = line;
            const AskSuggestions found = suggestionsAt(text, text.size());
            QVERIFY2(!found.names.empty(), line);
            for (const AskSuggestion &name : found.names) {
                const std::string taken = text.substr(0, found.begin) + name.text;
                const Asked asked = understand(taken);
                const bool isUnknown =
                    std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
                        return piece.state == AskedState::NotUnderstood &&
                               piece.meaning.find("is not known") != std::string::npos;
                    });
                QVERIFY2(!isUnknown, taken.c_str());
                ++tried;
            }
        }
        QVERIFY(tried > 15);
    }

    /// A cursor anywhere, and bytes of any kind.
    void anyPlaceOfAnyLineIsTaken()
    {
        const std::string lines[] = {"qwen3-32b lora 全量 on 2x 4090, 8k",
                                     std::string("\xff\xfe\0qw", 5), std::string(5000, 'q'),
                                     std::string(5000, ' ')};
        for (const std::string &line : lines)
            for (std::size_t cursor = 0; cursor <= std::min<std::size_t>(line.size() + 2, 200);
                 ++cursor) {
                const AskSuggestions found = suggestionsAt(line, cursor);
                QVERIFY(found.names.empty() ||
                        (found.begin < found.end && found.end <= line.size()));
            }
    }
};

VRAMSCOPE_TEST(TestSuggestions)

#include "tst_suggestions.moc"
