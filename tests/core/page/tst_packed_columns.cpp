// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/packed_columns.h"
#include "tests/core/page/page_document.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <random>

using namespace vramscope;

namespace {

using Coding = PackedColumns::Coding;
using Numbers = std::vector<std::int64_t>;

} // namespace

class TestPackedColumns : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void areReadAsTheyWereWritten()
    {
        constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        const Numbers plain{0, 1, 127, 128, 16'384, kMost};
        const Numbers any{0, -1, 1, -64, 64, kLeast, kMost, kLeast, 5};
        const std::vector<std::string> texts{"", "</script><!--&", "größe", std::string("a\0b", 3)};
        PackedColumns columns;
        columns.add("plain", Coding::Plain, plain);
        columns.add("signed", Coding::Signed, any);
        columns.addTexts("texts", texts);
        columns.add("empty", Coding::Delta, Numbers());
        columns.add("delta", Coding::Delta, any);
        const auto page = test::readPageDocument(columns.document({{"version", 1}}));
        QVERIFY(page.isRead);
        QCOMPARE(page.head["version"].toInt(), 1);
        QCOMPARE(page.numbers.at("plain"), plain);
        QCOMPARE(page.numbers.at("signed"), any);
        QCOMPARE(page.numbers.at("delta"), any);
        QCOMPARE(page.texts.at("texts"), texts);
        QVERIFY(!page.numbers.contains("empty"));
    }

    void areWholeWhenTheyAreLongerThanOnePartOfTheStream()
    {
        std::mt19937_64 random(7);
        Numbers numbers(1'000'000);
        for (std::int64_t &each : numbers)
            each = static_cast<std::int64_t>(random() >> (random() % 64));
        PackedColumns columns;
        columns.add("numbers", Coding::Signed, numbers);
        const auto page = test::readPageDocument(columns.document({}));
        QVERIFY(page.isRead);
        QVERIFY(page.numbers.at("numbers") == numbers);
    }

    void neverEndTheElementThatTheyAreIn()
    {
        const std::string document =
            PackedColumns().document({{"name", "</script><script>&amp;]]>"}});
        QVERIFY(document.find_first_of("<&") == std::string::npos);
        QCOMPARE(test::readPageDocument(document).head["name"].toString(),
                 QStringLiteral("</script><script>&amp;]]>"));
    }
};

VRAMSCOPE_TEST(TestPackedColumns)
#include "tst_packed_columns.moc"
