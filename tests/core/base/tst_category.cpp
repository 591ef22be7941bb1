// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/category.h"
#include "tests/support/test.h"

#include <string>

using namespace vramscope;

class CategoryTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void plansAndRecordingsUseTheSameNames();
    void wordsOfOlderFilesAreRead();
};

void CategoryTest::plansAndRecordingsUseTheSameNames()
{
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at) {
        const auto category = static_cast<Category>(at);
        std::string word(categoryName(category));
        QVERIFY(!word.empty());
        word.front() = static_cast<char>(word.front() - 'A' + 'a');
        QCOMPARE(std::string(categoryPhrase(category)), word);
        // Scripts that read recordings' JSON know these two by words of their own.
        const bool isTemporary = category == Category::TemporaryBuffers;
        const bool isWorkspace = category == Category::Framework;
        QCOMPARE(std::string(categoryWord(category)), isTemporary   ? "temporary"
                                                      : isWorkspace ? "workspace"
                                                                    : word);
        QVERIFY(categoryOfWord(word) == category);
    }
    QVERIFY(!categoryOfWord(""));
    QVERIFY(!categoryOfWord("Parameters"));
}

void CategoryTest::wordsOfOlderFilesAreRead()
{
    QVERIFY(categoryOfWord("temporary buffers") == Category::TemporaryBuffers);
    QVERIFY(categoryOfWord("framework") == Category::Framework);
}

VRAMSCOPE_TEST(CategoryTest)
#include "tst_category.moc"
