// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/model/model_parts.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

// The configs of tests/measure/models: the default of every type in transformers' registry and
// variants of it, those of flash-linear-attention, and published models, each with its count by its
// own class.
namespace {

QString countedTables()
{
    return test::projectFile(u"tests/measure/models/"_s);
}

std::string textOfFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

using Row = std::map<std::string, std::string>;

/// The rows of a table by the names of its columns.
std::vector<Row> rowsOf(const QString &name)
{
    std::vector<Row> rows;
    const auto lines = parseCsv(textOfFile(countedTables() + name));
    if (!lines.ok())
        return rows;
    for (const CsvRow &line : lines->rows) {
        Row row;
        for (std::size_t column = 0; column < lines->columns.size(); ++column)
            row[lines->columns[column]] = line.cells[column];
        rows.push_back(std::move(row));
    }
    return rows;
}

/// What the planner says of a config: a count, or why there is none.
struct Counted
{
    std::int64_t parameters = 0;
    std::string refusal;
};

Counted countOf(const std::string &config)
{
    PlanModel model;
    model.config = config;
    const auto architecture = architectureOf(model);
    if (!architecture.ok())
        return {0, architecture.error().detail};
    const std::int64_t total = countParameters(*architecture).total;
    std::int64_t parts = 0;
    for (const ModelPartCount &part : modelParts(*architecture))
        parts += part.count;
    if (parts != total)
        return {parts, {}}; // no count that anything equals
    return {total, {}};
}

/// A variant may have fewer experts than its class lets a token choose, which no count depends on.
std::string runnable(const std::string &config)
{
    return QString::fromStdString(config)
        .replace(QRegularExpression(u"\"(num_experts_per_tok(en)?)\": [0-9]+"_s), u"\"\\1\": 1"_s)
        .toStdString();
}

} // namespace

class TestRegistry : public test::Test
{
    Q_OBJECT

private slots:
    void noTypeIsComputedWrong_data();
    void noTypeIsComputedWrong();
    void noPublishedModelIsComputedWrong();
    void fiftyConfigsOfUnknownKindsAreRefused();
};

void TestRegistry::noTypeIsComputedWrong_data()
{
    QTest::addColumn<int>("atLeast");
    QTest::newRow("registry") << 357; // as the help says, accuracy.md
    QTest::newRow("fla") << 12;
}

void TestRegistry::noTypeIsComputedWrong()
{
    QFETCH(int, atLeast);
    const QString table = QString::fromLatin1(QTest::currentDataTag());
    int exact = 0;
    int refused = 0;
    QStringList wrong;
    QStringList refusals;
    for (Row &row : rowsOf(table + u".csv"_s)) {
        const std::string file =
            row["model_type"] + (row["variant"].empty() ? "" : "-" + row["variant"]) + ".json";
        if (row["text_parameters"].empty())
            continue; // its class does not build
        if (file == "mpt-bias.json")
            continue; // MosaicML's own code, which the planner follows, reads no_bias; its class
                      // not
        const Counted answer = countOf(
            runnable(textOfFile(countedTables() + table + u'/' + QString::fromStdString(file))));
        if (!answer.refusal.empty()) {
            ++refused;
            refusals += QString::fromStdString(file + ": " + answer.refusal.substr(0, 160));
        } else if (std::to_string(answer.parameters) == row["text_parameters"] ||
                   answer.parameters ==
                       std::stoll(row["text_parameters"]) + std::stoll(row["stored_buffers"])) {
            ++exact;
        } else {
            wrong += QString::fromStdString(file + ": " + std::to_string(answer.parameters) +
                                            " instead of " + row["text_parameters"]);
        }
    }
    qInfo("%d computed exactly, %d refused, %d wrong", exact, refused, int(wrong.size()));
    for (const QString &line : refusals)
        qDebug("refused %s", qPrintable(line));
    for (const QString &line : wrong)
        qInfo("wrong %s", qPrintable(line));
    QVERIFY(wrong.isEmpty());
    QVERIFY(exact >= atLeast);
}

void TestRegistry::noPublishedModelIsComputedWrong()
{
    int exact = 0;
    int refused = 0;
    QStringList wrong;
    for (Row &row : rowsOf(u"models.csv"_s)) {
        if (row["text"].empty())
            continue;
        const Counted answer = countOf(textOfFile(test::projectFile(
            u"resources/models/configs/"_s + QString::fromStdString(row["config"]))));
        const std::int64_t text = std::stoll(row["text"]);
        const std::int64_t buffers =
            row["stored_buffers"].empty() ? 0 : std::stoll(row["stored_buffers"]);
        if (!answer.refusal.empty()) {
            ++refused;
            qDebug("refused %s: %s", row["id"].c_str(), answer.refusal.substr(0, 160).c_str());
        } else if (answer.parameters == text || answer.parameters == text + buffers) {
            ++exact;
        } else {
            wrong += QString::fromStdString(row["id"] + ": " + std::to_string(answer.parameters) +
                                            " instead of " + row["text"]);
        }
    }
    qInfo("%d computed exactly, %d refused, %d wrong", exact, refused, int(wrong.size()));
    for (const QString &line : wrong)
        qInfo("wrong %s", qPrintable(line));
    QVERIFY(wrong.isEmpty());
    QVERIFY(exact >= 122);
}

void TestRegistry::fiftyConfigsOfUnknownKindsAreRefused()
{
    const QStringList types{u"llama"_s, u"qwen3"_s, u"mistral"_s, u"gemma3_text"_s, u"olmo3"_s};
    const QStringList changes{u"\"model_type\": \"newcomer\""_s,
                              u"\"layer_types\": [\"retention\", \"full_attention\"]"_s,
                              u"\"layer_types\": [\"linear_attention\", \"full_attention\"]"_s,
                              u"\"retention_interval\": 4"_s,
                              u"\"linear_num_value_heads\": 32"_s,
                              u"\"mamba_new_width\": 64"_s,
                              u"\"ssm_inner\": 2048"_s,
                              u"\"hybrid_override_pattern\": \"M*\""_s,
                              u"\"layers_block_type\": [\"mamba\", \"attention\"]"_s,
                              u"\"attn_layer_period\": 8"_s};
    int refused = 0;
    for (const QString &type : types) {
        for (const QString &change : changes) {
            const QString kept = change.contains(u"model_type"_s)
                                     ? QString()
                                     : u"\"model_type\": \"%1\", "_s.arg(type);
            const QString config =
                u"{%1%2, \"num_hidden_layers\": 2, \"hidden_size\": 64, \"num_attention_heads\": "
                u"4, "
                "\"num_key_value_heads\": 2, \"intermediate_size\": 128, \"vocab_size\": 100, "
                "\"sliding_window\": 32}"_s.arg(kept, change);
            const Counted answer = countOf(config.toStdString());
            QVERIFY2(!answer.refusal.empty(), qPrintable(config));
            QVERIFY2(answer.refusal.starts_with("model.config."), answer.refusal.c_str());
            ++refused;
        }
    }
    QCOMPARE(refused, 50);
}

VRAMSCOPE_TEST(TestRegistry)
#include "tst_registry.moc"
