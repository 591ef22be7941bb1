// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/sentence_words.h"
#include "core/ask/vocabulary.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpu_names.h"
#include "core/estimate/estimate.h"
#include "core/settings/field_text.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// The words that the grammar knows.
class TestAskedWords : public test::Test
{
    Q_OBJECT

    static QStringList alternatives(std::string_view words)
    {
        return QString::fromUtf8(words.data(), qsizetype(words.size())).split(u'|');
    }

    static QString sentence(AskedWhen when)
    {
        return when == AskedWhen::Diffusion ? u"flux.1-dev 4090, "_s
               : when == AskedWhen::Serving ? u"serve qwen3-8b h100, "_s
                                            : u"qwen3-8b h100, "_s;
    }

private Q_SLOTS:
    void everyPhraseIsUnderstood()
    {
        for (const AskedPhrase &phrase : askedPhrases()) {
            for (const QString &words : alternatives(phrase.words)) {
                const Asked asked = understand((sentence(phrase.when) + words).toStdString());
                if (phrase.sets == "!") {
                    QVERIFY2(!asked.understood(), qPrintable(words));
                    continue;
                }
                QVERIFY2(asked.understood(), qPrintable(words));
                QVERIFY2(std::ranges::none_of(asked.pieces,
                                              [](const AskedPiece &piece) {
                                                  return piece.state == AskedState::NotUnderstood;
                                              }),
                         qPrintable(words));
            }
        }
    }

    void everyKeywordTakesANumberOnBothSides()
    {
        for (const AskedKeyword &keyword : askedKeywords()) {
            QVERIFY(findField(keyword.field) || keyword.field.empty() ||
                    keyword.field == "batch.global" || keyword.field == "answer.tokens" ||
                    keyword.field == "hardware.nodes");
            for (const QString &words : alternatives(keyword.words)) {
                for (const QString &text : {words + u" 1"_s, u"1 "_s + words})
                    QVERIFY2(understand((sentence(keyword.when) + text).toStdString()).understood(),
                             qPrintable(text));
            }
        }
    }

    void everyModelIsKnownByItsNameTitleAndRepository()
    {
        for (const CatalogueModel &model : catalogueModels()) {
            const auto named = [](const std::string &text) {
                const std::optional<Plan> plan = understand(text).plan;
                return !plan                ? std::string()
                       : plan->model.preset ? *plan->model.preset
                                            : plan->model.pipeline.value_or("");
            };
            QCOMPARE(named(model.name), model.name);
            if (model.title.find('(') == std::string::npos)
                QVERIFY2(named(model.title) == model.name, model.title.c_str());
            const bool isTower = model.name.ends_with("-vision"); // the repository holds two
            if (!model.repository.empty() && !isTower)
                QVERIFY2(!named(model.repository).empty(), model.repository.c_str());
        }
    }

    void everyGpuIsKnownByItsNameAndTitle()
    {
        for (const GpuPreset &gpu : gpuPresets()) {
            QVERIFY2(findNamedGpu(gpu.name).gpu == &gpu, gpu.name.c_str());
            QVERIFY2(findNamedGpu(gpu.title).gpu, gpu.title.c_str());
        }
    }

    void gpusAreKnownByWhatPeopleCallThem_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("ofFamily");
        const auto row = [](const char *words, const char *name, bool ofFamily) {
            QTest::newRow(words) << QString::fromUtf8(words) << QString::fromUtf8(name) << ofFamily;
        };
        row("H100", "h100-sxm-80gb", true);
        row("h100 pcie", "h100-pcie-80gb", false);
        row("h100 80gb", "h100-sxm-80gb", false);
        row("h200", "h200-sxm-141gb", false);
        row("b200", "b200-sxm-192gb", false);
        row("a100", "a100-sxm-80gb", true);
        row("A100-80GB", "a100-sxm-80gb", true);
        row("a100 40gb", "a100-sxm-40gb", true);
        row("a100-40", "a100-sxm-40gb", true);
        row("4090", "rtx-4090", false);
        row("RTX 4090", "rtx-4090", false);
        row("rtx3080", "rtx-3080-10gb", true);
        row("3090 ti", "rtx-3090-ti", false);
        row("5090", "rtx-5090", false);
        row("mi300x", "mi300x-192gb", false);
        row("l40s", "l40s-48gb", false);
        row("l4", "l4-24gb", false);
        row("t4", "t4-16gb", false);
        row("gb10", "gb10-128gb", false);
        row("dgx spark", "gb10-128gb", false);
        row("a6000", "rtx-a6000-48gb", false);
        row("m3 ultra", "apple-m3-ultra-512gb", true);
    }

    void gpusAreKnownByWhatPeopleCallThem()
    {
        QFETCH(QString, words);
        QFETCH(QString, name);
        QFETCH(bool, ofFamily);
        const NamedGpu named = findNamedGpu(words.toStdString());
        QVERIFY(named.gpu);
        QCOMPARE(QString::fromStdString(named.gpu->name), name);
        QCOMPARE(named.ofFamily, ofFamily);
    }

    void wordsOfTheLanguageAreNoGpus()
    {
        for (const char *word : {"max", "apple", "8b", "16gb", "6000", "8000", "1550", "", "-"})
            QVERIFY2(!findNamedGpu(word).gpu, word);
    }

    void anUnknownGpuHasNeighbours()
    {
        QCOMPARE(didYouMeanGpu("h100"),
                 std::string(" (did you mean 'h100-sxm-80gb', 'h100-pcie-80gb', 'h100-sxm-96gb' or "
                             "'h100-nvl-94gb'?)"));
        QCOMPARE(didYouMeanGpu("4090"), std::string(" (did you mean 'rtx-4090'?)"));
        QCOMPARE(didYouMeanGpu("h200-sxm-140gb"), std::string(" (did you mean 'h200-sxm-141gb'?)"));
        QCOMPARE(didYouMeanGpu("abacus"), std::string());
    }

    void aPlanWithAnUnknownGpuIsToldOfThem()
    {
        Plan plan;
        plan.model.preset = "qwen3-8b";
        plan.hardware.gpu = "h100";
        const std::string why = whyNotComputed(estimate(plan));
        QVERIFY2(why.find("No GPU is known as \"h100\" (did you mean 'h100-sxm-80gb', ") !=
                     std::string::npos,
                 why.c_str());
    }

    void aSentenceIsCutIntoWords()
    {
        const auto cut = [](const char *text) {
            QString all;
            for (const SentenceWord &word : sentenceWords(text))
                all += (all.isEmpty() ? u""_s : u" "_s) + QString::fromStdString(word.text);
            return all;
        };
        QCOMPARE(cut("8xH100"), u"8 x h100"_s);
        QCOMPARE(cut("8 × H100"), u"8 x h100"_s);
        QCOMPARE(cut("2x8xH200"), u"2 x 8 x h200"_s);
        QCOMPARE(cut("2x24GB 8gpus r16 bs4"), u"2 x 24gb 8 gpus r 16 bs 4"_s);
        QCOMPARE(cut("131,072 4.096 8'192 8 192 32 k"), u"131072 4096 8192 8192 32k"_s);
        QCOMPARE(cut("llama 3.1, 3.125"), u"llama 3.1 3125"_s);
        QCOMPARE(cut("Qwen3\u201132B 8\u00d7H200 \u00a04090"), u"qwen3-32b 8 x h200 4090"_s);
        QCOMPARE(cut("单卡4090 24G lora微调"), u"单卡 4090 24g lora 微调"_s);
        QCOMPARE(cut("3090 + 4090 w/ 8k?"), u"3090 + 4090 w 8k"_s);
        QCOMPARE(cut("h100x8"), u"h100 x 8"_s);
        QCOMPARE(cut("2xRTX 4090"), u"2 x rtx 4090"_s);
        QCOMPARE(cut("Mixtral 8x7B"), u"mixtral 8x7b"_s);
        QCOMPARE(cut("7900xtx mi300x"), u"7900xtx mi300x"_s);
        QCOMPARE(cut("tp8, seq=8192."), u"tp 8 seq 8192"_s);
        QCOMPARE(cut("batch.micro_batch=4 Trainer"), u"batch.micro_batch=4 trainer"_s);
    }

    void valuesAreReadInTheTypeOfTheirField()
    {
        const auto set = [](const char *text) {
            Plan plan;
            const Result<void> isSet = setWritten(plan, text);
            return isSet ? std::string() : isSet.error().detail;
        };
        for (const char *text :
             {"batch.micro_batch=4", "batch.sequence_length=8k", "optimizer.offload=on",
              "optimizer.state_bytes=1.5", "hardware.capacity_bytes=72GiB",
              "adapters.targets=q,k , v", "parallel.layers_per_stage=10,12",
              "adapters.targets=all-linear", "model.config={\"model_type\": \"llama\"}"})
            QCOMPARE(set(text), std::string());
        Plan plan;
        QVERIFY(setWritten(plan, "hardware.capacity_bytes=72GiB"));
        QCOMPARE(plan.hardware.capacity.value_or(0), Bytes(72) << 30);
        QCOMPARE(set("batch.mikro_batch=1"),
                 std::string("batch.mikro_batch is not a field of a plan "
                             "(did you mean 'batch.micro_batch'?)."));
        QVERIFY(set("batch.micro_batch").find("is given no value") != std::string::npos);
        QVERIFY(set("batch.micro_batch=").find("it must be") != std::string::npos);
        QVERIFY(set("batch.micro_batch=1.5").find("it must be") != std::string::npos);
        QVERIFY(set("optimizer.offload=1k").find("true or false") != std::string::npos);
        QVERIFY(set("model.config={").find("it must be") != std::string::npos);
    }
};

VRAMSCOPE_TEST(TestAskedWords)
#include "tst_asked_words.moc"
