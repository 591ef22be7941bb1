// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_parts.h"
#include "core/model/parameters.h"
#include "tests/support/models.h"
#include "tests/support/test.h"

#include <numeric>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The number that a formula comes to: its words are passed over, × goes before +.
class Sums
{
public:
    explicit Sums(const std::string &formula)
        : m_text(QString::fromStdString(formula).remove(u','))
    {
    }
    std::int64_t sum()
    {
        std::int64_t total = product();
        while (takes(u'+'))
            total += product();
        return total;
    }
    [[nodiscard]] bool atEnd() { return next().isNull(); }

private:
    std::int64_t product()
    {
        std::int64_t total = factor();
        while (takes(u'×'))
            total *= factor();
        return total;
    }
    std::int64_t factor()
    {
        if (takes(u'(')) {
            const std::int64_t inner = sum();
            takes(u')');
            return inner;
        }
        std::int64_t number = 0;
        for (QChar digit = next(); digit.isDigit();
             digit = m_at < m_text.size() ? m_text[m_at] : QChar()) {
            number = number * 10 + digit.digitValue();
            ++m_at;
        }
        return number;
    }
    QChar next()
    {
        while (m_at < m_text.size() &&
               (m_text[m_at].isLetter() || m_text[m_at].isSpace() || m_text[m_at] == u'\''))
            ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : QChar();
    }
    bool takes(QChar sign)
    {
        const bool there = next() == sign;
        m_at += there;
        return there;
    }

    QString m_text;
    qsizetype m_at = 0;
};

const ModelPartCount *part(const std::vector<ModelPartCount> &parts, ModelPart wanted)
{
    const auto found = std::ranges::find(parts, wanted, &ModelPartCount::part);
    return found == parts.end() ? nullptr : &*found;
}

std::vector<ModelPartCount> partsOf(const char *preset)
{
    return modelParts(test::shapeOf(preset));
}

} // namespace

class TestModelParts : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void partsAddUpToTheTotalAndTheirFormulasSaySo_data();
    void partsAddUpToTheTotalAndTheirFormulasSaySo();
    void unusualSettingsAreCountedToo();
    void everyPartOfADenseModelIsTold();
    void expertsStandBesideTheFirstDenseBlocks();
    void aTiedHeadIsNoPart();
    void layersWithAWindowAreKnown();
    void nothingIsSaidOfNoArchitecture();
};

namespace {

void checkParts(const Architecture &architecture)
{
    const std::vector<ModelPartCount> parts = modelParts(architecture);
    std::int64_t total = 0;
    for (const ModelPartCount &one : parts) {
        Sums sums(one.formula);
        QCOMPARE(sums.sum(), one.count);
        QVERIFY2(sums.atEnd(), one.formula.c_str());
        QVERIFY(one.count > 0);
        total += one.count;
    }
    QCOMPARE(total, countParameters(architecture).total);
}

} // namespace

void TestModelParts::partsAddUpToTheTotalAndTheirFormulasSaySo_data()
{
    QTest::addColumn<QString>("name");
    for (const CatalogueShape &preset : test::plainModels())
        QTest::newRow(preset.model->name.c_str()) << QString::fromStdString(preset.model->name);
}

void TestModelParts::partsAddUpToTheTotalAndTheirFormulasSaySo()
{
    QFETCH(const QString, name);
    checkParts(test::shapeOf(name.toStdString()));
}

void TestModelParts::unusualSettingsAreCountedToo()
{
    Architecture it = test::shapeOf("qwen3-30b-a3b");
    it.bias = {true, true, true, true, true, true};
    it.attentionSinks = true;
    it.denseLayers = 5;
    it.sharedExperts = 2;
    it.sharedFfn = 1536;
    it.sharedGate = true;
    it.routerCorrectionBias = true;
    it.typeVocab = 2;
    it.gatedMlp = false;
    checkParts(it);
    it.tiedEmbeddings = true; // its head has a bias all the same
    checkParts(it);
}

void TestModelParts::everyPartOfADenseModelIsTold()
{
    const auto parts = partsOf("llama-3-8b");
    QCOMPARE(parts.size(), std::size_t(5));
    QCOMPARE(part(parts, ModelPart::Embedding)->count, std::int64_t(128256) * 4096);
    QCOMPARE(part(parts, ModelPart::Attention)->formula,
             "32 blocks × (queries 4,096 × 4,096 + keys and values 4,096 × 2,048 + "
             "output 4,096 × 4,096)");
    QCOMPARE(part(parts, ModelPart::Mlp)->count, std::int64_t(32) * 3 * 4096 * 14336);
    QCOMPARE(part(parts, ModelPart::Norms)->count, std::int64_t(65) * 4096);
    QCOMPARE(part(parts, ModelPart::Head)->count, std::int64_t(128256) * 4096);
}

void TestModelParts::expertsStandBesideTheFirstDenseBlocks()
{
    const auto parts = partsOf("deepseek-v3");
    QCOMPARE(part(parts, ModelPart::Mlp)->count, std::int64_t(3) * 3 * 7168 * 18432);
    QCOMPARE(part(parts, ModelPart::Experts)->count, std::int64_t(58) * 256 * 3 * 7168 * 2048);
    QCOMPARE(part(parts, ModelPart::SharedExperts)->count, std::int64_t(58) * 3 * 7168 * 2048);
    QVERIFY(part(parts, ModelPart::Attention)->formula.find("latent") != std::string::npos);
}

void TestModelParts::aTiedHeadIsNoPart()
{
    const auto parts = partsOf("gemma-2b");
    QVERIFY(!part(parts, ModelPart::Head));
    QVERIFY(part(parts, ModelPart::Embedding)->formula.ends_with("the same weights for the head"));
    QVERIFY(!part(partsOf("bert-base-cased"), ModelPart::Embedding)->formula.ends_with("head"));
    QVERIFY(part(partsOf("gpt2"), ModelPart::Positions));
}

void TestModelParts::layersWithAWindowAreKnown()
{
    const Architecture &oss = test::shapeOf("gpt-oss-20b");
    QVERIFY(windowedLayer(oss, 0));
    QVERIFY(!windowedLayer(oss, 1));
    QVERIFY(!windowedLayer(test::shapeOf("llama-3-8b"), 0));
    Architecture everywhere = oss;
    everywhere.slidingLayers.clear();
    QVERIFY(windowedLayer(everywhere, 1));
}

void TestModelParts::nothingIsSaidOfNoArchitecture()
{
    QVERIFY(modelParts(Architecture()).empty());
    Architecture beyond = test::shapeOf("llama-3-8b");
    beyond.hidden = beyond.vocab = std::int64_t(1) << 40;
    QVERIFY(modelParts(beyond).empty());
}

VRAMSCOPE_TEST(TestModelParts)
#include "tst_model_parts.moc"
