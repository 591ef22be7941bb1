// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <set>

using namespace vramscope;

namespace {

using enum Category;

constexpr Bytes kSmall = 16 * kKiB; // smaller blocks are less than 1 %
constexpr double kSure = 0.695;

// The categories that are right for blocks of a role. What the program keeps for itself may be
// unknown.
const std::map<std::string, std::set<Category>> kRight{
    {"parameter", {Parameters}},
    {"buffer", {Parameters}},
    {"state", {OptimizerStates}},
    {"gradient", {Gradients}},
    {"ema", {Parameters, OptimizerStates}},
    {"kv", {KeyValueCache}},
    {"comm", {Communication}},
    {"workspace", {Framework}},
    {"input", {Inputs}},
    {"input_saved", {Inputs}},
    {"loss", {LossAndLogits}},
    {"loss_saved", {LossAndLogits}},
    {"loss_grad", {LossAndLogits, Gradients, TemporaryBuffers}},
    {"activation", {Activations}},
    {"kept", {Unknown, Inputs, Activations, LossAndLogits}},
    {"kept_saved", {Activations, Inputs, Unknown}},
    {"temporary_forward", {TemporaryBuffers, Activations}},
    {"temporary_backward", {TemporaryBuffers, Gradients}},
    {"temporary_optimizer", {TemporaryBuffers}},
    {"temporary_inference", {TemporaryBuffers, Activations, LossAndLogits}},
    {"temporary_evaluation", {TemporaryBuffers, Activations, LossAndLogits}},
    {"temporary_rollout", {TemporaryBuffers, Activations, Inputs}},
    {"temporary_other", {TemporaryBuffers, Activations, Inputs}}};

struct Score
{
    std::array<std::pair<double, double>, 10> byConfidence{}; ///< all bytes, and the right ones
    double right = 0;
    double wrong = 0; ///< with a probability of kSure or more
    double all = 0;
};

// The score at a moment: each block is found by its address among those that live then.
Score scoreAt(const Study &study, const nlohmann::json &moment)
{
    const Allocations &allocations = study.allocations();
    std::map<std::uint64_t, AllocationIndex> live;
    for (const AllocationIndex index :
         allocations.liveAfter(static_cast<EventIndex>(moment["event"].get<int>())))
        live[allocations.address[static_cast<std::size_t>(index)]] = index;
    Score score;
    for (const nlohmann::json &block : moment["blocks"]) {
        const auto bytes = block[1].get<Bytes>();
        const auto found = live.find(std::stoull(block[0].get<std::string>(), nullptr, 16));
        if (bytes < kSmall || found == live.end())
            continue;
        const CategoryJudgement &judgement = study.categories().of(found->second);
        const std::string role = block[2].get<std::string>();
        const auto size = static_cast<double>(bytes);
        score.all += size;
        auto &[all, right] = score.byConfidence[std::min(
            static_cast<std::size_t>(judgement.confidence * 10), std::size_t(9))];
        all += size;
        right += kRight.at(role).contains(judgement.category) ? size : 0;
        if (kRight.at(role).contains(judgement.category))
            score.right += size;
        else if (judgement.category != Unknown && double(judgement.confidence) >= kSure)
            score.wrong += size;
    }
    return score;
}

// A third of the recordings is not for choosing rules and thresholds by.
bool isHeldBack(const QString &name)
{
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char byte : name.toUtf8())
        hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
    return hash % 3 == 0;
}

nlohmann::json labelsOf(const QString &name)
{
    QFile file(test::projectFile("tests/data/labelled/") + name + ".labels.json");
    return file.open(QIODevice::ReadOnly)
               ? nlohmann::json::parse(file.readAll().toStdString(), nullptr, false)
               : nlohmann::json();
}

} // namespace

class TestLabelled : public test::Test
{
    Q_OBJECT

private slots:
    void categoriesStepsAndLeaksAreThoseOfTheProgram_data();
    void categoriesStepsAndLeaksAreThoseOfTheProgram();
    void cleanupTestCase();

private:
    std::array<std::pair<double, double>, 10> m_reliability{}; ///< shares of a recording's bytes
    std::array<std::vector<double>, 2> m_shares; ///< right at the peak: open, then held back
};

void TestLabelled::categoriesStepsAndLeaksAreThoseOfTheProgram_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(test::projectFile("tests/data/labelled"));
    for (const QString &file : folder.entryList({"*.pickle.gz"})) {
        const QString name = file.section('.', 0, 0);
        QTest::newRow(qPrintable(name)) << name;
    }
}

void TestLabelled::categoriesStepsAndLeaksAreThoseOfTheProgram()
{
    QFETCH(QString, name);
    const nlohmann::json labels = labelsOf(name);
    QVERIFY(labels.is_object());
    const auto trace =
        readTrace((test::projectFile("tests/data/labelled/") + name + ".pickle.gz").toStdString());
    QVERIFY(trace.ok());
    const Study study(*trace, (*trace)->devices().front());
    for (const char *moment : {"peak", "end"}) {
        const Score score = scoreAt(study, labels[moment]);
        const double right = score.right / score.all;
        for (std::size_t bin = 0; bin < m_reliability.size(); ++bin) {
            m_reliability[bin].first += score.byConfidence[bin].first / score.all;
            m_reliability[bin].second += score.byConfidence[bin].second / score.all;
        }
        if (std::string_view(moment) == "peak")
            m_shares[isHeldBack(name) ? 1 : 0].push_back(right);
        QVERIFY2(right >= 0.9, qPrintable(QString("%1: %2 right").arg(moment).arg(right)));
        QVERIFY2(score.wrong <= 0.005 * score.all, moment);
    }
    const auto steps = std::ssize(labels["steps"]);
    if (labels["unit"] == "step" && steps >= 3)
        QVERIFY(std::abs(std::ssize(study.steps().steps) - steps) <= 1);
    double leaked = 0;
    for (const Growth &growth : study.leaks().leaks)
        leaked += growth.bytesPerSample;
    const double expected =
        labels["leak"].is_null() ? 0 : labels["leak"]["bytes_per_step"].get<double>();
    QVERIFY2(std::abs(leaked - expected) <= 0.06 * expected, qPrintable(QString::number(leaked)));
}

void TestLabelled::cleanupTestCase()
{
    for (std::size_t bin = 0; bin < m_reliability.size(); ++bin) {
        const auto &[all, right] = m_reliability[bin];
        if (all > 0)
            qInfo("probability from %zu %%: %.1f %% right, %.1f %% of the bytes", 10 * bin,
                  100 * right / all,
                  50 * all / static_cast<double>(m_shares[0].size() + m_shares[1].size()));
    }
    const std::array names{"open", "held back"};
    for (std::size_t at = 0; at < names.size(); ++at) {
        double sum = 0;
        for (const double share : m_shares[at])
            sum += share;
        const double mean =
            sum / static_cast<double>(std::max<std::size_t>(m_shares[at].size(), 1));
        qInfo("%s: %zu recordings, mean of %.1f %% of bytes right at the peak", names[at],
              m_shares[at].size(), 100 * mean);
        QVERIFY(mean >= 0.96 || m_shares[at].empty());
    }
}

VRAMSCOPE_TEST(TestLabelled)
#include "tst_labelled.moc"
