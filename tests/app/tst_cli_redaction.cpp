// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/nsight_export.h"
#include "tests/support/package_parts.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/stored_checkpoint.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run, test::Py;

namespace {

/// A text that names somebody, and what of it must not be shown.
struct Form
{
    bool isPath = false;
    QString text;
    QStringList gone;
};

/// Those of tests/data/redaction_forms.tsv; of those that stay as they are `gone` is empty.
std::vector<Form> forms()
{
    std::vector<Form> found;
    QFile file(test::projectFile("tests/data/redaction_forms.tsv"_L1));
    if (!file.open(QIODevice::ReadOnly))
        return found;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        const QStringList cells = line.split(u'\t');
        if (cells.size() == 4 && (cells[0] == u"path" || cells[0] == u"prose"))
            found.push_back(
                {cells[0] == u"path", cells[1], cells[2].split(u',', Qt::SkipEmptyParts)});
    }
    return found;
}

/// What of the forms stands in a text, with what is around it; empty where none does. "cabc123xyz"
/// holds "abc123" by chance.
QString leaks(QString shown)
{
    shown.remove(u"cabc123xyz"_s);
    QStringList found;
    for (const Form &form : forms()) {
        for (const QString &gone : form.gone) {
            const qsizetype at = shown.indexOf(gone, 0, Qt::CaseInsensitive);
            if (at >= 0)
                found << gone + u" of \""_s + form.text + u"\" in \""_s +
                             shown.mid(qMax<qsizetype>(0, at - 60), 120) + u"\""_s;
        }
    }
    return found.join(u'\n').left(3000);
}

/// A recording of torch.profiler in which every form is a range, an operator, a kernel, a thread
/// and a stack, and three names that only a path shows to be somebody's.
QByteArray profile()
{
    QJsonArray events;
    qint64 at = 100;
    const auto add = [&](const QString &category, const QString &name, qint64 from, qint64 takes,
                         const QJsonObject &args) {
        const bool device = category == u"kernel";
        events.append(QJsonObject{{u"ph"_s, u"X"_s},
                                  {u"cat"_s, category},
                                  {u"name"_s, name},
                                  {u"pid"_s, device ? 0 : 77},
                                  {u"tid"_s, device ? 7 : 1},
                                  {u"ts"_s, from},
                                  {u"dur"_s, takes},
                                  {u"args"_s, args}});
    };
    int correlation = 0;
    const auto addAll = [&](const QString &text) {
        ++correlation;
        add(u"user_annotation"_s, text, at, 900, {});
        add(u"cpu_op"_s, text, at + 1, 800, {{u"Call stack"_s, text}});
        add(u"cuda_runtime"_s, u"cudaLaunchKernel"_s, at + 10, 5,
            {{u"correlation"_s, correlation}});
        add(u"kernel"_s, text, at + 100, 300,
            {{u"device"_s, 0}, {u"stream"_s, 7}, {u"correlation"_s, correlation}});
        events.append(QJsonObject{{u"ph"_s, u"M"_s},
                                  {u"name"_s, u"thread_name"_s},
                                  {u"pid"_s, 77},
                                  {u"tid"_s, correlation},
                                  {u"args"_s, QJsonObject{{u"name"_s, text}}}});
        at += 1000;
    };
    for (const Form &form : forms())
        addAll(form.text);
    for (const QString &text : {u"zorblatt::op"_s, u"ZorblattAttention"_s,
                                u"void zorblatt::fused<float>(float*)"_s, u"frobnitz17"_s})
        addAll(text);
    return QJsonDocument(
               QJsonObject{{u"schemaVersion"_s, 1},
                           {u"deviceProperties"_s,
                            QJsonArray{QJsonObject{{u"id"_s, 0}, {u"name"_s, u"NVIDIA H100"_s}}}},
                           {u"traceEvents"_s, events}})
        .toJson();
}

/// A snapshot in which every path is a frame's file and every other form a frame's name.
QByteArray snapshot(int size)
{
    std::vector<Py> events;
    std::int64_t address = 0x7f0000000000;
    for (const Form &form : forms()) {
        const std::string text = form.text.toStdString();
        const Py frame = Py::dict({{"name", form.isPath ? std::string("forward") : text},
                                   {"filename", form.isPath ? text : std::string("train.py")},
                                   {"line", 7}});
        events.push_back(Py::dict({{"action", "alloc"},
                                   {"addr", address},
                                   {"size", size},
                                   {"stream", 0},
                                   {"user_metadata", text},
                                   {"frames", Py::list({frame})}}));
        address += 1 << 20;
    }
    const Py traces = Py::list({Py::list(std::move(events))});
    return QByteArray::fromStdString(
        test::pickled(Py::dict({{"segments", Py::list()}, {"device_traces", traces}})));
}

QByteArray servingLog()
{
    QString text = u"INFO 01-01 00:00:00 [c.py:1] Starting to load model /home/zorblatt/quux/m...\n"
                   "Available KV cache memory: 6.00 GiB\n"_s;
    for (const Form &form : forms())
        text += u"ValueError: No available memory for the cache blocks: "_s + form.text + u'\n';
    return text.toUtf8();
}

/// A cell of CSV.
QString cell(QString text)
{
    return u'"' + text.replace(u'"', u"\"\""_s) + u'"';
}

/// As ncu --csv --page details writes it.
QByteArray counters()
{
    QString text =
        u"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
        "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
        "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"_s;
    int id = 0;
    for (const Form &form : forms()) {
        text += u"\"%1\",\"77\",\"zorblatt_train\",\"frobnitz17\","_s.arg(id++) + cell(form.text) +
                u",\"1\",\"7\",\"(256, 1, 1)\",\"(64, 1, 1)\",\"0\",\"9.0\","
                "\"GPU Speed Of Light Throughput\",\"Duration\",\"usecond\",\"12.5\"\n"_s;
    }
    return text.toUtf8();
}

QByteArray samplesOfSmi()
{
    QString text = u"timestamp, index, name, uuid, pci.bus_id, memory.total [MiB], "
                   "memory.used [MiB]\n"_s;
    for (int index = 0; index < 2; ++index)
        text += u"2026/03/01 10:00:0%1.000, %1, NVIDIA H100 of zorblatt@frobnitz17, "
                "GPU-3f1c2d4e-5a6b-7c8d-9e0f-a1b2c3d4e5f%1, 00000000:3B:00.0, 81559 MiB, "
                "1024 MiB\n"_s.arg(index);
    return text.toUtf8();
}

} // namespace

/// --redact takes the same out of every kind of document, in every form of output.
class TestCliRedaction : public test::Test
{
    Q_OBJECT

private slots:
    void initTestCase();
    void nobodyIsNamed_data();
    void nobodyIsNamed();
#ifdef VRAMSCOPE_WINDOW
    void nobodyIsDrawn_data();
    void nobodyIsDrawn();
#endif
    void figuresAndKnownNamesStay();
    void aReplacedRecordingIsReported();

private:
    [[nodiscard]] QString path(const QString &name) const
    {
        return m_folder.filePath(name);
    }
    [[nodiscard]] QStringList withPaths(QStringList arguments) const
    {
        for (QString &word : arguments) {
            if (word.contains(u'.') || word.contains(u'@') || QFileInfo::exists(path(word)))
                word = path(word);
        }
        return arguments;
    }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    QTemporaryDir m_folder;
};

void TestCliRedaction::initTestCase()
{
    write(u"a.json"_s, profile());
    write(u"b.json"_s, profile().replace("\"dur\": 300", "\"dur\": 400"));
    write(u"a.pickle"_s, snapshot(1024));
    write(u"b.pickle"_s, snapshot(2048));
    write(u"run/rank0.pickle"_s, snapshot(1024));
    write(u"run/rank1.pickle"_s, snapshot(2048));
    write(u"traces/rank0.json"_s, profile());
    write(u"traces/rank1.json"_s, profile());
    write(u"serving.log"_s, servingLog());
    write(u"ncu.csv"_s, counters());
    write(u"smi.csv"_s, samplesOfSmi());
    QFile example(test::example("gpt2-small-h100.vramplan"_L1));
    QVERIFY(example.open(QIODevice::ReadOnly));
    const QByteArray plan =
        example.readAll().replace("GPT-2 small in", "zorblatt on frobnitz17 in");
    write(u"zorblatt_a.vramplan"_s, plan);
    write(u"zorblatt_b.vramplan"_s, plan);
    test::NsightExport nsight(path(u"nsys.sqlite"_s).toStdString());
    std::int64_t at = 1000;
    int correlation = 0;
    for (const Form &form : forms()) {
        const std::string text = form.text.toStdString();
        nsight.addKernel(at + 100, at + 400, 77, 0, 7, ++correlation, text);
        nsight.addCall(at, at + 50, 77, 77, correlation, "cudaLaunchKernel_v7000");
        nsight.addRange(at, at + 900, 77, 77, text);
        at += 1000;
    }
    test::GgufWriter gguf = test::smallModel("llama", 1, 256, 8, 2);
    std::string all;
    int key = 0;
    for (const Form &form : forms())
        gguf.text("general.comment." + std::to_string(key++), form.text.toStdString());
    gguf.text("general.name", "Zorblatt Quux 7B").text("general.author", "zorblatt");
    gguf.text("tokenizer.chat_template", "{# by zorblatt@frobnitz17 #}");
    gguf.tensor("token_embd.weight", 1, {256, 100}, 51'200);
    gguf.tensor("output.weight", 1, {256, 100}, 51'200);
    gguf.write(path(u"model.gguf"_s).toStdString());
    QCOMPARE(run({u"summarize"_s, path(u"run"_s), u"--out"_s, path(u"parts"_s)}).status, 0);
}

void TestCliRedaction::nobodyIsNamed_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto add = [](const char *line) {
        QTest::newRow(line) << QString::fromLatin1(line).split(u' ');
    };
    for (const char *line : {"profile a.json",
                             "profile --top 0 a.json",
                             "profile --json --top 0 a.json",
                             "profile --by path --top 0 a.json",
                             "profile --by module --top 0 a.json",
                             "profile --table a.json b.json",
                             "profile --table --json a.json b.json",
                             "profile traces",
                             "profile --json traces",
                             "profile --hta --json a.json",
                             "diff --top 0 a.json b.json",
                             "diff --json a.json b.json",
                             "profile --top 0 nsys.sqlite",
                             "profile --json --top 0 nsys.sqlite",
                             "profile --top 0 ncu.csv",
                             "profile --json --top 0 ncu.csv",
                             "trace a.pickle",
                             "trace --json a.pickle",
                             "stacks --json a.pickle",
                             "stacks --top 0 a.pickle",
                             "peak --json a.pickle",
                             "live --json a.pickle",
                             "leaks --json a.pickle",
                             "steps --json a.pickle",
                             "replay --json a.pickle",
                             "oom --json a.pickle",
                             "plan-from --json a.pickle",
                             "diff --json a.pickle b.pickle",
                             "diff a.pickle b.pickle",
                             "diff run",
                             "diff --json run",
                             "diff parts",
                             "diff --json parts",
                             "serving-log serving.log",
                             "serving-log --json serving.log",
                             "weights model.gguf",
                             "weights --json model.gguf",
                             "trace smi.csv",
                             "trace --json smi.csv",
                             "reconcile --json zorblatt_a.vramplan a.pickle",
                             "diff zorblatt_a.vramplan zorblatt_b.vramplan",
                             "diff --json zorblatt_a.vramplan zorblatt_b.vramplan",
                             "trace zorblatt@frobnitz17",
                             "profile zorblatt@frobnitz17",
                             "weights zorblatt@frobnitz17",
                             "serving-log zorblatt@frobnitz17",
                             "diff zorblatt@frobnitz17 a.json",
                             "diff zorblatt@frobnitz17/parts",
                             "profile --table zorblatt@frobnitz17"})
        add(line);
}

void TestCliRedaction::nobodyIsNamed()
{
    QFETCH(QStringList, arguments);
    arguments = withPaths(std::move(arguments));
    const Outcome whole = run(arguments);
    arguments.insert(1, u"--redact"_s);
    const Outcome redacted = run(arguments);
    QVERIFY2(redacted.status == whole.status, qPrintable(redacted.err));
    QVERIFY2(redacted.err.isEmpty() == whole.err.isEmpty(), qPrintable(whole.err));
    QVERIFY(!redacted.out.isEmpty() || !redacted.err.isEmpty());
    const QString found = leaks(redacted.out + redacted.err);
    QVERIFY2(found.isEmpty(), qPrintable(found));
}

#ifdef VRAMSCOPE_WINDOW
void TestCliRedaction::nobodyIsDrawn_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto add = [](const char *line) {
        QTest::newRow(line) << QString::fromLatin1(line).split(u' ');
    };
    for (const char *line :
         {"render --view profile --out x.svg a.json", "render --view profile --out x.svg ncu.csv",
          "render --view profile --out x.svg nsys.sqlite",
          "render --view stacks --out x.svg a.pickle", "render --view series --out x.svg smi.csv",
          "render --view serving-log --out x.svg serving.log",
          "render --view weights --out x.svg model.gguf", "report --out x.html a.json",
          "report --out x.html a.pickle", "present --out x.pptx a.json",
          "present --out x.pptx a.pickle"})
        add(line);
}

void TestCliRedaction::nobodyIsDrawn()
{
    QFETCH(QStringList, arguments);
    arguments = withPaths(std::move(arguments));
    const QString out = arguments[arguments.indexOf(u"--out") + 1];
    QFile::remove(out);
    arguments.insert(1, u"--redact"_s);
    QProcess window;
    window.start(QStringLiteral(VRAMSCOPE_WINDOW), arguments);
    QVERIFY(window.waitForFinished(120'000));
    const QByteArray said = window.readAllStandardError() + window.readAllStandardOutput();
    QVERIFY2(window.exitCode() == 0, said.constData());
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray made = file.readAll();
    if (out.endsWith(u".pptx")) {
        const auto parts = test::packageParts(made);
        QVERIFY(!parts.isEmpty());
        made.clear();
        for (const QByteArray &part : parts) {
            if (!part.startsWith("\x89PNG")) // compressed pixels spell any four letters by chance
                made += part;
        }
    }
    static const QRegularExpression kPicture(u"base64,[A-Za-z0-9+/=]+"_s);
    const QString found = leaks(QString::fromUtf8(said + made).remove(kPicture));
    QVERIFY2(found.isEmpty(), qPrintable(found));
}
#endif

/// The numbers of JSON, without those within texts.
static QStringList numbersIn(QString json)
{
    static const QRegularExpression kText(uR"("(\\.|[^"\\])*")"_s);
    static const QRegularExpression kNumber(u"-?[0-9][0-9.e+-]*"_s);
    QStringList numbers;
    for (auto each = kNumber.globalMatch(json.remove(kText)); each.hasNext();)
        numbers << each.next().captured();
    return numbers;
}

void TestCliRedaction::figuresAndKnownNamesStay()
{
    const Outcome whole = run({u"profile"_s, u"--json"_s, u"--top"_s, u"0"_s, path(u"a.json"_s)});
    const Outcome shown =
        run({u"profile"_s, u"--redact"_s, u"--json"_s, u"--top"_s, u"0"_s, path(u"a.json"_s)});
    for (const Form &form : forms()) {
        const QByteArray list = QJsonDocument(QJsonArray{form.text}).toJson(QJsonDocument::Compact);
        const QString text = QString::fromUtf8(list.mid(1, list.size() - 2));
        if (form.gone.isEmpty() && !form.isPath && !text.contains(u"zorblatt"_s) &&
            whole.out.contains(text))
            QVERIFY2(shown.out.contains(text), qPrintable(text));
    }
    QVERIFY(shown.out.contains(QRegularExpression(u"\"(user|name)::op\""_s)));
    for (const QString &line : {u"trace --json a.pickle"_s, u"serving-log --json serving.log"_s,
                                u"weights --json model.gguf"_s, u"diff --json run"_s}) {
        QStringList arguments = line.split(u' ');
        arguments.back() = path(arguments.back());
        const Outcome before = run(arguments);
        arguments.insert(1, u"--redact"_s);
        QCOMPARE(numbersIn(run(arguments).out), numbersIn(before.out));
    }
}

// What changed is said as without --redact, without names, and never nothing.
void TestCliRedaction::aReplacedRecordingIsReported()
{
    const QString folder = path(u"zorblatt/replaced"_s);
    write(u"zorblatt/replaced/rank0.pickle"_s, snapshot(1024));
    write(u"zorblatt/replaced/rank1.pickle"_s, snapshot(1024));
    const QString parts = path(u"zorblatt/parts"_s);
    const QString file = path(u"zorblatt/replaced/run.vramranks"_s);
    QCOMPARE(run({u"summarize"_s, folder, u"--out"_s, parts}).status, 0);
    QCOMPARE(run({u"collect"_s, parts, u"--out"_s, file}).status, 0);
    write(u"zorblatt/replaced/rank1.pickle"_s, snapshot(4096) + "      ");
    const Outcome whole = run({u"diff"_s, file});
    const Outcome redacted = run({u"diff"_s, u"--redact"_s, file});
    QCOMPARE(whole.status, 1);
    QCOMPARE(redacted.status, 1);
    QVERIFY(whole.err.contains(u"It changed since it was summarised."_s));
    QVERIFY2(redacted.err.contains(u"It changed since it was summarised."_s),
             qPrintable(redacted.err));
    QVERIFY2(redacted.err.contains(u"out of date"_s), qPrintable(redacted.err));
    QVERIFY2(!redacted.err.contains(u"zorblatt"_s), qPrintable(redacted.err));
    QCOMPARE(redacted.err.count(u'\n'), whole.err.count(u'\n'));
}

VRAMSCOPE_TEST(TestCliRedaction)
#include "tst_cli_redaction.moc"
