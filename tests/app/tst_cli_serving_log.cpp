// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

/// vramscope-cli serving-log.
class TestCliServingLog : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        QVERIFY(m_folder.isValid());
        write("start.log",
              "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n"
              "INFO [w.py:2] Available KV cache memory: 17.00 GiB\n"
              "INFO [w.py:4] Maximum concurrency for 8,192 tokens per request: 17.00x\n"
              "INFO [w.py:6] Free memory on device (39.00/40.00 GiB) on startup. Desired GPU "
              "memory utilization is (0.9, 36.00 GiB). Actual usage is 14.99 GiB for weight, 3.25 "
              "GiB for peak activation, 0.76 GiB for non-torch memory, and 0.75 GiB for CUDAGraph "
              "memory.\n");
        write("plan.json", R"({"vramscope": 1, "workload": "inference",
                               "model": {"preset": "llama-3.1-8b"},
                               "inference": {"engine": "vllm"}})");
        write("other.txt", "hello\n");
    }

    void aLogIsPrintedInBothForms()
    {
        const Outcome text = run({u"serving-log"_s, path("start.log")});
        QCOMPARE(text.status, 0);
        QVERIFY(text.out.contains(u"The cache has 17.0 GiB"_s));
        QVERIFY(text.out.contains(u"holds"_s));
        const Outcome outcome = run({u"serving-log"_s, u"--json"_s, path("start.log")});
        QCOMPARE(outcome.status, 0);
        const QJsonObject object = json(outcome.out);
        QCOMPARE(object["engine"_L1].toString(), u"vllm"_s);
        QCOMPARE(object["best"_L1]["kv_cache_memory"_L1]["value"_L1].toDouble(), 17.0);
        QVERIFY(!object.contains("against"_L1)); // it names no model
    }

    void aStartIsFollowedUntilItIsReady()
    {
        const QByteArray first = "INFO [w.py:1] Starting to load model m...\n"
                                 "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 sec";
        const QByteArray rest = "onds\nINFO [w.py:2] Available KV cache memory: 17.00 GiB\n"
                                "INFO:     Application startup complete.\n";
        write("grows.log", first);
        QProcess process;
        process.start(QStringLiteral(VRAMSCOPE_CLI),
                      {u"serving-log"_s, u"--json"_s, u"--follow"_s, path("grows.log")});
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(600)); // the server is not ready yet
        QFile file(path("grows.log"));
        QVERIFY(file.open(QIODevice::Append));
        file.write(rest);
        file.close();
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(QString::fromUtf8(process.readAllStandardError()),
                 u"Load weights: done, 15.0 GiB, 4.0 s\nCache: done, 17.0 GiB\n"_s);
        QJsonObject followed = json(QString::fromUtf8(process.readAllStandardOutput()));
        const Outcome whole = run({u"serving-log"_s, u"--json"_s, path("grows.log")});
        QCOMPARE(followed, json(whole.out));
    }

    void aReplacedLogIsFollowedAnew()
    {
        write("again.log", "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n"
                           "INFO [w.py:2] Available KV cache memory: 17.00 GiB\n");
        QProcess process;
        process.start(QStringLiteral(VRAMSCOPE_CLI),
                      {u"serving-log"_s, u"--json"_s, u"--follow"_s, path("again.log")});
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(600));
        write("again.log", "INFO [w.py:2] Available KV cache memory: 3.00 GiB\n"
                           "INFO:     Application startup complete.\n");
        QVERIFY(process.waitForFinished(20'000));
        const QJsonObject log = json(QString::fromUtf8(process.readAllStandardOutput()));
        QCOMPARE(log["best"_L1]["kv_cache_memory"_L1]["value"_L1].toDouble(), 3.0);
        QVERIFY(!log["best"_L1].toObject().contains("model_weights"_L1));
    }

    void standardInputTellsWhetherTheStartFailed()
    {
        const auto statusOf = [](const QByteArray &log, const QStringList &options) {
            QProcess process;
            process.start(QStringLiteral(VRAMSCOPE_CLI), QStringList{u"serving-log"_s} + options);
            process.write(log);
            process.closeWriteChannel();
            return process.waitForFinished(20'000) ? process.exitCode() : -1;
        };
        const QByteArray loaded =
            "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n";
        const QByteArray refused = loaded + "ValueError: No available memory for the cache blocks.";
        QCOMPARE(statusOf(loaded, {u"-"_s}), 0);
        QCOMPARE(statusOf(refused, {u"-"_s}), 3);
        QCOMPARE(statusOf(refused, {u"--follow"_s, u"-"_s}), 3);
        QCOMPARE(statusOf(QByteArray(200'000, 'x') + '\n' + refused, {u"-"_s}), 3);
        QCOMPARE(statusOf("hello\n", {u"-"_s}), 1);
        write("refused.log", refused);
        QCOMPARE(run({u"serving-log"_s, path("refused.log")}).status, 0); // it was read
        QCOMPARE(run({u"serving-log"_s, u"--follow"_s, path("a.log"), path("b.log")}).status, 2);
    }

    void aPlanStandsBesideItAndTakesItsConstantsOver()
    {
        const QString out = path("measured.vramplan");
        const Outcome outcome = run({u"serving-log"_s, u"--json"_s, u"--plan"_s, path("plan.json"),
                                     u"--take-over"_s, out, path("start.log")});
        QCOMPARE(outcome.status, 0);
        const QJsonObject against = json(outcome.out)["against"_L1].toObject();
        QVERIFY(against["rows"_L1].toArray().size() > 4);
        QCOMPARE(against["taken"_L1].toArray().size(), 3);
        const Outcome plan = run({u"plan"_s, u"--json"_s, out});
        QCOMPARE(plan.status, 0);
        const double cache = json(plan.out)["inference"_L1]["kv_cache"_L1].toDouble();
        QVERIFY(std::abs(cache / (17.0 * (1 << 30)) - 1) < 0.01);
    }

    void namesAreLeftOut()
    {
        write("alice.log", "INFO [c.py:1] Starting to load model /home/alice/weights...\n"
                           "Available KV cache memory: 6.00 GiB\n"
                           "ValueError: No available memory for the cache blocks, see "
                           "/home/alice/run.sh\n");
        const QStringList plan = {u"--plan"_s, path("plan.json")};
        for (const QString &form : {QString(), u"--json"_s}) {
            QStringList arguments = QStringList{u"serving-log"_s, path("alice.log")} + plan;
            if (!form.isEmpty())
                arguments.insert(1, form);
            const Outcome whole = run(arguments);
            QVERIFY(whole.out.contains(u"/home/alice/weights"_s));
            arguments.insert(1, u"--redact"_s);
            const Outcome outcome = run(arguments);
            QCOMPARE(outcome.status, 0);
            QVERIFY2(!outcome.out.contains(u"alice"_s), qPrintable(outcome.out));
            QVERIFY(outcome.out.contains(u"kv_cache_memory"_s));
        }
        write("bob@example.org.txt", "hello\n");
        const Outcome refused = run({u"serving-log"_s, u"--redact"_s, path("bob@example.org.txt")});
        QCOMPARE(refused.status, 1);
        QVERIFY2(!refused.err.contains(u"bob"_s), qPrintable(refused.err));
    }

    void whatCannotBeUsedIsSaidSo()
    {
        const Outcome none = run({u"serving-log"_s, path("other.txt")});
        QCOMPARE(none.status, 1);
        QVERIFY(none.err.contains(u"No line states the memory"_s));
        const Outcome model =
            run({u"serving-log"_s, u"--take-over"_s, path("x"), path("start.log")});
        QCOMPARE(model.status, 1);
        QVERIFY(model.err.contains(u"--plan"_s));
        QVERIFY(!QFile::exists(path("x")));
        const Outcome two = run(
            {u"serving-log"_s, u"--take-over"_s, path("x"), path("start.log"), path("start.log")});
        QCOMPARE(two.status, 2);
        const Outcome over = run({u"serving-log"_s, u"--plan"_s, path("plan.json"),
                                  u"--take-over"_s, path("plan.json"), path("start.log")});
        QCOMPARE(over.status, 1); // not over what it reads
    }

private:
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }
    void write(const char *name, const QByteArray &text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir m_folder;
};

VRAMSCOPE_TEST(TestCliServingLog)
#include "tst_cli_serving_log.moc"
