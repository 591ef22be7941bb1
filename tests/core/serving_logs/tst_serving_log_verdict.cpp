// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/serving_log_report.h"
#include "core/readers/file_kind.h"
#include "core/serving_logs/log_refusals.h"
#include "core/serving_logs/log_stages.h"
#include "core/serving_logs/log_verdict.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QList<QStringList> rowsOf(const char *name)
{
    QFile file(test::projectFile(u"tests/data/serving_logs/"_s + QLatin1StringView(name)));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<QStringList> rows;
    const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines.mid(1))
        rows << line.split(u'\t');
    return rows;
}

QString pathOf(const QString &log)
{
    return test::projectFile(u"tests/data/serving_logs/"_s + log);
}

/// The verdict as documents have it.
QJsonObject documentOf(const ServingLog &log)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(servingLogJson(log, "x.log")))
        .object();
}

ServingLog readText(const std::string &text)
{
    const Result<ServingLog> log = readServingLogText(text);
    return log.ok() ? *log : ServingLog();
}

} // namespace

/// What failed in a start, in which stage, and what to change.
class TestServingLogVerdict : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void figuresOfPublishedLogs_data()
    {
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        for (const QStringList &row : rowsOf("figures.tsv"))
            QTest::addRow("%s %s", qPrintable(row[0]), qPrintable(row[1]))
                << row[0] << row[1] << row[2].toDouble();
    }

    void figuresOfPublishedLogs()
    {
        QFETCH(QString, log);
        QFETCH(QString, key);
        QFETCH(double, value);
        const Result<ServingLog> read = readServingLog(pathOf(log).toStdString());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        const BestFigure *figure = read->find(key.toStdString());
        QVERIFY(figure);
        QCOMPARE(figure->value, value);
    }

    void verdictsOfPublishedLogs_data()
    {
        QTest::addColumn<QStringList>("row");
        for (const QStringList &row : rowsOf("verdicts.tsv"))
            QTest::addRow("%s", qPrintable(row[0])) << row;
    }

    void verdictsOfPublishedLogs()
    {
        QFETCH(QStringList, row);
        QCOMPARE(identifyFile(pathOf(row[0]).toStdString()), FileKind::ServingLog);
        const Result<ServingLog> read = readServingLog(pathOf(row[0]).toStdString());
        QVERIFY(read.ok());
        compareVerdict(*read, row.mid(1));
    }

    void rewrittenRefusals_data()
    {
        QTest::addColumn<QStringList>("row");
        int number = 1;
        for (const QStringList &row : rowsOf("rewritten.tsv"))
            QTest::addRow("%d %s %s", ++number, qPrintable(row[0]), qPrintable(row[2])) << row;
    }

    void rewrittenRefusals()
    {
        QFETCH(QStringList, row);
        QString text = row[4];
        text.replace(u"\\n"_s, u"\n"_s).replace(u"\\e"_s, u"\x1B"_s);
        compareVerdict(readText(text.toStdString()), row.first(4));
    }

    void anAttemptAfterARefusalIsNotItsFailure()
    {
        const std::string refused = "ValueError: No available memory for the cache blocks.\n";
        const std::string start = "Starting to load model m...\n"
                                  "Model loading took 5.00 GiB memory and 2.5 seconds\n"
                                  "Available KV cache memory: 3.00 GiB\n";
        const ServingLog ended = readText(start + refused);
        QVERIFY(verdictOf(ended)->isFinal);
        QVERIFY(servingLogAnswer(ended).starts_with("The engine refused to start"));
        const ServingLog log =
            readText(start + refused + start + "Application startup complete.\n");
        QVERIFY(!verdictOf(log)->isFinal);
        QVERIFY(!servingLogAnswer(log).starts_with("The engine refused"));
        QVERIFY(verdictText(*verdictOf(log)).starts_with("An earlier attempt stopped"));
        QCOMPARE(log.attempts, 2);
        QCOMPARE(log.stages.back().stage, LogStage::Serving);
        QCOMPARE(log.stages.front().seconds, std::optional(2.5));
    }

    void aServerThatServedHasNotRefusedToStart()
    {
        const ServingLog log = readText(
            "Application startup complete.\nModel loading took 5.00 GiB memory and 2.5 "
            "seconds\nINFO: Uvicorn running on http://0.0.0.0:8000\n"
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 "
            "has a total capacity of 24.00 GiB of which 1.00 GiB is free.\n");
        QCOMPARE(verdictOf(log)->stage, LogStage::Serving);
        const std::string text = verdictText(*verdictOf(log));
        QVERIFY2(text.starts_with("Memory ran out while the server served requests: "),
                 text.c_str());
        QCOMPARE(text.find("Missing: "), std::string::npos); // the cause has it
        QVERIFY(text.find("were missing") != std::string::npos);
    }

    void stagesAreInOrderAndEndAtTheFailure()
    {
        const ServingLog log = readText("Starting to load model m...\n"
                                        "Model loading took 5.00 GiB memory and 2.5 seconds\n"
                                        "torch.compile takes 6.0 s in total\n"
                                        "Available KV cache memory: -1.00 GiB\n"
                                        "EngineCore failed to start.\n");
        QStringList stages;
        for (const LogStageSpan &span : log.stages)
            stages << QString::fromUtf8(logStageId(span.stage)) + (span.failed ? u"!"_s : u""_s);
        QCOMPARE(stages, QStringList({u"load_weights"_s, u"profile"_s, u"cache!"_s}));
        const QJsonArray rows = documentOf(log)["stages"_L1].toArray();
        QCOMPARE(rows[0]["bytes"_L1].toInteger(), qint64(5) << 30);
        QCOMPARE(rows[1]["seconds"_L1].toDouble(), 6.0);
        QCOMPARE(rows[2]["state"_L1].toString(), u"failed"_s);
        QCOMPARE(verdictOf(log)->kind, LogRefusalKind::NoCacheLeft);
        QVERIFY(servingLogText(log, "x.log").find("Load weights") != std::string::npos);
    }

    void aSummaryBehindTheStartHasNoStagesOfItsOwn()
    {
        const ServingLog log = readText(
            "Model loading took 5.00 GiB memory and 2.5 seconds\n"
            "GPU KV cache size: 174,643 tokens\n"
            "Graph capturing finished in 9 secs, took 0.75 GiB\n"
            "Free memory on device (79.99/80.0 GiB) on startup. Desired GPU memory utilization is "
            "(0.92, 73.6 GiB). Actual usage is 55.62 GiB for consumed memory (weights + "
            "non-torch), 2.53 GiB for peak activation, and 1.42 GiB for CUDAGraph memory.\n");
        QStringList stages;
        for (const LogStageSpan &span : log.stages)
            stages << QString::fromUtf8(logStageId(span.stage));
        QCOMPARE(stages, QStringList({u"begin"_s, u"load_weights"_s, u"profile"_s, u"cache"_s,
                                      u"graphs"_s}));
    }

    void aRankBehindTheRefusedOneBeginsNoAttempt()
    {
        const auto line = [](const char *rank, const std::string &text) {
            return std::string("(Worker_") + rank + " pid=" + (rank[2] == '0' ? "7" : "8") +
                   ") INFO 01-01 00:00:00 [w.py:1] " + text + "\n";
        };
        const std::string loading = "Starting to load model m...";
        const std::string loaded = "Model loading took 5.00 GiB memory and 2.5 seconds";
        const std::string compiled = "torch.compile takes 6.0 s in total";
        const std::string text = line("TP0", loading) + line("TP1", loading) + line("TP0", loaded) +
                                 line("TP0", compiled) +
                                 line("TP0", "Available KV cache memory: -1.00 GiB") +
                                 "ValueError: No available memory for the cache blocks.\n" +
                                 line("TP1", loaded) + line("TP1", compiled);
        const ServingLog log = readText(text);
        QCOMPARE(log.attempts, 1);
        QVERIFY(verdictOf(log)->isFinal);
        QCOMPARE(log.stages.back().stage, LogStage::Cache);
        // The rank that was refused loads again: that is the next attempt.
        QCOMPARE(readText(text + line("TP0", loading) + line("TP0", loaded)).attempts, 2);
    }

    void serversOfContainersAreToldApart()
    {
        const auto of = [](const std::string &container, const std::string &text) {
            return "\x1b[36m" + container + "  |\x1b[0m INFO [w.py:1] " + text + "\n";
        };
        const std::string text =
            "INFO | a bar behind a level\n" +
            of("embed-1", "Model loading took 2.00 GiB memory and 1.5 seconds") +
            of("chat-1", "Model loading took 5.00 GiB memory and 2.5 seconds") +
            of("embed-1", "Available KV cache memory: 9.00 GiB") +
            of("embed-1", "GPU KV cache size: 1,000 tokens") + of("proxy-1", "GET /metrics") +
            of("chat-1", "Available KV cache memory: -3.00 GiB") +
            of("embed-1", "Application startup complete.");
        const ServingLog embed = readText(text);
        QCOMPARE(embed.find("model_weights")->value, 2.0);
        QVERIFY(!verdictOf(embed));
        QVERIFY(embed.problems.back().find("2 servers (chat-1, embed-1); the figures are those of "
                                           "embed-1") != std::string::npos);
        QCOMPARE(embed.lines, 8);
        // The one that failed is what is asked about.
        const ServingLog chat =
            readText(text + of("chat-1", "ValueError: No available memory for the cache blocks."));
        QCOMPARE(chat.find("model_weights")->value, 5.0);
        QVERIFY(verdictOf(chat)->isFinal);
        QCOMPARE(chat.refusals.front().line, 9);
    }

    void noEngineIsAdvisedWhatItLacks()
    {
        // An option of vLLM in the verdict of another engine would be wrong advice.
        for (const LogRefusalRule &rule : logRefusalRules())
            for (const LogEngine engine :
                 {LogEngine::LlamaCpp, LogEngine::Ollama, LogEngine::Tgi, LogEngine::LmDeploy,
                  LogEngine::Mlc, LogEngine::ExLlama, LogEngine::Mlx, LogEngine::Unknown}) {
                ServingLog log;
                log.engine = engine;
                log.refusals.push_back({.kind = rule.kind, .stage = rule.stage, .rule = &rule});
                const auto verdict = verdictOf(log);
                for (const LogCure &cure : verdict->remedy.cures)
                    for (const char *option :
                         {"--gpu-memory-utilization", "--max-model-len", "--mem-fraction-static",
                          "--max-num-seqs", "--max-num-batched-tokens"})
                        QVERIFY2(cure.change.find(option) == std::string::npos,
                                 cure.change.c_str());
            }
    }

private:
    static void compareVerdict(const ServingLog &log, const QStringList &row)
    {
        QCOMPARE(QString::fromUtf8(logEngineId(log.engine)), row[0]);
        const QJsonObject verdict = documentOf(log)["verdict"_L1].toObject();
        QCOMPARE(verdict["kind"_L1].toString(), row[1]);
        QCOMPARE(verdict["stage"_L1].toString(), row[2]);
        QCOMPARE(verdict["cure"_L1]["change"_L1].toString(), row[3]);
    }
};

VRAMSCOPE_TEST(TestServingLogVerdict)
#include "tst_serving_log_verdict.moc"
