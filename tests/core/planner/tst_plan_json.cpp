// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "tests/core/planner/field_samples.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <filesystem>

using namespace vramscope;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

std::string reasonOf(const Result<Plan> &plan)
{
    return plan ? std::string() : plan.error().text();
}

} // namespace

class TestPlanJson : public test::Test
{
    Q_OBJECT

private slots:
    void everyFieldSurvivesWritingAndReading();
    void anActivationIsTheOneThatItsWordNames();
    void aFullPlanIsWrittenInTheOrderOfTheTable();
    void theSmallestPlanIsValid();
    void whatIsWrittenIsPlainToRead();
    void anUnusableDocumentSaysWhy_data();
    void anUnusableDocumentSaysWhy();
    void everyPrefixOfAPlanIsAnError();
    void everyChangedByteGivesAnErrorOrAPlanThatRoundTrips();
    void anUnusableFileSaysWhatItIs_data();
    void anUnusableFileSaysWhatItIs();
    void oddPathsAreRefused();
    void writingReplacesTheFileAndLeavesNothingElse();
    void writingThroughALinkKeepsTheLink();
    void aFailedWriteLeavesTheOldFile();
    void shippedExamplesAndMeasuredSetupsRoundTrip();
    void shippedExamplesHaveNamesAndFigures();
};

void TestPlanJson::everyFieldSurvivesWritingAndReading()
{
    for (const Field &field : planFields()) {
        Plan plan;
        QVERIFY(setField(plan, field, test::sampleValue(field)).ok());
        const std::string json = planJson(plan);
        const auto read = parsePlan(json);
        QVERIFY2(read.ok(), reasonOf(read).c_str());
        QVERIFY2(*read == plan, json.c_str());
        QCOMPARE(planJson(*read), json);
    }
}

void TestPlanJson::aFullPlanIsWrittenInTheOrderOfTheTable()
{
    Plan plan;
    for (const Field &field : planFields())
        QVERIFY(setField(plan, field, test::sampleValue(field)).ok());
    const std::string json = planJson(plan);
    const auto read = parsePlan(json);
    QVERIFY2(read.ok(), reasonOf(read).c_str());
    QVERIFY(*read == plan);
    std::size_t at = json.find("\"vramscope\": 1");
    QVERIFY(at != std::string::npos);
    for (const char *key : {"name", "workload", "model", "hardware", "parallel", "precision",
                            "optimizer", "batch", "activations", "loss", "loss_chunks",
                            "loss_keep_logits", "adapters", "overheads", "inference"}) {
        const std::size_t next = json.find("\n  \"" + std::string(key) + "\":", at);
        QVERIFY2(next != std::string::npos, key);
        at = next;
    }
}

void TestPlanJson::theSmallestPlanIsValid()
{
    const auto plan = parsePlan(R"({"vramscope": 1, "model": {}})");
    QVERIFY(plan.ok());
    QVERIFY(*plan == Plan());
    QCOMPARE(planJson(Plan()), std::string("{\n  \"vramscope\": 1,\n  \"model\": {}\n}\n"));
}

void TestPlanJson::whatIsWrittenIsPlainToRead()
{
    const auto plan =
        parsePlan(R"({"vramscope":1,"model":{"config":{"z":0,"rms_norm_eps":1e-5,"a":[]}},)"
                  R"("optimizer":{"state_bytes":2},"activations":{"dropout":0.1}})");
    QVERIFY(plan.ok());
    const std::string json = planJson(*plan);
    for (const char *part : {"\"state_bytes\": 2\n", "\"dropout\": 0.1\n", "\"z\": 0,"})
        QVERIFY2(json.find(part) != std::string::npos, json.c_str());
}

void TestPlanJson::anUnusableDocumentSaysWhy_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const QByteArray &document, const char *reason) {
        QTest::newRow(name) << document << QString::fromUtf8(reason);
    };
    const auto plan = [](const char *rest) {
        return QByteArray(R"({"vramscope": 1, "model": {"preset": "gpt2"}, )") + rest + '}';
    };
    row("not JSON", "hello", "This is not JSON from line 1 on; correct it there. (at byte 0)");
    row("cut", R"({"vramscope": 1, )",
        "The JSON ends before it is complete: complete it or copy it again. (at byte 17)");
    row("a number too large", "{\"vramscope\": 1,\n\"name\": 1e999}",
        "A number in line 2 is too large.");
    row("a comma too many", "{\"vramscope\": 1,\n\n}",
        "This is not JSON from line 3 on; correct it there. (at byte 18)");
    row("a path for a name", plan(R"("batch.micro_batch": 2)"),
        "batch.micro_batch is not a field of a plan.");
    row("a path in a group", plan(R"("batch": {"x.y": 2})"), "batch.x.y is not a field of a plan.");
    row("two values", R"({"vramscope": 1} {})",
        "This is not JSON from line 1 on; correct it there. (at byte 17)");
    row("a list", "[1]",
        "This JSON is not a plan: a plan is an object that begins with \"vramscope\": 1.");
    row("no version", R"({"a": 1})",
        "This JSON is not a plan: a plan begins with \"vramscope\": 1.");
    row("a config.json", R"({"hidden_size": 64})",
        "This is a model's config.json, not a plan: put it into a plan as model.config.");
    row("newer", R"({"vramscope": 2})",
        "This plan is of version 2, which a newer VRAMscope wrote; this one reads version 1.");
    row("odd version", R"({"vramscope": "1"})",
        "vramscope is \"1\"; it must be 1, the version of the plan.");
    row("a session", R"({"vramscope": "session", "version": 1})",
        "This holds the bookmarks of a recording, not a plan; open the recording beside it.");
    row("no model", R"({"vramscope": 1})",
        "model is missing: a plan names a preset or holds a config.");
    row("unknown field", plan(R"("batch": {"microbatch": 2})"),
        "batch.microbatch is not a field of a plan (did you mean 'micro_batch'?).");
    row("unknown group", plan(R"("paralel": {})"),
        "paralel is not a field of a plan (did you mean 'parallel'?).");
    row("unknown in bucket", plan(R"("parallel": {"bucket": {"reduce_bucket": 2}})"),
        "parallel.bucket.reduce_bucket is not a field of a plan (did you mean "
        "'reduce_bucket_size'?).");
    row("far from all", plan(R"("xyzzy": 1)"), "xyzzy is not a field of a plan.");
    row("group as number", plan(R"("batch": 3)"), "batch is 3; it must be an object.");
    row("text for number", plan(R"("batch": {"micro_batch": "two"})"),
        "batch.micro_batch is \"two\"; it must be a whole number from 1 to 1,000,000.");
    row("fraction", plan(R"("batch": {"micro_batch": 1.5})"),
        "batch.micro_batch is 1.5; it must be a whole number from 1 to 1,000,000.");
    row("below range", plan(R"("batch": {"micro_batch": 0})"),
        "batch.micro_batch is 0; it must be a whole number from 1 to 1,000,000.");
    row("null", plan(R"("batch": {"micro_batch": null})"),
        "batch.micro_batch is null; it must be a whole number from 1 to 1,000,000.");
    row("list for number", plan(R"("batch": {"micro_batch": [1]})"),
        "batch.micro_batch is a list; it must be a whole number from 1 to 1,000,000.");
    row("huge", plan(R"("hardware": {"capacity_bytes": 18446744073709551615})"),
        "hardware.capacity_bytes is 1.84467e+19; it must be a whole number of bytes from 1 to "
        "1,000,000,000,000,000.");
    row("number for switch", plan(R"("batch": {"no_sync": 1})"),
        "batch.no_sync is 1; it must be true or false.");
    row("wrong choice", plan(R"("parallel": {"strategy": "fsdp"})"),
        "parallel.strategy is \"fsdp\"; it must be one of none, ddp, zero1, zero2, zero3, fsdp1, "
        "fsdp2, megatron, megatron-distributed-optimizer (did you mean 'fsdp1'?).");
    row("loss as object", plan(R"("loss": {"kind": "none"})"),
        "loss is an object; it must be one of cross-entropy, cross-entropy-upcast, "
        "cross-entropy-fp32, hf-upcast, hf-padded, fused-upcast, fused-upcast-copy, "
        "vocab-parallel, vocab-parallel-fused, loss-parallel, chunked, chunked-fp32, "
        "chunked-backward, linear-fused, linear-chunked, compiled, selective-log-softmax, "
        "in-place, none.");
    row("mixed list", plan(R"("adapters": {"targets": ["q", 1]})"),
        "adapters.targets is a list; it must be a list out of q, k, v, o, gate, up, down, head, "
        "all-linear, in_proj, x_proj, out_proj, experts.");
    row("config as text", R"({"vramscope": 1, "model": {"config": "{}"}})",
        "model.config is \"{}\"; it must be an object, the content of a config.json.");
    row("duplicate key", R"({"vramscope": 1, "model": {}, "model": {}})",
        "The key \"model\" stands twice in one object; remove one.");
    row("duplicate in config", R"({"vramscope": 1, "model": {"config": {"a": 1, "a": 2}}})",
        "The key \"a\" stands twice in one object; remove one.");
    row("too deep", "{\"vramscope\": 1, \"model\": {\"config\": {\"a\": " + QByteArray(99, '['),
        "The JSON is nested deeper than 64 levels.");
    row("too long", '"' + QByteArray(2 << 20, 'x') + '"',
        "The document is longer than 1 MiB, which none of VRAMscope's is.");
    row("not UTF-8", "{\"vramscope\": 1, \"name\": \"\xff\"}",
        "This is not JSON from line 1 on; correct it there. (at byte 26)");
}

void TestPlanJson::anUnusableDocumentSaysWhy()
{
    QFETCH(QByteArray, document);
    const auto plan = parsePlan(document.toStdString());
    QVERIFY(!plan.ok());
    QTEST(QString::fromStdString(reasonOf(plan)), "reason");
}

void TestPlanJson::everyPrefixOfAPlanIsAnError()
{
    Plan plan;
    for (const Field &field : planFields())
        QVERIFY(setField(plan, field, test::sampleValue(field)).ok());
    std::string json = planJson(plan);
    json.pop_back(); // the last line break may be cut
    for (std::size_t length = 0; length < json.size(); ++length)
        QVERIFY(!parsePlan(std::string_view(json).substr(0, length)).ok());
}

void TestPlanJson::everyChangedByteGivesAnErrorOrAPlanThatRoundTrips()
{
    const QString example =
        test::projectFile(QStringLiteral("resources/examples/gpt-oss-8-experts-8xh100.vramplan"));
    const std::string json = contentOf(example).toStdString();
    int plans = 0;
    for (std::size_t at = 0; at < json.size(); ++at) {
        for (const char byte : {'\0', '"', '9', '-', '}', 'z', '\xff'}) {
            std::string changed = json;
            changed[at] = byte;
            const auto plan = parsePlan(changed);
            plans += plan.ok();
            if (!plan.ok()) {
                QVERIFY(!plan.error().detail.empty());
                continue;
            }
            const auto again = parsePlan(planJson(*plan));
            QVERIFY(again.ok() && *again == *plan);
        }
    }
    QVERIFY(plans > 0);
}

void TestPlanJson::anUnusableFileSaysWhatItIs_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    QTest::newRow("empty") << QByteArray()
                           << QStringLiteral("The file is empty: it was not written or copied to "
                                             "the end; save or copy it again.");
    QTest::newRow("Git LFS pointer")
        << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
        << QStringLiteral(
               "This is a Git LFS pointer, not the file itself; fetch it with \"git lfs pull\".");
    QTest::newRow("UTF-16") << QByteArray("\xff\xfe{\0}\0", 6)
                            << QStringLiteral("This is text in UTF-16; save it again in UTF-8.");
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95", 3)
                            << QStringLiteral("This is a Python pickle; choose a plan, or open a "
                                              "memory snapshot as a trace.");
    QTest::newRow("zip")
        << QByteArray("PK\x03\x04")
        << QStringLiteral(
               "This is a zip archive, as torch.save() writes checkpoints; choose a plan, or open "
               "a memory snapshot as a trace.");
    QTest::newRow("binary")
        << QByteArray("\0\1\2", 3)
        << QStringLiteral("This is not JSON from line 1 on; correct it there. (at byte 0)");
    QTest::newRow("long")
        << QByteArray((1 << 20) + 10, ' ')
        << QStringLiteral("The document is longer than 1 MiB, which none of VRAMscope's is.");
}

void TestPlanJson::anUnusableFileSaysWhatItIs()
{
    QFETCH(QByteArray, content);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.vramplan"));
    put(path, content);
    QTEST(QString::fromStdString(reasonOf(readPlan(path.toStdString()))), "reason");
}

void TestPlanJson::oddPathsAreRefused()
{
    QTemporaryDir folder;
    const std::string here = folder.path().toStdString();
    QCOMPARE(readPlan(here).error().code, ErrorCode::NotAFile);
    QCOMPARE(readPlan(here + "/none").error().code, ErrorCode::NotFound);
    QCOMPARE(readPlan(test::kPosix ? "/dev/null" : "NUL").error().code, ErrorCode::NotAFile);
    const std::string pipe = here + "/pipe";
    if (test::kPosix) {
        QVERIFY(test::makePipe(pipe));
        QCOMPARE(readPlan(pipe).error().code, ErrorCode::NotAFile); // does not wait for a writer
    }
    if (!test::readsEverything()) {
        put(folder.filePath(QStringLiteral("secret")), "{}");
        std::filesystem::permissions(here + "/secret", std::filesystem::perms::none);
        QCOMPARE(readPlan(here + "/secret").error().code, ErrorCode::Unreadable);
    }
}

void TestPlanJson::writingReplacesTheFileAndLeavesNothingElse()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("my plan.vramplan"));
    Plan plan;
    plan.model.preset = "gpt2";
    QVERIFY(writePlan(plan, path.toStdString()).ok());
    constexpr auto kMine = std::filesystem::perms(0640);
    std::filesystem::permissions(path.toStdString(), kMine);
    plan.name = "Überplan";
    QVERIFY(writePlan(plan, path.toStdString()).ok());
    const auto read = readPlan(path.toStdString());
    QVERIFY(read.ok() && *read == plan);
    const QDir::Filters all = QDir::Files | QDir::Hidden;
    QCOMPARE(QDir(folder.path()).entryList(all), QStringList(QStringLiteral("my plan.vramplan")));
    if (test::kPosix)
        QCOMPARE(std::filesystem::status(path.toStdString()).permissions(), kMine);
}

void TestPlanJson::writingThroughALinkKeepsTheLink()
{
    if (!test::kPosix)
        QSKIP("No links: the C++ library makes none on Windows.");
    QTemporaryDir folder;
    const std::string target = folder.filePath(QStringLiteral("target")).toStdString();
    const std::string link = folder.filePath(QStringLiteral("link")).toStdString();
    Plan plan;
    plan.model.preset = "gpt2";
    QVERIFY(writePlan(plan, target).ok());
    std::filesystem::create_symlink("target", link);
    plan.name = "through";
    QVERIFY(writePlan(plan, link).ok());
    QVERIFY(std::filesystem::is_symlink(link));
    QVERIFY(*readPlan(target) == plan);
}

void TestPlanJson::aFailedWriteLeavesTheOldFile()
{
    QTemporaryDir folder;
    const std::string here = folder.path().toStdString();
    QCOMPARE(writePlan(Plan(), here).error().code, ErrorCode::WriteFailed); // a folder of that name
    QCOMPARE(writePlan(Plan(), here + "/none/a").error().code, ErrorCode::WriteFailed);
    QVERIFY(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestPlanJson::shippedExamplesAndMeasuredSetupsRoundTrip()
{
    QStringList files;
    const auto collect = [&files](const QString &folder, const QString &filter) {
        for (const QFileInfo &file : QDir(folder).entryInfoList({filter}, QDir::Files))
            files << file.filePath();
    };
    collect(test::projectFile(QStringLiteral("resources/examples")), QStringLiteral("*.vramplan"));
    QVERIFY(files.size() >= 6);
    for (const char *folder : {"published", "recorded"})
        collect(test::projectFile(
                    QStringLiteral("resources/measured/%1/setups").arg(QLatin1StringView(folder))),
                QStringLiteral("*.json"));
    QVERIFY(files.size() > 200);
    for (const QString &file : files) {
        const auto plan = readPlan(file.toStdString());
        QVERIFY2(plan.ok(), (file.toStdString() + ": " + reasonOf(plan)).c_str());
        const QByteArray written = QByteArray::fromStdString(planJson(*plan));
        const QJsonDocument before = QJsonDocument::fromJson(contentOf(file));
        QVERIFY(before.isObject());
        QVERIFY2(before == QJsonDocument::fromJson(written), qPrintable(file));
    }
}

void TestPlanJson::shippedExamplesHaveNamesAndFigures()
{
    const QDir folder(test::projectFile(QStringLiteral("resources/examples")));
    QHash<QString, std::int64_t> totals;
    for (const QFileInfo &file : folder.entryInfoList({QStringLiteral("*.vramplan")})) {
        const auto plan = readPlan(file.filePath().toStdString());
        QVERIFY(plan.ok() && plan->name);
        const Estimate figures = estimate(*plan);
        QVERIFY2(figures.computed && figures.fits, qPrintable(file.fileName()));
        totals.insert(file.completeBaseName(), figures.parametersTotal);
    }
    QCOMPARE(totals.value(QStringLiteral("gpt-oss-8-experts-8xh100")), std::int64_t(6575397888));
    QCOMPARE(totals.value(QStringLiteral("gpt2-large-2xh100")), std::int64_t(774030080));
    QCOMPARE(totals.value(QStringLiteral("dense-4b-8xa100")), std::int64_t(4150000000));
}

void TestPlanJson::anActivationIsTheOneThatItsWordNames()
{
    for (const auto &[word, activation] : {std::pair("relu-squared", Activation::ReluSquared),
                                           std::pair("gelu-new", Activation::GeluNew),
                                           std::pair("quick-gelu", Activation::QuickGelu),
                                           std::pair("clamped-gate", Activation::ClampedGate)}) {
        const auto plan =
            parsePlan(R"({"vramscope": 1, "model": {"activation": ")" + std::string(word) + "\"}}");
        QVERIFY(plan.ok());
        QVERIFY(plan->model.activation == activation);
    }
}

VRAMSCOPE_TEST(TestPlanJson)
#include "tst_plan_json.moc"
