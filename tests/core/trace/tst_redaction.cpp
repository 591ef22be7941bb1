// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpus.h"
#include "core/print/live_report.h"
#include "core/print/series_report.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "core/report/redacted_plan.h"
#include "core/trace/redaction.h"
#include "core/trace/series_builder.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(vramscope::Redaction::Kind)

namespace {

using Kind = Redaction::Kind;

QString redactedAlone(const QString &text, Kind kind)
{
    Redaction redaction;
    redaction.gather(text.toStdString(), kind);
    return QString::fromStdString(redaction.text(text.toStdString(), kind));
}

std::shared_ptr<const Trace> redactedTrace(const Trace &trace)
{
    Redaction redaction;
    redaction.gather(trace);
    return redaction.applied(trace);
}

QString everyText(const Trace &trace)
{
    return QString::fromStdString(test::traceText(trace));
}

/// All texts of a trace, each once.
QString distinctTexts(const Trace &trace)
{
    std::string texts;
    for (std::size_t at = 0; at < trace.frameCount(); ++at) {
        const Frame &frame = trace.frame(static_cast<FrameId>(at));
        texts.append(trace.text(frame.name)).append("\n");
        texts.append(trace.text(frame.file)).append("\n");
    }
    for (const EventContext &context : trace.contexts()) {
        for (const StringId id :
             {context.compileContext, context.userMetadata, context.category, context.extras})
            texts.append(trace.text(id)).append("\n");
    }
    for (const Annotation &annotation : trace.annotations())
        texts.append(trace.text(annotation.name)).append("\n");
    for (const Setting &setting : trace.settings())
        texts.append(setting.value).append("\n");
    return QString::fromStdString(texts);
}

/// The names behind /home and the like in the text of a trace, found by other means.
QSet<QString> usersIn(const QString &text)
{
    static const QRegularExpression kHome(
        u"(?:/home/|/Users/|[A-Za-z]:[\\\\/]Users[\\\\/]|/global/homes/./|/sd/./|/homestud/|"
        "/users/|^/raid/|/mnt/data[0-9]/|^/scratch/|"
        "pytest-of-|torchinductor_)([A-Za-z][A-Za-z0-9]+)"_s,
        QRegularExpression::MultilineOption);
    // These are accounts of machines and services.
    const QSet<QString> shared{u"ubuntu"_s, u"root"_s,    u"conda"_s, u"runner"_s, u"user"_s,
                               u"jovyan"_s, u"builder"_s, u"build"_s, u"task"_s};
    QSet<QString> users;
    for (const QRegularExpressionMatch &match : kHome.globalMatch(text)) {
        if (!shared.contains(match.captured(1)))
            users << match.captured(1);
    }
    return users;
}

/// Without the texts, all that a report of a trace says are figures.
std::string curveMetrics(const Trace &trace)
{
    std::string figures;
    for (const DeviceTrace &device : trace.devices()) {
        const std::shared_ptr<const Trace> borrowed(std::shared_ptr<void>(), &trace);
        const DeviceSummary s = Study(borrowed, device).summary();
        for (const std::int64_t figure :
             {s.events, s.segments, s.blocks, s.reservedEnd, s.activeEnd, s.requestedEnd,
              s.baseline, s.peakActive, std::int64_t(s.peakActiveEvent), s.peakReserved, s.streams,
              s.pools, s.stacks, s.frames})
            figures += std::to_string(figure) + " ";
    }
    return figures;
}

} // namespace

class TestRedaction : public test::Test
{
    Q_OBJECT

private slots:
    void whatTellsOfAPersonIsTakenOut_data();
    void whatTellsOfAPersonIsTakenOut();
    void everyKnownFormIsTakenOut_data();
    void everyKnownFormIsTakenOut();
    void namesOfModelsAndDevicesStay();
    void whatTellsOfTheProgramStays_data();
    void whatTellsOfTheProgramStays();
    void aNameFoundOnceIsTakenOutEverywhere();
    void theMachineInAFilesNameIsTakenOut();
    void jsonStaysJson();
    void redactingTwiceIsRedactingOnce();
    void aLongRunOfNumbersIsReadOnce();
    void everyTextOfATraceIsRewrittenAndNoFigure();
    void keysOfSettingsAreRewrittenAndStayApart();
    void everyTextOfASeriesIsRewritten();
    void whoseCodeAFileIsStaysKnown();
    void noUserOfARecordingIsLeft_data();
    void noUserOfARecordingIsLeft();
};

void TestRedaction::whatTellsOfAPersonIsTakenOut_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("redacted");
    const auto path = [](const char *text, const char *redacted) {
        QTest::newRow(text) << Kind::Path << QString::fromUtf8(text) << QString::fromUtf8(redacted);
    };
    const auto prose = [](const char *text, const char *redacted) {
        QTest::newRow(text) << Kind::Prose << QString::fromUtf8(text)
                            << QString::fromUtf8(redacted);
    };
    path("/home/alice/project/train.py", "~/project/train.py");
    path("/home/alice", "~");
    path("/home/jürgen/x.py", "~/x.py");
    path("/Users/Alice Miller/x/train.py", "~/x/train.py");
    path("C:\\Users\\Alice Miller\\x\\train.py", "~\\x\\train.py");
    path("C:/Users/alice/x/train.py", "~/x/train.py");
    path("\\\\?\\C:\\Users\\alice\\x.py", "~\\x.py");
    path("/root/train.py", "~/train.py");
    path("/mnt/home/alice/train.py", "~/train.py");
    path("/export/home2/alice/train.py", "~/train.py");
    path("/global/homes/a/alice/x/train.py", "~/x/train.py");
    path("/pscratch/sd/a/alice/x/train.py", "~/x/train.py");
    path("/volume/team/users/alice/train.py", "~/train.py");
    path("../../home/alice/train.py", "~/train.py");
    path("/scratch/alice/run/train.py", "~/run/train.py");
    path("/work/alice/run/train.py", "~/run/train.py");
    path("/tmp/pytest-of-alice/pytest-0/test.py", "/tmp/pytest-of-user/pytest-0/test.py");
    path("/tmp/torchinductor_alice/ab/cab.py", "/tmp/torchinductor_user/ab/cab.py");
    path("/home/alice/env/lib/python3.11/site-packages/torch/nn/x.py",
         "site-packages/torch/nn/x.py");
    path("/opt/py/lib/python3.11/site-packages/torch/_vendor/site-packages/x.py",
         "site-packages/x.py");
    path("/home/alice/miniconda3/envs/secret/lib/python3.11/threading.py",
         "lib/python3.11/threading.py");
    path("/home/alice/miniconda3/envs/secret/bin/torchrun", "env/bin/torchrun");
    path("<eval_with_key>.0 from /home/alice/m.py:7 in f", "<eval_with_key>.0 from ~/m.py:7 in f");
    for (const char *folder : {"/data",
                               "/data1",
                               "/mnt",
                               "/mnt/nvme0",
                               "/mnt/store",
                               "/raid",
                               "/nfs",
                               "/gpfs",
                               "/lustre",
                               "/fsx",
                               "/ssd",
                               "/workspace",
                               "/projects",
                               "/checkpoint",
                               "/srv",
                               "/work2/01234",
                               "/tmp",
                               "/dev/shm",
                               "/var/tmp",
                               "/rds/user",
                               "/ibex/user",
                               "/vol/bitbucket",
                               "D:",
                               "//server",
                               "/home/users",
                               "/home/smith-lab",
                               "/home/group7",
                               "/p/home/jusers",
                               "/scratch/project_465000",
                               "/storage/home/hcoda1/2",
                               "/site/physics",
                               "file:///home",
                               "file:///data",
                               "file:///D:"}) {
        const std::string start = std::string(folder) + "/alice";
        path((start + "/train.py").c_str(), "~/train.py");
        path(start.c_str(), "~");
        prose(("saved " + start + "/out.pt now").c_str(), "saved ~/out.pt now");
    }
    path("/raid/alice/pytorch/torch/_inductor/x.py", "~/pytorch/torch/_inductor/x.py");
    path("/data/alice/a/b/project/src/train/models.py", "~/project/src/train/models.py");
    path("/home/alice/a/b/project/src/train/models.py", "~/project/src/train/models.py");
    path("/raid/alice/pytorch/aten/src/ATen/native/cuda/Blas.cpp",
         "~/aten/src/ATen/native/cuda/Blas.cpp");
    path("D:\\alice\\train.py", "~\\train.py");
    path("D:\\data\\alice\\src\\train.py", "~\\src\\train.py");
    path("\\\\server\\alice\\train.py", "~\\train.py");
    path("\\\\server\\share\\alice\\train.py", "~\\train.py");
    path("~alice/train.py", "~/train.py");
    path("/home/physics/alice/x.py", "~/x.py");
    path("/home/physics/alice", "~");
    path("/home/physics/alice/run/x.py", "~/run/x.py");
    path("/gpfs/users/physics/alice/x.py", "~/x.py");
    path("/home/alice/projects/nanogpt/x.py", "~/projects/nanogpt/x.py");
    path("/home/ubuntu/nanogpt/x.py", "~/nanogpt/x.py");
    path("/Users/alice/nanogpt/x.py", "~/nanogpt/x.py");
    path("/tmp/ray_alice/session/x.py", "/tmp/ray_user/session/x.py");
    path("/home/physics/alice/.local/share/x.py", "~/.local/share/x.py");
    prose("saved \\\\server\\alice\\x.py and ~alice/x.py", "saved ~\\x.py and ~/x.py");
    prose("ran on node17.cluster.example.org:29500", "ran on host:29500");
    prose("step of gpu-a.lan.internal", "step of host");
    prose("saved to /home/alice/x by alice", "saved to ~/x by user");
    prose("write to alice.miller@example.com", "write to user@host");
    prose("alice@nid001234:/tmp", "user@host:/tmp");
    prose("{\"hostname\": \"nid001234\", \"user\": \"alice\"}",
          "{\"hostname\": \"host\", \"user\": \"user\"}");
    prose("HOST=gpu-7.cluster.example.edu rank=3", "HOST=host rank=3");
    prose("master 10.12.0.17 port 29500", "master host port 29500");
    prose("at 10.12.0.17.", "at host.");
}

void TestRedaction::whatTellsOfAPersonIsTakenOut()
{
    QFETCH(Kind, kind);
    QFETCH(QString, text);
    QFETCH(QString, redacted);
    QCOMPARE(redactedAlone(text, kind), redacted);
    QCOMPARE(redactedAlone(redacted, kind), redacted);
}

// Each form alone, so that no name is known from another place.
void TestRedaction::everyKnownFormIsTakenOut_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("gone");
    QTest::addColumn<QStringList>("kept");
    QFile file(test::projectFile("tests/data/redaction_forms.tsv"_L1));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int count = 0;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts)) {
        if (line.startsWith(u'#'))
            continue;
        const QStringList cells = line.split(u'\t');
        QCOMPARE(cells.size(), 4);
        const bool stays = cells[2].isEmpty(); // as it is
        QTest::newRow(qPrintable(QString::number(++count) + u' ' + cells[1]))
            << cells[0] << cells[1] << cells[2].split(u',', Qt::SkipEmptyParts)
            << (stays ? QStringList{cells[1]} : cells[3].split(u',', Qt::SkipEmptyParts));
    }
    QVERIFY(count >= 200);
}

void TestRedaction::everyKnownFormIsTakenOut()
{
    QFETCH(QString, kind);
    QFETCH(QString, text);
    QFETCH(QStringList, gone);
    QFETCH(QStringList, kept);
    const auto shown = [&](const QString &of) {
        Redaction redaction;
        if (kind == u"file") {
            redaction.gatherFileName(of.toStdString());
            return QString::fromStdString(redaction.fileName(of.toStdString()));
        }
        if (kind == u"title")
            return QString::fromStdString(redaction.title(of.toStdString()));
        return redactedAlone(of, kind == u"path" ? Kind::Path : Kind::Prose);
    };
    const QString result = shown(text);
    for (const QString &part : gone)
        QVERIFY2(!result.contains(part, Qt::CaseInsensitive), qPrintable(result));
    for (const QString &part : kept)
        QVERIFY2(result.contains(part), qPrintable(result));
    QVERIFY2(!gone.isEmpty() || result == text, qPrintable(result));
    QCOMPARE(shown(result), result);
}

// What a plan says of its model and its device is looked up by name.
void TestRedaction::namesOfModelsAndDevicesStay()
{
    Plan plan;
    for (const CatalogueModel &model : catalogueModels()) {
        plan.model.preset = model.name;
        QCOMPARE(redactedPlan({}, plan).model.preset, plan.model.preset);
    }
    for (const GpuPreset &gpu : gpuPresets()) {
        plan.hardware.gpu = gpu.name;
        QCOMPARE(redactedPlan({}, plan).hardware.gpu, plan.hardware.gpu);
    }
    plan.model.preset = "zorblatt-7b";
    plan.hardware.gpu = "gpu of frobnitz";
    plan.name = "plan of zorblatt on gpu-frobnitz-17";
    QCOMPARE(redactedPlan({}, plan).model.preset, std::optional<std::string>("name-7b"));
    QCOMPARE(redactedPlan({}, plan).hardware.gpu, std::optional<std::string>("gpu of name"));
    QCOMPARE(redactedPlan({}, plan).name,
             std::optional<std::string>("plan of name on gpu-name-17"));
}

void TestRedaction::whatTellsOfTheProgramStays_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("text");
    int row = 0;
    const auto add = [&row](Kind kind, const char *text) {
        QTest::addRow("%d", row++) << kind << QString::fromUtf8(text);
    };
    for (const char *text : {"train.py",
                             "model/train.py",
                             "/opt/pytorch/aten/src/ATen/native/Linear.cpp",
                             "??",
                             "",
                             "/usr/src/python/Python/ceval.c",
                             "C:\\Windows\\System32\\x.dll",
                             "<frozen runpy>",
                             "/tmp/ipykernel_1234/5678.py",
                             "/home/train.py",
                             "users/models.py",
                             "/workspace/train.py",
                             "/opt/homebrew/share/x.py",
                             "/pytorch/aten/src/ATen/native/Linear.cpp",
                             "../aten/src/ATen/native/cuda/Blas.cpp",
                             "/usr/local/src/conda/python-3.10/Python/a.c",
                             "/croot/python-split/build/Objects/call.c",
                             "/build/Python-3.10.12/Objects/call.c",
                             "./nptl/pthread_create.c",
                             "C:\\Program Files\\Python\\x.py"})
        add(Kind::Path, text);
    for (const char *text :
         {"at::native::add(at::Tensor const&, at::Tensor const&)", "operator/", "forward",
          "memcpy@GLIBC_2.2.5", "c10::Dispatcher::redispatch(c10::DispatchKeySet) const",
          "Node::operator()(std::vector<int>&&)", "MaxPool3DWithIndicesBackward0",
          "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn",
          "triton_poi_fused__to_copy_add_0d1d2d3d4d5d6d7d8d9d10d11d12d13d14d15"})
        add(Kind::Prose, text);
    for (const char *text : {"expandable_segments:True,max_split_size_mb:128",
                             "-1",
                             "{\"1\":0,\"2\":4}",
                             "ProfilerStep#3",
                             "nccl:all_reduce",
                             "FSDP::post_forward (layers.0)",
                             "pinned_use_cuda_host_register:True",
                             "Torch-Compiled Region: 0/0",
                             "version 2.1.0",
                             "torch.nn.functional",
                             "forward of torch.nn.functional.linear",
                             "model.layers.0.mlp.net",
                             "encoder.block.net",
                             "read train.config.v2.json",
                             "1.2.3",
                             "wrote a.b.pickle",
                             "torch 2.1.0.dev",
                             "m.0.com.org.de",
                             "layers[0]/attn/mlp",
                             "tcp://localhost:29500"})
        add(Kind::Prose, text);
}

void TestRedaction::whatTellsOfTheProgramStays()
{
    QFETCH(Kind, kind);
    QFETCH(QString, text);
    QCOMPARE(redactedAlone(text, kind), text);
}

void TestRedaction::aNameFoundOnceIsTakenOutEverywhere()
{
    Redaction redaction;
    redaction.gather("/home/alice/train.py", Kind::Path);
    redaction.gather("/home/bob-smith/train.py", Kind::Path);
    redaction.gather("/home/ubuntu/train.py", Kind::Path);
    redaction.gather("host=nid001234", Kind::Prose);
    QCOMPARE(redaction.path("/data/run/run_alice_2/x.py"), std::string("~/x.py"));
    QCOMPARE(redaction.path("run_alice_2.py"), std::string("run_user_2.py"));
    const auto code = [&](const char *text) { return redaction.text(text, Kind::Prose); };
    QCOMPARE(code("step_Alice"), std::string("step_user"));
    QCOMPARE(code("step_malice"), std::string("step_malice"));
    QCOMPARE(code("bob-smith"), std::string("user"));
    QCOMPARE(code("bob"), std::string("bob"));
    QCOMPARE(code("ubuntu"), std::string("ubuntu"));
    QCOMPARE(code("nid001234"), std::string("host"));
    Redaction known; // a name that is also a word of programs stays within their names
    known.gather("/home/max/zorblatt_proj/train.py", Kind::Path);
    const auto shown = [&](const char *text) { return known.text(text, Kind::Prose); };
    QCOMPARE(shown("aten::max_pool2d"), std::string("aten::max_pool2d"));
    QCOMPARE(shown("MaxPool2D at torch.max(x)"), std::string("MaxPool2D at torch.max(x)"));
    QCOMPARE(shown("run of max"), std::string("run of user"));
    // So is the user's module, wherever it stands.
    QCOMPARE(shown("zorblatt::op"), std::string("name::op"));
    QCOMPARE(shown("void zorblatt::fused<float>(float*)"),
             std::string("void name::fused<float>(float*)"));
    QCOMPARE(shown("ZorblattAttention.forward"), std::string("nameAttention.forward"));
    QCOMPARE(shown("gemm_zorblatt_128x64"), std::string("gemm_name_128x64"));
    Redaction secrets;
    secrets.gather("postgres://carol:hunter2zq@db7/x, token=zq81xyzzy", Kind::Prose);
    QCOMPARE(secrets.text("carol used zq81xyzzy and hunter2zq", Kind::Prose),
             std::string("user used secret and secret"));
    Redaction tools; // which stand in a person's home, below a group's folder
    tools.gather("/home/physics/carol/miniconda3/lib/python3.11/ast.py", Kind::Path);
    QCOMPARE(tools.text("carol", Kind::Prose), std::string("user"));
    QCOMPARE(redaction.text("step_alice", Kind::Prose), std::string("step_user"));
}

void TestRedaction::theMachineInAFilesNameIsTakenOut()
{
    const auto shown = [](const std::string &file) {
        Redaction redaction;
        redaction.gatherFileName(file);
        return redaction.path(file);
    };
    QCOMPARE(shown("run/gpu-node7_4711.1699.pt.trace.json"),
             std::string("run/host_4711.1699.pt.trace.json"));
    QCOMPARE(shown("nid001234_Mar_21_12_00_00.pickle"), std::string("host_Mar_21_12_00_00.pickle"));
    QCOMPARE(shown("/home/alice/rank3_memory_snapshot.pickle"),
             std::string("~/rank3_memory_snapshot.pickle"));
    QCOMPARE(shown("run_alice@node7.pickle.gz"), std::string("user@host.pickle.gz"));
    QCOMPARE(shown("memory_snapshot_Mar_21_12_00_00.pickle"),
             std::string("memory_snapshot_Mar_21_12_00_00.pickle"));
}

void TestRedaction::jsonStaysJson()
{
    const QString text = uR"({"cwd":"C:\\Users\\alice\\x","log":"/home/alice/\"a\"\n","n":1})"_s;
    QCOMPARE(redactedAlone(text, Kind::Prose), uR"({"cwd":"~\\x","log":"~/\"a\"\n","n":1})"_s);
}

void TestRedaction::redactingTwiceIsRedactingOnce()
{
    const std::vector<std::string> words{"/home/",
                                         "alice",
                                         "/",
                                         "\\",
                                         "C:\\Users\\",
                                         "bob",
                                         " ",
                                         "@",
                                         ".com",
                                         "host=",
                                         "user:",
                                         "scratch",
                                         "/work/",
                                         "root",
                                         "..",
                                         "lib/python3.11/",
                                         "train.py",
                                         "envs",
                                         "~",
                                         "10.0.0.17",
                                         "/sd/a/",
                                         "\"",
                                         "user",
                                         "site-packages/",
                                         "/data/",
                                         "D:\\",
                                         "\\\\server\\",
                                         "file://",
                                         "a1.example.org",
                                         "/tmp/ray_",
                                         "aten/src/",
                                         "project_1",
                                         ".pickle.gz",
                                         "/mnt/",
                                         "~alice/",
                                         "-",
                                         "\\n",
                                         "torch/csrc/",
                                         "x.cpp"};
    std::mt19937 random(32);
    for (int trial = 0; trial < 40'000; ++trial) {
        std::string text;
        for (auto length = 1 + random() % 9; length > 0; --length)
            text += words[random() % words.size()];
        for (const Kind kind : {Kind::Path, Kind::Prose}) {
            Redaction first;
            first.gather(text, kind);
            const std::string once = first.text(text, kind);
            Redaction second;
            second.gather(once, kind);
            QVERIFY2(second.text(once, kind) == once,
                     (text + " -> " + once + " -> " + second.text(once, kind)).c_str());
        }
    }
}

// Were every number looked at to the end of the run, this would take an hour.
void TestRedaction::aLongRunOfNumbersIsReadOnce()
{
    for (const std::string part : {"1-", "1_", "1.1-", "1.1.1.1-", "1.1.1.1.-"}) {
        std::string text;
        while (text.size() < 4'000'000)
            text += part;
        text += 'x'; // so that no address ends it
        Redaction redaction;
        redaction.gather(text, Kind::Prose);
        QVERIFY(redaction.text(text, Kind::Prose) == text);
    }
}

void TestRedaction::everyTextOfATraceIsRewrittenAndNoFigure()
{
    TraceBuilder builder;
    builder.internStream(0);
    const auto stackOf = [&](const char *name, const char *file) {
        const std::array frames{builder.internFrame(name, file, 7)};
        return builder.internStack(frames);
    };
    const StackId a = stackOf("alice_step", "/home/alice/x.py");
    const StackId b = stackOf("alice_step", "/home/bobby/x.py");
    const ContextId context = builder.internContext(
        {builder.internText("alice"), builder.internText("by bobby"),
         builder.internText("/home/alice/c"), a, builder.internText(R"({"user":"carol"})")});
    builder.addEvent(0, {.action = Action::Alloc,
                         .address = 512,
                         .size = 5,
                         .time = 1,
                         .stack = a,
                         .context = context});
    builder.addEvent(0,
                     {.action = Action::Alloc, .address = 1024, .size = 7, .time = 2, .stack = b});
    builder.addAnnotation({builder.internText("phase of carol"), 3});
    builder.addSetting("dir", "\"/home/alice/out\"");
    builder.addProblem("An odd key alice.");
    const auto trace = builder.finish().value();
    const auto shown = redactedTrace(*trace);
    const QString text = everyText(*shown);
    for (const auto name : {"alice"_L1, "bobby"_L1, "carol"_L1, "/home"_L1})
        QVERIFY2(!text.contains(name), qPrintable(text));
    QVERIFY(text.contains("~/x.py"_L1));
    QCOMPARE(curveMetrics(*shown), curveMetrics(*trace));
    QCOMPARE(shown->stackCount(), std::size_t(2)); // equal texts, but two places
    QVERIFY(everyText(*trace).contains("/home/alice/x.py"_L1));
}

void TestRedaction::keysOfSettingsAreRewrittenAndStayApart()
{
    TraceBuilder builder;
    builder.addSetting("of alice", "1");
    builder.addSetting("of bobby", "2");
    builder.addSetting("hostname", "\"nid001234\"");
    builder.addSetting("ran on nid001234", "\"/home/alice/out\"");
    builder.addSetting("users", "[\"/home/bobby\"]");
    builder.addExtra("note of alice", "\"on time\"");
    const auto shown = redactedTrace(*builder.finish().value());
    std::vector<std::string> pairs;
    for (const Setting &setting : shown->settings())
        pairs.push_back(setting.name + "=" + setting.value);
    const std::vector<std::string> expected{"of user=1", "of user 2=2", "hostname=\"host\"",
                                            "ran on host=\"~/out\"", "users=[\"~\"]"};
    QCOMPARE(pairs, expected);
    QCOMPARE(shown->extras()[0].name, std::string("note of user"));
    QCOMPARE(shown->extras()[0].value, std::string("\"on time\""));
}

void TestRedaction::everyTextOfASeriesIsRewritten()
{
    const std::string secret = "of alice@nid001234";
    SeriesBuilder builder("nvidia-smi");
    SeriesDevice device;
    device.label = "GPU 0 " + secret;
    device.name = "H100 " + secret;
    device.identity = "GPU-1 " + secret;
    device.time = {0};
    device.bytes.push_back({"memory " + secret, CurveRole::Allocated, {1}});
    device.numbers.push_back({"power " + secret, "W " + secret, {2.0}});
    builder.addDevice(device);
    builder.addDescription({0, "H100 " + secret, 80});
    builder.addFact("fact " + secret, "\"" + secret + "\"");
    builder.addProblem("A problem " + secret);
    const auto series = builder.finish();
    Redaction redaction;
    redaction.gather(*series);
    const auto shown = redaction.applied(*series);
    std::string text = seriesText(*shown, "f", ByteUnit::Binary) + seriesJson(*shown, "f");
    text += shown->devices()[0].numbers[0].unit + shown->descriptions()[0].name;
    QVERIFY2(text.find("alice") == text.npos && text.find("nid001234") == text.npos, text.c_str());
    for (const char *kept : {"GPU 0 of user@host", "GPU-1 of user@host", "power of user@host",
                             "H100 of user@host", "fact of user@host"})
        QVERIFY2(text.find(kept) != text.npos, kept);
}

void TestRedaction::whoseCodeAFileIsStaysKnown()
{
    const std::vector<std::string> starts{"/",    "/home/alice/", "/data/alice/",
                                          "D:\\", "../",          "/tmp/"};
    const std::vector<std::string> folders{"torch",   "csrc", "include", "aten",  "src",
                                           "c10",     "core", "boxing",  "lib",   "nptl",
                                           "Objects", "x",    "data",    "alice", "cpython"};
    const std::vector<std::string> files{"call.c",     "x.py", "main.c",  "RegisterCUDA_0.cpp",
                                         "abstract.h", "x.h",  "ceval.c", "x.o"};
    std::mt19937 random(33);
    for (int trial = 0; trial < 20'000; ++trial) {
        std::string path = starts[random() % starts.size()];
        for (auto length = random() % 8; length > 0; --length)
            path += folders[random() % folders.size()] + '/';
        path += files[random() % files.size()];
        const std::string shown =
            redactedAlone(QString::fromStdString(path), Kind::Path).toStdString();
        QVERIFY2(frameOrigin("f", path) == frameOrigin("f", shown),
                 (path + " -> " + shown).c_str());
    }
}

void TestRedaction::noUserOfARecordingIsLeft_data()
{
    QTest::addColumn<QString>("file");
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QDir folder(test::corpusFolder());
    for (const QString &file : folder.entryList({u"*.pickle"_s, u"*.html"_s}, QDir::Files))
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TestRedaction::noUserOfARecordingIsLeft()
{
    QFETCH(QString, file);
    const auto trace = readTrace(std::filesystem::path(file.toStdString())).value();
    const auto shown = redactedTrace(*trace);
    QString text = distinctTexts(*shown) + QString::fromStdString(traceJson(shown, "f"));
    for (const DeviceTrace &device : shown->devices()) {
        text += QString::fromStdString(liveJson(Study(shown, device), -1, "f"));
    }
    QVERIFY(!text.contains("/home/"_L1));
    QVERIFY(!text.contains("Users\\"_L1) && !text.contains("/Users/"_L1));
    for (const QString &user : usersIn(distinctTexts(*trace))) {
        const QRegularExpression word(u"(?<![A-Za-z0-9])"_s + QRegularExpression::escape(user) +
                                          u"(?![A-Za-z0-9])"_s,
                                      QRegularExpression::CaseInsensitiveOption);
        const auto match = word.match(text);
        QVERIFY2(!match.hasMatch(),
                 qPrintable(text.mid(std::max<qsizetype>(0, match.capturedStart() - 60), 120)));
    }
    QCOMPARE(curveMetrics(*shown), curveMetrics(*trace));
    for (std::size_t at = 0; at < trace->frameCount(); ++at) {
        const auto id = static_cast<FrameId>(at);
        QVERIFY2(frameOrigin(*trace, id) == frameOrigin(*shown, id),
                 std::string(trace->text(trace->frame(id).file)).c_str());
    }
    QCOMPARE(distinctTexts(*redactedTrace(*shown)), distinctTexts(*shown));
    QCOMPARE(distinctTexts(*redactedTrace(*trace)), distinctTexts(*shown));
}

VRAMSCOPE_TEST(TestRedaction)
#include "tst_redaction.moc"
