// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/model_names.h"
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

} // namespace

/// The models that plans know by name, built in or of resources/models.
class TestCatalogue : public test::Test
{
    Q_OBJECT

private slots:
    void everyRowIsComplete();
    void namesAreUniqueAndFamiliesStandTogether();
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
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(
            QByteArray(model.config.data(), qsizetype(model.config.size())), &error);
        QVERIFY2(error.error == QJsonParseError::NoError && document.isObject(), name);
        QVERIFY2(!document.object().isEmpty(), name);
    }
}

void TestCatalogue::namesAreUniqueAndFamiliesStandTogether()
{
    std::set<std::string> names;
    std::set<std::string> titles;
    std::set<std::string> families;
    std::string family;
    for (const CatalogueModel &model : catalogueModels()) {
        const char *name = model.name.c_str();
        QVERIFY2(names.insert(model.name).second, name);
        QVERIFY2(titles.insert(model.title).second, name);
        QCOMPARE(findCatalogueModel(model.name), &model);
        if (model.family != family)
            QVERIFY2(families.insert(model.family).second, name);
        family = model.family;
    }
    QVERIFY(!findCatalogueModel("llama-9") && !findCatalogueModel(""));
}

void TestCatalogue::everyPublishedModelIsListedOnce()
{
    std::multiset<QString> configs;
    for (const test::TableRow &row : sourceTable("resources/models/catalogue.csv")) {
        configs.insert(row.text("config"));
        const CatalogueModel *found = findModelRepository(row.text("repository").toStdString());
        QVERIFY2(found, qPrintable(row.text("name")));
    }
    const auto counted = sourceTable("tests/measure/models/models.csv");
    QVERIFY(!counted.empty());
    for (const test::TableRow &row : counted) {
        const QString repository = row.text("id").section(QStringLiteral(" ("), 0, 0);
        const CatalogueModel *found = findModelRepository(repository.toStdString());
        QVERIFY2(found, qPrintable(repository));
        QVERIFY2(configs.contains(row.text("config")), qPrintable(repository));
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
    if (found)
        QCOMPARE(repositoryOf(found->name), std::string_view(found->repository));
}

VRAMSCOPE_TEST(TestCatalogue)
#include "tst_catalogue.moc"
