// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/labelled_scores.h"
#include "tests/support/test.h"

#include <QDir>

#include <algorithm>
#include <set>

using namespace vramscope;

namespace {

/// What the analysis does not find in a program, and why: less than 90 % of the bytes at the peak
/// or the end, more than 0.5 % wrong of what it is sure of, steps, a leak. Whoever mends it removes
/// the word.
struct Limit
{
    std::string_view program;
    std::string_view missed;
    const char *why;
};
constexpr const char *kHeldBack = "held back: nobody looked for the reason";
constexpr Limit kLimits[] = {
    {"lbfgs", "sure", "what a step of L-BFGS keeps until its end looks like a state"},
    {"leak_metric_graph", "end peak", "a part of the graph that is kept is unknown"},
    {"leak_outputs", "sure", "an input that is saved beyond its step looks like a state"},
    {"masked_autoencoder_warm", "end", "segments that fill gaps between older ones look as old"},
    {"moe_validation", "steps", "a step ends before the evaluation that follows it"},
    {"oom_fragmented", "sure", kHeldBack},
    {"transcription", "steps", kHeldBack},
    {"unet_segmentation", "sure", kHeldBack},
    {"zero_flat", "sure", "what its step gathers and reduces looks like a temporary of it"},
};

std::string limitsOf(std::string_view program)
{
    const auto *const found = std::ranges::find(kLimits, program, &Limit::program);
    return found != std::end(kLimits) ? std::string(found->missed) : std::string();
}

std::string joined(const std::set<std::string_view> &words)
{
    std::string text;
    for (const std::string_view word : words)
        text += (text.empty() ? "" : " ") + std::string(word);
    return text;
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
    std::array<test::CategoryScore::Part, 10> m_reliability{};
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
    const std::string path =
        test::projectFile("tests/data/labelled/").toStdString() + name.toStdString();
    const std::optional<test::Labels> labels = test::readLabels(path + ".labels.json");
    QVERIFY(labels);
    const auto trace = readTrace(path + ".pickle.gz");
    QVERIFY(trace.ok());
    const Study study(*trace, (*trace)->devices().front());
    std::set<std::string_view> missed;
    for (const test::LabelledMoment *moment : {&labels->peak, &labels->end}) {
        const bool isPeak = moment == &labels->peak;
        const test::CategoryScore score =
            test::scoreOf(*moment, study.allocations(), study.categories());
        for (std::size_t bin = 0; bin < m_reliability.size(); ++bin) {
            m_reliability[bin].all += score.byConfidence[bin].all;
            m_reliability[bin].right += score.byConfidence[bin].right;
        }
        if (isPeak)
            m_shares[test::isHeldBack(name.toStdString()) ? 1 : 0].push_back(score.right);
        if (score.right < 0.9)
            missed.insert(isPeak ? "peak" : "end");
        if (score.surelyWrong > 0.005)
            missed.insert("sure");
    }
    const bool hasSteps =
        test::hasSteps(*labels) && !(labels->isServer && study.steps().steps.empty());
    if (hasSteps && !test::areRight(study.steps(), *labels))
        missed.insert("steps");
    if (!test::areRight(study.leaks(), *labels))
        missed.insert("leak");
    if (!labels->causes.empty()) {
        QVERIFY(!study.failures().empty());
        const OutOfMemoryCause cause = study.failures().back().cause;
        if (!std::ranges::count(labels->causes, std::string(outOfMemoryCauseName(cause))))
            missed.insert("cause");
    }
    QCOMPARE(QString::fromStdString(joined(missed)),
             QString::fromStdString(limitsOf(name.toStdString())));
    QVERIFY(!test::areFalse(study.steps(), *labels));
    for (const Growth &leak : study.leaks().leaks)
        QVERIFY(test::isTrue(leak, **trace, *labels));
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
