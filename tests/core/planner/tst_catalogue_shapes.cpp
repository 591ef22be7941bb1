// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/catalogue_search.h"
#include "core/model/catalogue_shapes.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <map>

using namespace vramscope;

/// Models of the catalogue as the planner reads them.
class TestCatalogueShapes : public test::Test
{
    Q_OBJECT

private slots:
    void whatIsComputedCountsAsTransformersDoes();
    void aNameStandsForItsConfig();
    void whatIsRefusedBlocksThePlanAndSaysWhy();
    void aKindNamesWhatIsUnusual();
    void aMisspeltNameIsFound();
    void wordsFindModels_data();
    void wordsFindModels();
    void anyPartIsFoundByItsOwnWords();
};

void TestCatalogueShapes::whatIsComputedCountsAsTransformersDoes()
{
    const auto table = [](const char *path) {
        return test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/") + QLatin1StringView(path));
    };
    std::map<QString, test::TableRow> counted;
    for (const test::TableRow &row : table("tests/measure/models/models.csv"))
        counted[row.text("config")] = row;
    // Published totals of models that transformers has no class of.
    std::map<QString, qint64> published;
    for (const test::TableRow &row : table("tests/measure/models/listed.csv"))
        if (row.text("exact_counts") == QLatin1StringView("total"))
            published[row.text("config")] = row.number("total_exact");
    QStringList refused;
    QStringList wrong;
    int equal = 0;
    for (const test::TableRow &row : table("resources/models/catalogue.csv")) {
        const QString name = row.text("name");
        const CatalogueShape *shape = findCatalogueShape(name.toStdString());
        QVERIFY2(shape, qPrintable(name));
        if (!shape->computed()) {
            refused << name + QStringLiteral(": ") + QString::fromStdString(shape->whyNot);
            QVERIFY2(shape->parameters == 0 && shape->architecture == Architecture(),
                     qPrintable(name));
            continue;
        }
        const test::TableRow &counts = counted[row.text("config")];
        // The language model; biases that correct a router are buffers there.
        const qint64 text =
            counts.number("text") > 0 ? counts.number("text") : published[row.text("config")];
        if (text > 0 && (shape->parameters == text ||
                         shape->parameters == text + counts.number("stored_buffers")))
            ++equal;
        else
            wrong << QStringLiteral("%1: %2 of %3").arg(name).arg(shape->parameters).arg(text);
        QVERIFY2(shape->active > 0 && shape->active <= shape->parameters, qPrintable(name));
    }
    qInfo().noquote() << equal << "are as counted," << refused.size() << "are not computed:\n"
                      << refused.join(u'\n');
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(equal > 50);
}

void TestCatalogueShapes::aNameStandsForItsConfig()
{
    int checked = 0;
    for (const CatalogueShape &shape : catalogueShapes()) {
        if (shape.model->pipeline || !shape.computed())
            continue;
        Plan named;
        named.model.preset = shape.model->name;
        Plan stated;
        stated.model.config = std::string(shape.model->config);
        const auto read = architectureOf(stated.model);
        QVERIFY2(read && *read == shape.architecture, shape.model->name.c_str());
        QVERIFY2(*architectureOf(named.model) == *read, shape.model->name.c_str());
        QCOMPARE(estimate(named).parametersTotal, shape.parameters);
        const auto parts = missingParts(named);
        const auto ofConfig = missingParts(stated);
        QVERIFY(std::ranges::equal(notCounted(parts), notCounted(ofConfig)));
        for (const Issue &part : parts)
            QCOMPARE(part.field, "model.preset." + shape.model->name);
        ++checked;
    }
    QVERIFY(checked > 50);
}

void TestCatalogueShapes::whatIsRefusedBlocksThePlanAndSaysWhy()
{
    for (const CatalogueShape &shape : catalogueShapes()) {
        if (shape.computed())
            continue;
        QVERIFY2(shape.whyNot.starts_with("In its config.json, "), shape.whyNot.c_str());
        PlanModel model;
        model.preset = shape.model->name;
        const auto read = architectureOf(model);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().detail,
                 "model.preset: " + shape.model->title + " is not computed. " + shape.whyNot);
    }
}

void TestCatalogueShapes::aKindNamesWhatIsUnusual()
{
    const auto kind = [](std::string_view name) {
        const CatalogueShape *shape = findCatalogueShape(name);
        return shape ? architectureKind(shape->architecture) : std::string();
    };
    QCOMPARE(kind("llama-3-8b"), "dense");
    QCOMPARE(kind("qwen3-next-80b-a3b"), "MoE, hybrid");
    QCOMPARE(kind("mamba-130m"), "dense, states alone");
    QCOMPARE(kind("kimi-linear-48b-a3b"), "MoE, hybrid, MLA");
}

void TestCatalogueShapes::aMisspeltNameIsFound()
{
    PlanModel model;
    model.preset = "qwen3-4bb";
    QCOMPARE(architectureOf(model).error().detail,
             std::string("model.preset: There is no model named 'qwen3-4bb' (did you mean "
                         "'qwen3-4b'?)."));
}

void TestCatalogueShapes::wordsFindModels_data()
{
    QTest::addColumn<QString>("finds");
    QTest::addColumn<QString>("leaves");
    const auto row = [](const char *words, const char *finds, const char *leaves) {
        QTest::newRow(words) << QString::fromLatin1(finds) << QString::fromLatin1(leaves);
    };
    row("qwen 2024", "qwen2-vl-7b", "qwen3-4b");
    row("Qwen/Qwen3-4B", "qwen3-4b", "qwen3-8b");
    row("8B", "llama-3.1-8b", "mixtral-8x22b");      // by name
    row("8b", "aya-expanse-8b", "exaone-3.5-2.4b");  // and by its count
    row("8b", "lfm2-8b-a1b", "kimi-linear-48b-a3b"); // by name, computed or not
    row("7B", "llama-2-7b", "mixtral-8x7b");
    row("46.7B", "mixtral-8x7b", "mixtral-8x22b");
    row("135M", "smollm2-135m", "smollm2-1.7b");
    row("7B-9B", "qwen3-8b", "qwen3-4b");
    row("7B-9B", "aya-expanse-8b", "llama-2-7b"); // of 6.74 billion
    row(">100B qwen", "qwen3-coder-480b-a35b", "qwen3-32b");
    row("<1B", "smollm2-135m", "smollm2-1.7b");
    row("moe qwen", "qwen3-30b-a3b", "qwen3-32b");
    row("  ", "gpt2", "");
    row("zebra", "", "gpt2");
}

void TestCatalogueShapes::wordsFindModels()
{
    QFETCH(const QString, finds);
    QFETCH(const QString, leaves);
    const CatalogueSearch search(QTest::currentDataTag());
    if (const CatalogueShape *shape = findCatalogueShape(finds.toStdString()))
        QVERIFY(search.finds(*shape));
    if (const CatalogueShape *shape = findCatalogueShape(leaves.toStdString()))
        QVERIFY(!search.finds(*shape));
}

void TestCatalogueShapes::anyPartIsFoundByItsOwnWords()
{
    for (const CatalogueShape &shape : catalogueShapes()) {
        const CatalogueModel &model = *shape.model;
        for (const std::string &words :
             {model.name, model.title, model.family, model.repository, std::to_string(model.year)})
            QVERIFY2(CatalogueSearch(words).finds(shape), words.c_str());
    }
    QVERIFY(CatalogueSearch().empty() && !CatalogueSearch("8b").empty());
    QVERIFY(holdsWords("H100 sxm", "h100 sxm5 80 gb") && !holdsWords("h100 pcie", "h100 sxm5"));
}

VRAMSCOPE_TEST(TestCatalogueShapes)
#include "tst_catalogue_shapes.moc"
