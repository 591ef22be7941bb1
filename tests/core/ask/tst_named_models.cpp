// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/named_models.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

QString nameOf(const NamedModel &named)
{
    return named.model ? QString::fromStdString(named.model->name) : QString();
}

/// The models that have every word as a part of their names.
HintedModels hintedBy(const char *sentence)
{
    HintedModels hinted;
    for (const SentenceWord &word : sentenceWords(sentence))
        if (!hinted.narrow(word.text))
            hinted.narrowMisspelt(word.text);
    return hinted;
}

/// The name with one letter of a long word changed, left out, doubled or exchanged with the next.
std::vector<std::string> misspellings(const std::string &name)
{
    std::vector<std::string> all;
    for (std::size_t at = 1; at + 1 < name.size(); ++at) {
        const auto isLetter = [&](std::size_t i) { return name[i] >= 'a' && name[i] <= 'z'; };
        if (!isLetter(at) || !isLetter(at - 1) || !isLetter(at + 1))
            continue;
        std::string changed = name;
        changed.erase(at, 1);
        all.push_back(changed);
        changed.insert(at, 2, name[at]);
        all.push_back(changed);
        changed = name;
        std::swap(changed[at], changed[at + 1]);
        all.push_back(changed);
    }
    return all;
}

} // namespace

/// Models in the words of a sentence.
class TestNamedModels : public test::Test
{
    Q_OBJECT

private slots:
    void wordsNameAModel_data();
    void wordsNameAModel();
    void whatIsNotComputedSaysWhy();
    void aTypingErrorFindsTheNearestName_data();
    void aTypingErrorFindsTheNearestName();
    void everyNameOfTwoWordsStandsErrors();
    void aNumberIsNeverCorrected_data();
    void aNumberIsNeverCorrected();
    void whatLooksLikeAModelAndIsNone_data();
    void whatLooksLikeAModelAndIsNone();
    void partsOfANameMeanTheLikeliest_data();
    void partsOfANameMeanTheLikeliest();
    void theOthersFollowByHowOftenTheyAreMeant();
    void aFineTuneKeepsItsTitle();
    void nothingIsHintedAtFirst();
};

void TestNamedModels::wordsNameAModel_data()
{
    QTest::addColumn<QString>("model");
    const auto row = [](const char *words, const char *model) {
        QTest::newRow(words) << QString::fromLatin1(model);
    };
    row("Llama 3.3 70B", "llama-3.1-70b");
    row("qwen3:8b", "qwen3-8b");
    row("llama3.1:70b-instruct-q4_K_M", "llama-3.1-70b");
    row("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "llama-3.1-8b");
    row("mistral 7b", "mistral-7b-v0.3");
    row("mixtral", "mixtral-8x7b");
    row("flux", "flux.1-dev");
    row("sdxl", "sdxl");
    row("stabilityai/stable-diffusion-xl-base-1.0", "sdxl");
    row("sd 1.5", "sd1.5");
    row("sd-1.5", "sd1.5");
    row("black-forest-labs/FLUX.1-dev", "flux.1-dev");
    row("phi4", "phi-4");
    row("tinyllama", "tinyllama-1.1b");
    row("qwen3-8b 4096", "");
    row("qwen3 8b q8_0", "");
    row("8b", "");
    row("lora", "");
}

void TestNamedModels::wordsNameAModel()
{
    QFETCH(const QString, model);
    const auto words = sentenceWords(QTest::currentDataTag());
    QCOMPARE(nameOf(findNamedModel(words)), model);
    // Where no format can be told, a name that has one is none.
    const bool saysFormat = findNamedModel(words).isPublishedQuantised;
    QCOMPARE(modelNamed(words), saysFormat ? nullptr : findNamedModel(words).model);
}

void TestNamedModels::whatIsNotComputedSaysWhy()
{
    const NamedModel part = findNamedModel(sentenceWords("wan2.2-t2v-a14b-transformer"));
    QVERIFY(part.model && part.whyNot.starts_with("In its config.json, "));
    QVERIFY(findNamedModel(sentenceWords("kimi k3")).whyNot.empty());
    QVERIFY(findNamedModel(sentenceWords("flux.1-dev")).whyNot.empty());
    const NamedModel video = findNamedModel(sentenceWords("stable video diffusion"));
    QVERIFY(!video.model && video.known() && !video.whyNot.empty());
}

void TestNamedModels::aTypingErrorFindsTheNearestName_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("title");
    const auto row = [](const char *words, const char *model, const char *title) {
        QTest::newRow(words) << QString::fromLatin1(model) << QString::fromLatin1(title);
    };
    row("lama 3.1 8b", "llama-3.1-8b", "Llama 3.1 8B");
    row("mistal 7b", "mistral-7b-v0.3", "Mistral 7B v0.3");
    row("quen3 8b", "qwen3-8b", "Qwen3 8B");
    row("gema 3 27b", "gemma-3-27b", "Gemma 3 27B");
    row("lama-3.3-70b", "llama-3.1-70b", "Llama 3.3 70B");
    row("depseek r1", "deepseek-v3", "DeepSeek R1 671B");
    row("mixtarl 8x7b", "mixtral-8x7b", "Mixtral 8x7B");
}

void TestNamedModels::aTypingErrorFindsTheNearestName()
{
    QFETCH(const QString, model);
    QFETCH(const QString, title);
    const auto words = sentenceWords(QTest::currentDataTag());
    QVERIFY(!findNamedModel(words).known());
    const NamedModel read = findMisspeltModel(words);
    QCOMPARE(nameOf(read), model);
    QCOMPARE(QString::fromStdString(read.title), title);
    QVERIFY(read.isCorrected);
}

void TestNamedModels::everyNameOfTwoWordsStandsErrors()
{
    int found = 0;
    int misspelt = 0;
    for (const CatalogueModel &model : catalogueModels()) {
        for (const std::string &written : misspellings(model.name)) {
            const auto words = sentenceWords(written);
            if (findNamedModel(words).known())
                continue;
            ++misspelt;
            const NamedModel read = findMisspeltModel(words);
            QVERIFY2(!read.known() || read.isCorrected, written.c_str());
            found += read.model == &model;
        }
    }
    qInfo() << found << "of" << misspelt << "misspellings find their model";
    QVERIFY(misspelt > 1'000 && 10 * found > 7 * misspelt);
}

void TestNamedModels::aNumberIsNeverCorrected_data()
{
    QTest::addColumn<bool>("known");
    for (const char *words : {"lama 3.1 9b", "quen4 8b", "gema 3 28b", "foo 8b", "lora 8b", "h100",
                              "batch 8", "what fits on 24 gb", "4090", "", "llama 8b", "qwen 7b"})
        QTest::newRow(qPrintable(QStringLiteral("'%1'").arg(QLatin1StringView(words)))) << false;
}

void TestNamedModels::aNumberIsNeverCorrected()
{
    QFETCH(const bool, known);
    const std::string_view quoted = QTest::currentDataTag();
    const NamedModel read = findMisspeltModel(sentenceWords(quoted.substr(1, quoted.size() - 2)));
    QVERIFY2(read.known() == known, read.title.c_str());
}

void TestNamedModels::whatLooksLikeAModelAndIsNone_data()
{
    QTest::addColumn<bool>("unknown");
    for (const char *word : {"foo-8b", "someone/thing-7b", "llama-3.1-9b", "phoenix_13b",
                             "acme/SuperModel-2", "qwen7-8b-awq"})
        QTest::newRow(word) << true;
    for (const char *word :
         {"qwen3-8b", "unsloth/Qwen3-8B-GGUF", "lama-3.1-8b", "8b", "8b-instruct", "70b-awq",
          "llama-8b", "tokens/s", "and/or", "w/", "q4_k_m", "fp8", "h100", "rtx-4090", "24gb",
          "sdxl", "batch", "sd3.5-large"})
        QTest::newRow(word) << false;
}

void TestNamedModels::whatLooksLikeAModelAndIsNone()
{
    QFETCH(const bool, unknown);
    QCOMPARE(isUnknownModelName(QTest::currentDataTag()), unknown);
}

void TestNamedModels::partsOfANameMeanTheLikeliest_data()
{
    QTest::addColumn<QString>("model");
    const auto row = [](const char *words, const char *model) {
        QTest::newRow(words) << QString::fromLatin1(model);
    };
    row("8b", "qwen3-8b");
    row("70b", "llama-3.1-70b");
    row("7b", "qwen2.5-7b");
    row("13B", "llama-2-13b");
    row("llama 8b", "llama-3.1-8b");
    row("llama 70b", "llama-3.1-70b");
    row("qwen 32b", "qwen3-32b");
    row("gemma 27b", "gemma-3-27b");
    row("lama 8b", "llama-3.1-8b");
    row("deepseek", "deepseek-v4-flash"); // and none that is distilled into a Qwen
    row("kimi", "kimi-k3");
    row("gemma3 27b", "gemma-3-27b");
    row("gemma2", "gemma-2-9b");
    row("lama3", "llama-3-8b");
}

void TestNamedModels::partsOfANameMeanTheLikeliest()
{
    QFETCH(const QString, model);
    const HintedModels hinted = hintedBy(QTest::currentDataTag());
    const NamedModel likeliest = hinted.likeliest();
    QCOMPARE(nameOf(likeliest), model);
    QCOMPARE(likeliest.others.size() + 1, hinted.models().size());
    QCOMPARE(likeliest.isCorrected, std::string_view(QTest::currentDataTag()).starts_with("lama"));
}

void TestNamedModels::theOthersFollowByHowOftenTheyAreMeant()
{
    const NamedModel likeliest = hintedBy("8b").likeliest();
    QVERIFY(likeliest.others.size() > 5);
    QVERIFY(std::ranges::is_sorted(likeliest.others, std::ranges::greater(),
                                   [](const CatalogueModel *one) { return downloadsOf(*one); }));
    QVERIFY(std::ranges::find(likeliest.others, findCatalogueModel("llama-3.1-8b")) !=
            likeliest.others.end());
    // Nobody who asks of a family without a size means its smallest.
    QVERIFY(nameOf(hintedBy("qwen").likeliest()) != QStringLiteral("qwen3-0.6b"));
}

void TestNamedModels::aFineTuneKeepsItsTitle()
{
    const NamedModel coder = hintedBy("coder 32b").likeliest();
    QCOMPARE(nameOf(coder), QStringLiteral("qwen2.5-32b"));
    QCOMPARE(coder.title, std::string("Qwen2.5 Coder 32B"));
    QCOMPARE(hintedBy("qwen2.5 32b").likeliest().title, std::string("Qwen2.5 32B"));
}

void TestNamedModels::nothingIsHintedAtFirst()
{
    HintedModels hinted;
    QVERIFY(!hinted.likeliest().known() && !hinted.meant() && hinted.models().empty());
    QVERIFY(!hinted.narrow("zebra") && !hinted.narrowMisspelt("zebra"));
    QVERIFY(!hinted.narrowMisspelt("llama") && !hinted.narrowMisspelt("pixtral")); // no errors
    QVERIFY(!hinted.likeliest().known());
}

VRAMSCOPE_TEST(TestNamedModels)
#include "tst_named_models.moc"
