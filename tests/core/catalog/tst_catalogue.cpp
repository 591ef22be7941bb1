// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/model_names.h"
#include "core/catalog/models.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <charconv>
#include <set>

using namespace vramscope;

namespace {

std::vector<test::TableRow> sourceTable(const char *path)
{
    return test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/") + QLatin1StringView(path));
}

/// A name as people sort it: "qwen3.5-4b" before "qwen3.5-27b".
std::vector<std::pair<double, char>> sortKey(std::string_view name)
{
    std::vector<std::pair<double, char>> key;
    while (!name.empty()) {
        double number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number,
                                                  std::chars_format::fixed);
        const bool digits = isDigit(name.front()) && error == std::errc();
        key.emplace_back(digits ? number : 1e9, digits ? '\0' : name.front());
        name.remove_prefix(digits ? std::size_t(end - name.data()) : 1);
    }
    return key;
}

} // namespace

/// The models that plans know by name, built in or of resources/models.
class TestCatalogue : public test::Test
{
    Q_OBJECT

private slots:
    void everyRowIsComplete();
    void namesAreUniqueAndSortedWithinTheirFamily();
    void builtInModelsComeFirstAndUnchanged();
    void everyPublishedModelIsListedOnce();
    void repositoriesFindTheirModel_data();
    void repositoriesFindTheirModel();
};

void TestCatalogue::everyRowIsComplete()
{
    for (const CatalogueModel &model : catalogueModels()) {
        const char *name = model.name.c_str();
        QVERIFY2(!model.title.empty() && !model.family.empty() && !model.source.empty(), name);
        QVERIFY2(model.year >= 2018 && model.year < 2100, name);
        QVERIFY2(model.repository.find('/') != std::string::npos, name);
        QVERIFY2(lowered(model.name) == model.name, name);
        QVERIFY2((model.architecture != nullptr) == model.config.empty(), name);
        if (model.architecture)
            continue;
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(
            QByteArray(model.config.data(), qsizetype(model.config.size())), &error);
        QVERIFY2(error.error == QJsonParseError::NoError && document.isObject(), name);
        QVERIFY2(!document.object().isEmpty(), name);
    }
}

void TestCatalogue::namesAreUniqueAndSortedWithinTheirFamily()
{
    std::set<std::string> names;
    std::set<std::string> titles;
    std::set<std::string> families;
    const CatalogueModel *before = nullptr;
    for (const CatalogueModel &model : catalogueModels()) {
        const char *name = model.name.c_str();
        QVERIFY2(names.insert(model.name).second, name);
        QVERIFY2(titles.insert(model.title).second, name);
        QCOMPARE(findCatalogueModel(model.name), &model);
        const bool sameFamily = before && before->family == model.family;
        if (!sameFamily)
            QVERIFY2(families.insert(model.family).second, name);
        else if (!before->architecture)
            QVERIFY2(sortKey(before->name) < sortKey(model.name), name);
        before = &model;
    }
    QVERIFY(!findCatalogueModel("llama-9") && !findCatalogueModel(""));
}

void TestCatalogue::builtInModelsComeFirstAndUnchanged()
{
    std::vector<std::string> builtIn;
    std::set<std::string> published;
    for (const CatalogueModel &model : catalogueModels()) {
        if (!model.architecture) {
            published.insert(model.family);
            continue;
        }
        QVERIFY2(!published.contains(model.family), model.name.c_str());
        const ModelPreset *preset = findModelPreset(model.name);
        QVERIFY2(preset && &preset->architecture == model.architecture, model.name.c_str());
        QCOMPARE(model.title, preset->title);
        builtIn.push_back(model.name);
    }
    QVERIFY(std::ranges::equal(builtIn, modelPresets(), {}, {}, &ModelPreset::name));
}

void TestCatalogue::everyPublishedModelIsListedOnce()
{
    std::multiset<QString> configs;
    for (const test::TableRow &row : sourceTable("resources/models/catalogue.csv")) {
        configs.insert(row.text("config"));
        const CatalogueModel *found = findModelRepository(row.text("repository").toStdString());
        QVERIFY2(found && !found->architecture, qPrintable(row.text("name"))); // not built in too
    }
    const auto counted = sourceTable("tests/measure/models/models.csv");
    QVERIFY(!counted.empty());
    for (const test::TableRow &row : counted) {
        const QString repository = row.text("id").section(QStringLiteral(" ("), 0, 0);
        const CatalogueModel *found = findModelRepository(repository.toStdString());
        QVERIFY2(found, qPrintable(repository));
        QCOMPARE(configs.count(row.text("config")), found->architecture ? 0UL : 1UL);
    }
}

void TestCatalogue::repositoriesFindTheirModel_data()
{
    QTest::addColumn<QString>("name");
    const auto row = [](const char *repository, const char *name) {
        QTest::newRow(repository) << QString::fromLatin1(name);
    };
    row("Qwen/Qwen3-4B", "qwen3-4b");
    row("qwen/qwen3-4b-base", "qwen3-4b"); // trained further, of the same shape
    row("Qwen2-VL-7B", "qwen2-vl-7b");
    row("meta-llama/Llama-4-Scout-17B-16E", "llama-4-scout");
    row("mamba-130m", "mamba-130m"); // as plans name it
    row("black-forest-labs/FLUX.1-dev", "flux.1-dev-transformer");
    row("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b");
    row("someone/Qwen3-4B", "");
    row("Qwen/Qwen3-4B-AWQ", "");
    row("", "");
}

void TestCatalogue::repositoriesFindTheirModel()
{
    QFETCH(const QString, name);
    const CatalogueModel *found = findModelRepository(QTest::currentDataTag());
    QCOMPARE(found ? QString::fromStdString(found->name) : QString(), name);
    if (found && !found->architecture)
        QCOMPARE(repositoryOf(found->name), std::string_view(found->repository));
}

VRAMSCOPE_TEST(TestCatalogue)
#include "tst_catalogue.moc"
