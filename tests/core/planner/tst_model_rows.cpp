// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/print/plan_report.h"
#include "core/settings/settings.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

// The table of published models, with a config of each ($VRAMSCOPE_MODELS, else ../shared/models
// beside the project): each row is computed right, refused, or answered with what is missing.
class TestModelRows : public test::Test
{
    Q_OBJECT

private slots:
    void noModelIsComputedWrongWithoutSayingWhatIsMissing();
};

namespace {

QDir modelsFolder()
{
    const QString named = qEnvironmentVariable("VRAMSCOPE_MODELS");
    return named.isEmpty() ? test::projectFile(u"../shared/models"_s) : named;
}

enum class Outcome { Right, Refused, Said, Wrong };

/// Correction biases of the routers where the model's class has them as buffers and the file holds
/// them (Kimi Linear).
std::int64_t storedBuffers(const Architecture &it)
{
    std::int64_t layers = 0;
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        layers += it.moeLayer(layer) ? 1 : 0;
    return it.routerInFp32 && !it.routerCorrectionBias ? layers * it.experts : 0;
}

/// `total_model` is the model's own count; `total_exact` may count what a file holds beside it.
Outcome outcomeOf(const test::TableRow &row, const Estimate &it)
{
    if (!it.computed)
        return whyNotComputed(it).empty() ? Outcome::Wrong : Outcome::Refused;
    const std::string answer = answerLine("A plan", it);
    bool said = !notCounted(it.issues).empty();
    for (const std::string_view sentence : notCounted(it.issues))
        said = said && answer.find(sentence) != std::string::npos;
    const std::int64_t buffers = storedBuffers(it.settings->architecture);
    if (it.parametersTotal == row.number("total_model") ||
        it.parametersTotal + buffers == row.number("total_model"))
        return Outcome::Right;
    return said ? Outcome::Said : Outcome::Wrong;
}

} // namespace

void TestModelRows::noModelIsComputedWrongWithoutSayingWhatIsMissing()
{
    const QDir folder = modelsFolder();
    const auto rows = test::readTable(folder.filePath(u"models.csv"_s));
    if (rows.empty())
        QSKIP("The table of models is not there (VRAMSCOPE_MODELS).");
    std::map<Outcome, int> counts;
    QStringList wrong;
    for (const test::TableRow &row : rows) {
        QFile config(folder.filePath(u"configs/"_s + row.text("config")));
        QVERIFY2(config.open(QIODevice::ReadOnly), qPrintable(row.text("id")));
        Plan plan;
        plan.model.config = config.readAll().toStdString();
        const Estimate it = estimate(plan);
        const Outcome outcome = outcomeOf(row, it);
        ++counts[outcome];
        if (outcome == Outcome::Wrong)
            wrong.append(u"%1: %2 of %3"_s.arg(row.text("id"))
                             .arg(it.parametersTotal)
                             .arg(row.text("total_model")));
    }
    qInfo("%d right to the parameter, %d refused, %d answered with what is missing, %d wrong",
          counts[Outcome::Right], counts[Outcome::Refused], counts[Outcome::Said],
          counts[Outcome::Wrong]);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(counts[Outcome::Right] >= 62);
}

VRAMSCOPE_TEST(TestModelRows)
#include "tst_model_rows.moc"
