// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <cmath>
#include <map>

using namespace vramscope;

namespace {

// One allocation on the given frames, innermost first, that is never freed.
std::shared_ptr<const Trace>
oneAllocation(const std::vector<std::pair<const char *, const char *>> &stack)
{
    TraceBuilder builder;
    std::vector<FrameId> frames;
    for (const auto &[name, file] : stack)
        frames.push_back(builder.internFrame(name, file, 1));
    builder.addEvent(0, {.action = Action::Alloc,
                         .address = 512,
                         .size = 64,
                         .stack = builder.internStack(frames)});
    return std::move(*builder.finish());
}

CategoryJudgement judged(const Trace &trace, const std::vector<CategoryRule> &rules)
{
    const DeviceTrace &device = trace.devices().front();
    const Allocations all(device);
    return categorize(trace, device, all, rules).of(0);
}

} // namespace

class TestCategories : public test::Test
{
    Q_OBJECT

private slots:
    void stacksOfKnownLibrariesAreRecognised_data();
    void stacksOfKnownLibrariesAreRecognised();
    void lifetimesTellWhatStacksDoNot();
    void activationsOfHalfTheLogitsAreNoLogits();
    void buffersOfAProgramWithoutPassesAreNoCache();
    void theCategoryOfTheFileWins();
    void theHighestPriorityDecidesThenTheInnermostFrame();
    void rulesComeBackFromTheirDocument();
    void wrongRulesAreRefusedWithThePlace_data();
    void wrongRulesAreRefusedWithThePlace();
    void thePeakAddsUpByStackAndCategory();
    void recordingsOfGpusHoldWhatTheirProgramsMake_data();
    void recordingsOfGpusHoldWhatTheirProgramsMake();
};

void TestCategories::stacksOfKnownLibrariesAreRecognised_data()
{
    using Stack = std::vector<std::pair<const char *, const char *>>;
    QTest::addColumn<Stack>("stack");
    QTest::addColumn<QString>("category");
    const char *module = "/x/site-packages/torch/nn/modules/module.py";
    QTest::newRow("moved module") << Stack{{"convert", module}, {"_apply", module}, {"to", module}}
                                  << "parameters";
    QTest::newRow("windows path") << Stack{{"_apply",
                                            "C:\\x\\site-packages\\torch\\nn\\modules\\module.py"}}
                                  << "parameters";
    QTest::newRow("optimizer states")
        << Stack{{"_init_group", "/x/torch/optim/adamw.py"}, {"step", "/x/torch/optim/adam.py"}}
        << "optimizer states";
    QTest::newRow("cuBLAS in forward")
        << Stack{{"at::cuda::getCurrentCUDABlasHandle()", "??"}, {"_call_impl", module}}
        << "workspace";
    QTest::newRow("FSDP2") << Stack{{"allocate",
                                     "/x/torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py"},
                                    {"_call_impl", module}}
                           << "communication";
    QTest::newRow("NCCL") << Stack{{"c10d::ProcessGroupNCCL::allreduce(int)", "??"}}
                          << "communication";
    QTest::newRow("loss") << Stack{{"cross_entropy", "/x/torch/nn/functional.py"},
                                   {"_call_impl", module}}
                          << "loss and logits";
    QTest::newRow("DDP's buckets") << Stack{{"_pre_forward", "/t/torch/nn/parallel/distributed.py"},
                                            {"_call_impl", "/t/torch/nn/modules/module.py"}}
                                   << "communication";
    QTest::newRow("a batch that DDP copies")
        << Stack{{"_to_kwargs", "/t/torch/distributed/utils.py"},
                 {"_pre_forward", "/t/torch/nn/parallel/distributed.py"}}
        << "inputs";
    QTest::newRow("Megatron states")
        << Stack{{"init_state_fn", "/m/megatron/core/optimizer/__init__.py"}} << "optimizer states";
    QTest::newRow("paged keys and values")
        << Stack{{"_allocate_kv_cache_tensors", "/x/vllm/v1/worker/gpu_model_runner.py"},
                 {"load_model", "/x/vllm/v1/worker/gpu_worker.py"}}
        << "key-value cache";
    QTest::newRow("keys and values of Transformers")
        << Stack{{"update", "/x/transformers/cache_utils.py"}, {"_call_impl", module}}
        << "key-value cache";
    QTest::newRow("step() of an environment") << Stack{{"step", "/me/environment.py"}} << "unknown";
    QTest::newRow("constructor of a buffer") << Stack{{"__init__", "/me/replay.py"}} << "unknown";
    QTest::newRow("nothing known") << Stack{{"helper", "/home/me/tool.py"}} << "unknown";
}

void TestCategories::stacksOfKnownLibrariesAreRecognised()
{
    using Stack = std::vector<std::pair<const char *, const char *>>;
    QFETCH(Stack, stack);
    QFETCH(QString, category);
    const auto name = categoryWord(judged(*oneAllocation(stack), defaultCategoryRules()).category);
    QCOMPARE(QString::fromUtf8(name.data(), qsizetype(name.size())), category);
}

void TestCategories::lifetimesTellWhatStacksDoNot()
{
    const auto trace = test::trainingLoop({.steps = 6, .leakEvery = 1}).trace;
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const Categories categories = categorize(*trace, device, all);
    const std::map<std::string, Category> expected{
        {"weight", Category::Parameters},     {"linear", Category::Activations},
        {"gelu", Category::Activations},      {"tmp", Category::TemporaryBuffers},
        {"wgrad", Category::Gradients},       {"exp_avg", Category::OptimizerStates},
        {"norm", Category::TemporaryBuffers}, {"exp_avg_sq", Category::OptimizerStates},
        {"history", Category::Activations}};
    for (AllocationIndex index = 0; index < all.count(); ++index) {
        const FrameId frame = trace->stack(all.stack[static_cast<std::size_t>(index)]).front();
        const std::string name(trace->text(trace->frame(frame).name));
        QVERIFY2(categories.of(index).category == expected.at(name),
                 (name + " " + std::string(categoryWord(categories.of(index).category)) +
                  categories.reason(index))
                     .c_str());
        QVERIFY(!categories.reason(index).empty());
        QVERIFY(categories.of(index).confidence >= 0 && categories.of(index).confidence <= 1);
    }
}

void TestCategories::activationsOfHalfTheLogitsAreNoLogits()
{
    TraceBuilder builder;
    std::uint64_t next = 512;
    std::vector<std::pair<std::uint64_t, Bytes>> made;
    const auto stackOf = [&](const char *name, const char *file) {
        const std::vector<FrameId> frames{
            builder.internFrame(name, file, 1),
            builder.internFrame("_call_impl", "/x/torch/nn/modules/module.py", 1)};
        return builder.internStack(frames);
    };
    const auto make = [&](Bytes mib, const char *name, const char *file) {
        const Bytes size = mib << 20;
        builder.addEvent(
            0,
            {.action = Action::Alloc, .address = next, .size = size, .stack = stackOf(name, file)});
        made.emplace_back(next, size);
        next += static_cast<std::uint64_t>(size);
    };
    for (int layer = 0; layer < 4; ++layer) {
        make(30, "linear", "/me/model.py");
        make(32, "gelu", "/me/model.py");
    }
    make(60, "head", "/me/model.py");
    make(62, "cross_entropy", "/x/torch/nn/functional.py");
    const FrameId engine = builder.internFrame("torch::autograd::Engine::thread_main", "??", 0);
    const StackId backward = builder.internStack(std::span(&engine, 1));
    for (auto one = made.rbegin(); one != made.rend(); ++one)
        for (const Action action : {Action::FreeRequested, Action::FreeCompleted})
            builder.addEvent(
                0,
                {.action = action, .address = one->first, .size = one->second, .stack = backward});
    const auto trace = std::move(*builder.finish());
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const Categories categories = categorize(*trace, device, all);
    for (AllocationIndex index = 0; index < all.count(); ++index)
        QVERIFY2(categories.of(index).category ==
                     (index < 8 ? Category::Activations : Category::LossAndLogits),
                 qPrintable(QString::number(index)));
}

void TestCategories::buffersOfAProgramWithoutPassesAreNoCache()
{
    TraceBuilder builder;
    const FrameId frame = builder.internFrame("observe", "/me/environment.py", 7);
    for (std::uint64_t at = 1; at <= 8; ++at)
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = at << 30U,
                             .size = 32U << 20U,
                             .stack = builder.internStack(std::span(&frame, 1))});
    const auto trace = std::move(*builder.finish());
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const Categories categories = categorize(*trace, device, all);
    for (AllocationIndex index = 0; index < all.count(); ++index)
        QVERIFY(categories.of(index).category == Category::Unknown);
}

void TestCategories::theCategoryOfTheFileWins()
{
    TraceBuilder builder;
    EventContext context;
    context.category = builder.internText("activation");
    const FrameId frame = builder.internFrame("_init_group", "/x/torch/optim/adamw.py", 1);
    builder.addEvent(0, {.action = Action::Alloc,
                         .address = 512,
                         .size = 64,
                         .stack = builder.internStack(std::span(&frame, 1)),
                         .context = builder.internContext(context)});
    const auto trace = std::move(*builder.finish());
    const CategoryJudgement judgement = judged(*trace, defaultCategoryRules());
    QCOMPARE(judgement.category, Category::Activations);
    QCOMPARE(judgement.confidence, 1.0F);
}

void TestCategories::theHighestPriorityDecidesThenTheInnermostFrame()
{
    const auto trace = oneAllocation({{"inner", "a.py"}, {"outer", "b.py"}});
    std::vector<CategoryRule> rules(2);
    rules[0] = {.category = Category::LossAndLogits,
                .name = "^outer$",
                .file = {},
                .priority = 5,
                .confidence = 0.5,
                .reason = "outer"};
    rules[1] = {.category = Category::Inputs,
                .name = "inner",
                .file = ".py$",
                .priority = 5,
                .confidence = 0.5,
                .reason = "inner"};
    QCOMPARE(judged(*trace, rules).category, Category::Inputs);
    rules[0].priority = 6;
    QCOMPARE(judged(*trace, rules).category, Category::LossAndLogits);
    rules[0].name = "^ou$"; // the whole name, not a part
    QCOMPARE(judged(*trace, rules).category, Category::Inputs);
}

void TestCategories::rulesComeBackFromTheirDocument()
{
    const auto rules = categoryRulesFromJson(categoryRulesToJson(defaultCategoryRules()));
    QVERIFY2(rules.ok(), rules.ok() ? "" : rules.error().detail.c_str());
    QVERIFY(*rules == defaultCategoryRules());
}

void TestCategories::wrongRulesAreRefusedWithThePlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    const auto document = [](const char *rule) {
        return QByteArray(R"({"vramscope-category-rules": 1, "rules": [)") + rule + "]}";
    };
    QTest::newRow("no JSON") << QByteArray("{") << "valid JSON";
    QTest::newRow("other document") << QByteArray("{}") << "vramscope-category-rules";
    QTest::newRow("version") << QByteArray(R"({"vramscope-category-rules": 2, "rules": []})")
                             << "version";
    QTest::newRow("category") << document(R"({"name": "a", "category": "stuff"})") << "Rule 1";
    QTest::newRow("nothing to match") << document(R"({"category": "gradients"})") << "\"name\"";
    QTest::newRow("nothing to give") << document(R"({"name": "a"})") << "\"category\"";
    QTest::newRow("type") << document(R"({"name": 4, "category": "gradients"})")
                          << "\"name\" must be a text";
    QTest::newRow("range") << document(R"({"name":"a","category":"gradients","confidence":2})")
                           << "confidence";
    QTest::newRow("field") << document(R"({"name":"a","category":"gradients","colour":"red"})")
                           << "colour";
}

void TestCategories::wrongRulesAreRefusedWithThePlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    const auto rules = categoryRulesFromJson(text.toStdString());
    QVERIFY(!rules.ok());
    const QString detail = QString::fromStdString(rules.error().detail);
    QVERIFY2(detail.contains(part), qPrintable(detail));
}

void TestCategories::thePeakAddsUpByStackAndCategory()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const auto trace = test::traceOf(test::randomTrace(seed, {}));
        const DeviceTrace &device = trace->devices().front();
        const Study study(trace, device);
        const UsageCurve &curve = study.curve();
        const Peak peak = findPeak(study);
        Bytes highest = 0;
        for (EventIndex event = -1; event < curve.count(); ++event)
            highest = std::max(highest, curve.active(event));
        QCOMPARE(peak.active, highest);
        Tally stacks;
        for (const LiveGroup &group : peak.byStack)
            stacks += {group.bytes, group.count};
        Tally shares;
        for (const Peak::CategoryShare &share : peak.byCategory)
            shares += share.tally;
        QVERIFY(stacks == Tally({peak.active, peak.allocations}));
        QVERIFY(shares == stacks);
    }
    const auto example = readTrace(
        test::projectFile("resources/examples/training-out-of-memory.pickle").toStdString());
    QVERIFY(example.ok());
    const DeviceTrace &device = (*example)->devices().front();
    const Peak peak = findPeak(Study(*example, device));
    QCOMPARE(peak.running.size(), std::size_t(1));
    QVERIFY((*example)->text(peak.running.front()) == "ProfilerStep#3");
    QCOMPARE(peak.step, std::optional<std::size_t>(3));
    QVERIFY(peak.position > 0.9 && peak.position <= 1);
    QCOMPARE(peak.byCategory.front().category, Category::Activations);
}

// What the scripts of tests/measure/scripts make, by the arithmetic of their models. A process on
// Hopper has two workspaces of cuBLAS: one of forward, one of backward.
void TestCategories::recordingsOfGpusHoldWhatTheirProgramsMake_data()
{
    QTest::addColumn<Category>("category");
    QTest::addColumn<double>("mebibytes");
    constexpr double kMega = 1024 * 1024;
    constexpr double kVit = 4 * 86567656 / kMega;    // parameters of ViT-B/16
    constexpr double kResNet = 4 * 25557032 / kMega; // of ResNet-50
    constexpr double kDdp = 665231360 / kMega;       // the bucket of all gradients
    for (const char *file : {"gpt", "gpt-checkpoint", "vit", "trainer", "ddp", "varying"})
        QTest::addRow("%s workspaces", file) << Category::Framework << 64.0;
    QTest::newRow("vit parameters") << Category::Parameters << kVit;
    QTest::newRow("vit states") << Category::OptimizerStates << kVit;
    QTest::newRow("resnet-8 parameters") << Category::Parameters << kResNet;
    QTest::newRow("ddp buckets") << Category::Communication << kDdp;
    QTest::newRow("ddp parameters") << Category::Parameters << kDdp;
    QTest::newRow("ddp states") << Category::OptimizerStates << 2 * kDdp;
}

void TestCategories::recordingsOfGpusHoldWhatTheirProgramsMake()
{
    QFETCH(Category, category);
    QFETCH(double, mebibytes);
    const QString file = QString::fromUtf8(QTest::currentDataTag()).section(u' ', 0, 0);
    const auto trace = readTrace(test::projectFile("tests/data/gpu/").toStdString() +
                                 file.toStdString() + ".pickle.gz");
    QVERIFY(trace.ok());
    const Peak peak = findPeak(Study(*trace, (*trace)->devices().front()));
    double found = 0;
    for (const Peak::CategoryShare &share : peak.byCategory)
        found += share.category == category ? static_cast<double>(share.tally.bytes) : 0;
    found /= 1024 * 1024;
    QVERIFY2(std::abs(found - mebibytes) <= 0.01 * mebibytes,
             qPrintable(QStringLiteral("%1 MiB").arg(found)));
}

VRAMSCOPE_TEST(TestCategories)
#include "tst_categories.moc"
