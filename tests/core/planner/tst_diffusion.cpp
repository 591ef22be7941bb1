// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shipped_documents.h"
#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/estimate.h"
#include "core/estimate/peak_summary.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <utility>

using namespace vramscope;
using namespace Qt::StringLiterals;

// Pipelines of diffusers against what their own classes count and record
// (tests/measure/record_diffusion.py).
class TestDiffusion : public test::Test
{
    Q_OBJECT

private slots:
    void componentsAreCountedToTheParameter();
    void layerwiseCastingLeavesWhatDiffusersLeaves();
    void passesAreMetWithinTwoPercent();
    void transformersOfGgufFilesAreMetWithinTwoPercent();
    void groupOffloadKeepsOneBlock();
    void trainingStepsAreMetWithinTwoPercent();
    void castAndFullStepsAreMet();
    void optimizersKeepTheirOwnStates();
    void theAutoencoderOfSdxlDecodesInFp32();
    void fluxFitsOn24GigabytesAsTheExampleSays();
    void theMomentsAreThePhasesOfACall();
    void offloadTradesTheGpuForTheHost();
    void guidanceInOnePassDoublesTheActivations();
    void aQuarterOfTheBytesInNf4();
    void slicingAndTilingCapTheDecoder();
    void theSolverWeighsWhatTheEstimateSays();
    void whatIsNotKnownIsRefusedAtItsField_data();
    void whatIsNotKnownIsRefusedAtItsField();
    void aDescribedPipelineIsTheNamedOne();
    void publishedCountsAreMet();
    void imagesToEditAreEncodedAndJoin();
    void distilledPipelinesRunNoSecondPass();
};

namespace {

std::vector<test::TableRow> diffusionRows(const QString &name)
{
    return test::readTable(test::projectFile(u"tests/data/diffusion/"_s + name));
}

const DiffusionPipeline &pipelineNamed(const std::string &id)
{
    const auto found = std::ranges::find_if(
        diffusionPipelines(), [&](const auto &pipeline) { return pipeline->id == id; });
    Q_ASSERT(found != diffusionPipelines().end());
    return **found;
}

/// A U-Net with so many blocks a level, and the deepest transformers so deep; 0: as it has.
QJsonObject smallerUnet(QJsonObject unet, qint64 blocks, qint64 depth)
{
    if (blocks > 0)
        unet["layers_per_block"_L1] = blocks;
    if (depth > 0) {
        const qsizetype levels = unet["block_out_channels"_L1].toArray().size();
        QJsonArray depths = unet["transformer_layers_per_block"_L1].toArray();
        while (depths.size() < levels)
            depths.append(1);
        depths[levels - 1] = depth;
        unet["transformer_layers_per_block"_L1] = depths;
    }
    return unet;
}

/// A shipped pipeline whose transformer has so many blocks, and so many single ones; 0: as it has.
/// Of those whose image attends twice half are left.
std::string smallerDenoiser(const QString &pipeline, qint64 blocks, qint64 single)
{
    const std::string_view shipped =
        shippedDocument(u"diffusion/%1.json"_s.arg(pipeline).toStdString());
    QJsonObject document =
        QJsonDocument::fromJson(QByteArray(shipped.data(), qsizetype(shipped.size()))).object();
    if (document.contains("unet"_L1)) {
        document["unet"_L1] = smallerUnet(document["unet"_L1].toObject(), blocks, single);
        return QJsonDocument(document).toJson().toStdString();
    }
    QJsonObject transformer = document["transformer"_L1].toObject();
    if (blocks > 0)
        transformer[transformer.contains("n_layers"_L1) ? "n_layers"_L1 : "num_layers"_L1] = blocks;
    if (single > 0)
        transformer["num_single_layers"_L1] = single;
    if (blocks > 0 && transformer.contains("dual_attention_layers"_L1)) {
        QJsonArray dual;
        for (qint64 layer = 0; layer < blocks / 2; ++layer)
            dual.append(layer);
        transformer["dual_attention_layers"_L1] = dual;
    }
    document["transformer"_L1] = transformer;
    return QJsonDocument(document).toJson().toStdString();
}

const DiffusionComponent &recordedComponent(const test::TableRow &row)
{
    const DiffusionPipeline &pipeline = pipelineNamed(row.text("pipeline").toStdString());
    const auto found = std::ranges::find(pipeline.components, row.text("component").toStdString(),
                                         &DiffusionComponent::name);
    Q_ASSERT(found != pipeline.components.end());
    return *found;
}

Plan pipelinePlan(const std::string &pipeline)
{
    Plan plan;
    plan.model.pipeline = pipeline;
    return plan;
}

/// "image 3 of the table" is off by more than `share`.
bool isNear(Exact computed, qint64 recorded, double share)
{
    return std::abs(double(computed.value() - recorded)) <= share * double(recorded);
}

Bytes heightOf(const Estimate &figures, std::string_view name)
{
    const auto found = std::ranges::find(figures.moments, name, &Moment::name);
    return found == figures.moments.end() ? 0 : found->allocated;
}

/// Prompt embeddings and latents, which some transformers take four at a time.
Exact inputsOf(const DiffusionComponent &denoiser, const DiffusionLoad &load)
{
    const bool packed = denoiser.channels >= 64 && load.cell == 4;
    return Exact(2) * load.batch * load.tokens * denoiser.textWidth +
           Exact(load.latents() + load.references) * load.batch * 2 *
               (packed ? denoiser.channels / 4 : denoiser.channels);
}

/// The plan of a recorded step of training.
Plan stepPlan(const test::TableRow &row)
{
    Plan plan;
    plan.model.components =
        smallerDenoiser(row.text("pipeline"), row.number("double"), row.number("single"));
    plan.workload = Workload::Training;
    if (row.text("kind") == u"full-bf16")
        plan.precision.regime = Regime::PureBf16;
    if (!row.text("kind").startsWith(u"full")) {
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = row.number("rank");
    }
    if (row.text("kind") == u"fp8")
        plan.diffusion.transformerFormat = DiffusionFormat::Fp8;
    if (row.text("kind") == u"prodigy")
        plan.optimizer.name = OptimizerName::Prodigy;
    if (row.text("kind") == u"nf4")
        plan.diffusion.transformerFormat = DiffusionFormat::Nf4;
    plan.activations.checkpointing =
        row.number("checkpointing") ? Checkpointing::Full : Checkpointing::None;
    plan.diffusion.images = row.number("batch");
    const auto &kind = *pipelineNamed(row.text("pipeline").toStdString()).kind;
    plan.diffusion.promptTokens = row.number("tokens") - kind.clipTokens;
    plan.diffusion.height = row.number("height");
    plan.diffusion.width = row.number("width");
    if (row.number("frames") > 1)
        plan.diffusion.frames = row.number("frames");
    plan.overheads.cublasWorkspaceBytes = 0;
    return plan;
}

} // namespace

void TestDiffusion::componentsAreCountedToTheParameter()
{
    const auto rows = diffusionRows(u"parameters.csv"_s);
    QVERIFY(rows.size() > 30);
    for (const auto &row : rows) {
        const DiffusionComponent &component = recordedComponent(row);
        const QByteArray name = (row.text("pipeline") + u' ' + row.text("component")).toUtf8();
        QVERIFY2(component.parameters == row.number("parameters"), name);
        QVERIFY2(2 * component.tables == row.number("buffer_bytes"), name);
        if (component.kind->role != DiffusionRole::Denoiser)
            continue; // whose matrices are not quantised here
        QVERIFY2(component.matrixElements == row.number("matrix_elements"), name);
        QVERIFY2(component.matrices == row.number("matrices"), name);
        QVERIFY2(component.largestMatrix == row.number("largest_matrix"), name);
    }
}

void TestDiffusion::layerwiseCastingLeavesWhatDiffusersLeaves()
{
    int compared = 0;
    for (const auto &row : diffusionRows(u"parameters.csv"_s)) {
        const DiffusionComponent &component = recordedComponent(row);
        if (component.kind->role != DiffusionRole::Denoiser)
            continue;
        Plan plan = pipelinePlan(row.text("pipeline").toStdString());
        plan.diffusion.transformerFormat = DiffusionFormat::Fp8;
        // Recorded with everything in 16 bit that from_pretrained() keeps in fp32.
        const Exact expected = Exact(row.number("cast_bytes")) + Exact(2) * component.wide +
                               Exact(2) * component.tables + Exact(4) * component.sinusoids;
        QCOMPARE(weightBytes(component, resolve(plan).settings).value(), expected.value());
        ++compared;
    }
    QVERIFY(compared >= 10);
}

void TestDiffusion::passesAreMetWithinTwoPercent()
{
    const auto rows = diffusionRows(u"phases.csv"_s);
    QVERIFY(rows.size() > 120);
    for (const auto &row : rows) {
        const DiffusionComponent &component = recordedComponent(row);
        const DiffusionPipeline &pipeline = pipelineNamed(row.text("pipeline").toStdString());
        DiffusionLoad load;
        load.batch = row.number("batch");
        load.tokens = row.number("tokens");
        load.height = row.number("height");
        load.width = row.number("width");
        load.frames = std::max<qint64>(row.number("frames"), 1);
        load.bytes = row.number("fp32") ? 4 : 2;
        load.slicing = row.number("slicing") != 0;
        load.tiling = row.number("tiling") != 0;
        load.patch = pipeline.patch;
        load.framesStep = pipeline.framesStep;
        load.cell = pipeline.cell;
        load.stepsPerToken = pipeline.stepsPerToken;
        const std::int64_t side = row.number("reference") / load.patch;
        load.references = side * side;
        const bool reads = row.text("phase") == u"read";
        Exact computed =
            (reads ? component.kind->reading : component.kind->pass)(component, load).bytes;
        const Exact latents = Exact(load.latents() + load.references) * load.batch;
        if (component.kind->role == DiffusionRole::Autoencoder && !reads)
            computed += latents * component.channels * load.bytes;
        if (component.kind->role == DiffusionRole::Denoiser)
            computed += inputsOf(component, load);
        const qint64 recorded = row.number("peak");
        const QString text = u"%1 %2 %3 × %4, %5 frames: %6, recorded %7"_s.arg(
            row.text("pipeline"), row.text("component"), row.text("width"), row.text("height"),
            row.text("frames"), QString::number(computed.value()), QString::number(recorded));
        QVERIFY2(isNear(computed, recorded, 0.02), text.toUtf8());
    }
}

/// Weights and the highest moment of a pass, as diffusers loads and multiplies a GGUF file.
void TestDiffusion::transformersOfGgufFilesAreMetWithinTwoPercent()
{
    const auto rows = diffusionRows(u"gguf.csv"_s);
    QVERIFY(rows.size() > 25);
    for (const auto &row : rows) {
        const DiffusionPipeline &pipeline = pipelineNamed(row.text("pipeline").toStdString());
        const DiffusionComponent &transformer = *pipeline.first(DiffusionRole::Denoiser);
        const auto format =
            std::ranges::find(choiceTexts<DiffusionFormat>, row.text("format").toStdString());
        Plan plan = pipelinePlan(row.text("pipeline").toStdString());
        plan.diffusion.transformerFormat =
            static_cast<DiffusionFormat>(format - choiceTexts<DiffusionFormat>.begin());
        const qint64 batch = row.number("batch");
        plan.diffusion.images = pipeline.guidance == GuidancePasses::Together ? batch / 2 : batch;
        if (pipeline.guidance == GuidancePasses::Together && batch % 2)
            plan.diffusion.guidance = false;
        if (!*plan.diffusion.images)
            plan.diffusion.images = 1;
        plan.diffusion.promptTokens = row.number("tokens") - pipeline.kind->clipTokens;
        plan.diffusion.height = row.number("height");
        plan.diffusion.width = row.number("width");
        if (row.number("frames") > 1)
            plan.diffusion.frames = row.number("frames");
        const Estimate figures = estimate(plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        const QString what = row.text("pipeline") + u' ' + row.text("format");
        const Settings &settings = *figures.settings;
        const Exact weights = // without buffers of the checkpoint
            excess(weightBytes(transformer, settings), Exact(2) * transformer.tables);
        QVERIFY2(isNear(weights, row.number("weights"), 0.005),
                 (what + u": "_s + QString::number(weights.value())).toUtf8());
        const Exact pass = Exact(test::partAt(figures, "denoise", "Transformer activations")) +
                           test::partAt(figures, "denoise", "Matrix in 16 bit") +
                           inputsOf(transformer, loadOf(transformer, settings));
        QVERIFY2(isNear(weights + pass, row.number("weights") + row.number("peak"), 0.02),
                 (what + u": pass "_s + QString::number(pass.value())).toUtf8());
        QVERIFY2(isNear(pass, row.number("peak"), 0.07),
                 (what + u": pass "_s + QString::number(pass.value())).toUtf8());
    }
}

/// The largest block and what is outside the ModuleLists, counted over diffusers' classes.
void TestDiffusion::groupOffloadKeepsOneBlock()
{
    for (const auto &[pipeline, parameters] :
         {std::pair{"flux.1-dev", 403'956'288LL}, std::pair{"flux.2-dev", 1'797'784'064LL},
          std::pair{"wan2.1-t2v-14b", 584'113'728LL}, std::pair{"wan2.1-i2v-14b", 645'178'688LL},
          std::pair{"z-image", 192'762'688LL}, std::pair{"sd3.5-medium", 120'983'488LL},
          std::pair{"qwen-image", 380'354'624LL}, std::pair{"ltx-video-2b", 110'174'336LL},
          std::pair{"hunyuanvideo", 700'545'600LL}}) {
        Plan plan = pipelinePlan(pipeline);
        plan.diffusion.offload = DiffusionOffload::Group;
        const Estimate figures = estimate(plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        const DiffusionComponent &it = *pipelineNamed(pipeline).first(DiffusionRole::Denoiser);
        const Bytes buffers = 2 * it.tables + 2 * it.wide;
        const Bytes running = test::partAt(figures, "denoise", "Transformer, one block") - buffers;
        QVERIFY2(isNear(Exact(running), 2 * parameters, 0.03),
                 (std::string(pipeline) + ' ' + std::to_string(running)).c_str());
    }
}

void TestDiffusion::trainingStepsAreMetWithinTwoPercent()
{
    const auto rows = diffusionRows(u"training.csv"_s);
    QVERIFY(rows.size() > 30);
    for (const auto &row : rows) {
        if (row.text("kind") != u"lora")
            continue;
        const Estimate figures = estimate(stepPlan(row));
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        QCOMPARE(adapterParameters(*figures.settings), row.number("trained"));
        const qint64 rest = row.number("rest");
        QVERIFY(isNear(figures.atRest, rest, 0.001));
        const auto above = [&](std::string_view moment, const char *column, double share) {
            const Bytes computed = heightOf(figures, moment) - figures.atRest;
            const QString text = u"%1, %2 blocks, %3: %4, recorded %5"_s.arg(
                row.text("pipeline"), row.text("double"), QLatin1StringView(column),
                QString::number(computed), row.text(column));
            QVERIFY2(isNear(computed, row.number(column), share), text.toUtf8());
        };
        above("forward", "forward", 0.02);
        above("first backward block", "backward", 0.02);
    }
}

/// LoRA over a base that is cast to fp8, and training of everything: each moment as a whole. What a
/// U-Net keeps follows from its layers.
void TestDiffusion::castAndFullStepsAreMet()
{
    constexpr std::array<std::pair<std::string_view, const char *>, 3> kMoments = {
        {{"forward", "forward"},
         {"first backward block", "backward"},
         {"optimizer step", "optimizer"}}};
    int compared = 0;
    for (const auto &row : diffusionRows(u"training.csv"_s)) {
        if (row.text("kind") == u"lora")
            continue;
        const Estimate figures = estimate(stepPlan(row));
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        const qint64 rest = row.number("rest");
        qint64 most = 0;
        const auto compare = [&](const QString &what, Bytes computed, qint64 recorded,
                                 double share) {
            const QString text = u"%1 %2, %3: %4, recorded %5"_s.arg(
                row.text("pipeline"), row.text("kind"), what, QString::number(computed),
                QString::number(recorded));
            QVERIFY2(isNear(computed, recorded, share), text.toUtf8());
        };
        const bool isUnet =
            !figures.settings->diffusion->first(DiffusionRole::Denoiser)->unet.empty();
        // What no loss reaches, such as the text of a last block, has no states.
        compare(u"at rest"_s, figures.atRest, rest, isUnet ? 0.001 : 0.01);
        for (const auto &[moment, column] : kMoments) {
            compare(QLatin1StringView(column), heightOf(figures, moment), rest + row.number(column),
                    isUnet ? 0.01 : 0.07);
            most = std::max(most, rest + row.number(column));
        }
        compare(u"the peak"_s, figures.peakAllocated, most,
                row.text("kind").startsWith(u"full") ? 0.03 : 0.06);
        ++compared;
    }
    QVERIFY(compared >= 21);
}

/// Adafactor's sums counted over the shapes of diffusers' own parameters, as transformers'
/// optimization.py reduces them.
void TestDiffusion::optimizersKeepTheirOwnStates()
{
    Plan plan = pipelinePlan("sdxl");
    plan.workload = Workload::Training;
    plan.precision.regime = Regime::PureBf16;
    plan.activations.checkpointing = Checkpointing::Full;
    const auto states = [&] { return test::partAt(estimate(plan), "at rest", "Optimizer states"); };
    constexpr Bytes kParameters = 2'567'463'684;
    QCOMPARE(states(), 4 * kParameters);
    plan.optimizer.name = OptimizerName::AdamW8bit;
    QCOMPARE(states(), 2 * kParameters + (kParameters + 31) / 32);
    plan.optimizer.name = OptimizerName::Adafactor;
    QCOMPARE(states(), 4 * 244'330'500);
    // The largest convolution's update: four copies in fp32.
    QCOMPARE(test::partAt(estimate(plan), "optimizer step", "Update of the largest tensor"),
             16 * 29'491'200);
    plan = pipelinePlan("sd1.5");
    plan.workload = Workload::Training;
    plan.optimizer.name = OptimizerName::Adafactor;
    QCOMPARE(states(), 4 * 457'589'700);
}

/// StableDiffusionXLPipeline casts it, unless its config says that it need not (the one that was
/// fixed for fp16); StableDiffusionPipeline does not.
void TestDiffusion::theAutoencoderOfSdxlDecodesInFp32()
{
    Plan plan = pipelinePlan("sdxl");
    const auto decoder = [&] {
        return test::partAt(estimate(plan), "decode", "VAE decoder activations");
    };
    const Bytes wide = decoder();
    plan.diffusion.vaeFormat = AutoencoderFormat::Bf16;
    QCOMPARE(2 * decoder(), wide);

    plan = {};
    std::string fixed(shippedDocument("diffusion/sdxl.json"));
    const std::string_view forced = "\"force_upcast\": true";
    const std::size_t at = fixed.find(forced);
    QVERIFY(at != std::string::npos);
    plan.model.components = fixed.replace(at, forced.size(), "\"force_upcast\": false");
    QCOMPARE(2 * decoder(), wide);

    plan = pipelinePlan("sd1.5");
    QVERIFY(resolve(plan).settings.picture.vaeFormat == AutoencoderFormat::Bf16);
}

void TestDiffusion::fluxFitsOn24GigabytesAsTheExampleSays()
{
    const Result<Plan> plan = parsePlan(shippedDocument("examples/flux-dev-24gb.vramplan"));
    QVERIFY(plan.ok());
    const Estimate figures = estimate(*plan);
    QVERIFY(figures.computed);
    QVERIFY(figures.issues.empty());
    QVERIFY(*figures.fits);
    // T5-XXL is the largest of what is there at a time once the transformer has four bits a weight.
    QCOMPARE(figures.peakAt, "encode");
    QCOMPARE(test::partAt(figures, "encode", "Text encoder T5-XXL"), 2 * 4'762'310'656);
    QCOMPARE(test::partAt(figures, "denoise", "Text encoder T5-XXL"), 0);

    Plan resident = *plan;
    resident.diffusion.offload = DiffusionOffload::None;
    resident.diffusion.transformerFormat = DiffusionFormat::Bf16;
    QVERIFY(!*estimate(resident).fits);
}

void TestDiffusion::theMomentsAreThePhasesOfACall()
{
    const Estimate figures = estimate(pipelinePlan("flux.1-dev"));
    QVERIFY(figures.computed);
    QStringList names;
    for (const Moment &moment : figures.moments) {
        names += QString::fromStdString(moment.name);
        Bytes sum = 0;
        for (const Component &component : moment.components)
            sum += component.bytes;
        QCOMPARE(sum, moment.allocated);
    }
    QCOMPARE(names, QStringList({u"encode"_s, u"denoise"_s, u"decode"_s, u"at rest"_s}));
    QVERIFY(test::partAt(figures, "decode", "VAE decoder activations") > 1'600'000'000);
    QVERIFY(test::partAt(figures, "denoise", "Transformer activations") > 480'000'000);
    QCOMPARE(figures.parametersTotal, 123'060'480 + 4'762'310'656 + 11'901'408'320 + 83'819'683);
}

void TestDiffusion::offloadTradesTheGpuForTheHost()
{
    Plan plan = pipelinePlan("wan2.2-t2v-a14b");
    const Estimate resident = estimate(plan);
    plan.diffusion.offload = DiffusionOffload::Model;
    const Estimate model = estimate(plan);
    plan.diffusion.offload = DiffusionOffload::Sequential;
    const Estimate sequential = estimate(plan);
    QCOMPARE(resident.hostBytes, 0);
    // One of the two transformers is there at a time.
    QCOMPARE(heightOf(resident, "denoise") - heightOf(model, "denoise"),
             2 * 126'892'531 + 2 * 5'680'910'336 + test::partAt(model, "denoise", "Transformer"));
    QVERIFY(sequential.peakAllocated < model.peakAllocated);
    QVERIFY(model.hostBytes > 68'000'000'000);
    QCOMPARE(sequential.hostBytes, model.hostBytes);
    QVERIFY(model.atRest < 1 << 30);
}

void TestDiffusion::guidanceInOnePassDoublesTheActivations()
{
    Plan plan = pipelinePlan("sd3.5-large");
    const Bytes guided = test::partAt(estimate(plan), "denoise", "Transformer activations");
    plan.diffusion.guidance = false;
    QCOMPARE(test::partAt(estimate(plan), "denoise", "Transformer activations"), guided / 2);
    // Qwen-Image runs the passes one after the other.
    plan = pipelinePlan("qwen-image");
    const Bytes alone = test::partAt(estimate(plan), "denoise", "Transformer activations");
    plan.diffusion.guidance = false;
    QCOMPARE(test::partAt(estimate(plan), "denoise", "Transformer activations"), alone);
}

void TestDiffusion::aQuarterOfTheBytesInNf4()
{
    Plan plan = pipelinePlan("flux.1-dev");
    plan.diffusion.transformerFormat = DiffusionFormat::Nf4;
    const Bytes elements = 11'898'322'944;
    const Bytes others = 11'901'408'320 - elements;
    QCOMPARE(test::partAt(estimate(plan), "denoise", "Transformer"),
             elements / 2 + elements / 16 + 504 * 512 + 2 * others);
    // Its text encoders are in 16 bit until the larger is quantised too, as a public comparison of
    // diffusers' back ends did: 13,511,967,113 bytes after loading.
    const auto rest = [&] {
        for (const Moment &moment : estimate(plan).moments)
            if (moment.name == "at rest")
                return moment.allocated;
        return Bytes(0);
    };
    const Bytes sixteen = rest();
    plan.diffusion.textEncoderFormat = DiffusionFormat::Nf4;
    QVERIFY(std::abs(double(rest()) / 13'511'967'113 - 1) < 0.01);
    // T5's wo matrices widen to fp32, its others shrink; CLIP stays.
    constexpr Bytes kWo = 24LL * 10'240 * 4096;
    constexpr Bytes kOthers = 24LL * (4 * 4096 * 4096 + 2 * 10'240 * 4096);
    const Bytes expected = kOthers * 2 - kOthers * 9 / 16 - 2 * kWo;
    QVERIFY(std::abs(double(sixteen - rest() - expected)) < 1'000'000);
}

void TestDiffusion::slicingAndTilingCapTheDecoder()
{
    Plan plan = pipelinePlan("flux.1-dev");
    plan.diffusion.images = 4;
    const auto decoder = [&] {
        return test::partAt(estimate(plan), "decode", "VAE decoder activations");
    };
    const Bytes together = decoder();
    plan.diffusion.vaeSlicing = true;
    QVERIFY(decoder() < together / 3);
    plan.diffusion.images = 1;
    const Bytes one = decoder();
    plan.diffusion.width = plan.diffusion.height = 4096;
    QCOMPARE(decoder(), 16 * one);
    plan.diffusion.vaeTiling = true;
    QVERIFY(decoder() < 2 * one);
}

void TestDiffusion::theSolverWeighsWhatTheEstimateSays()
{
    for (const auto &pipeline : diffusionPipelines()) {
        const Estimate figures = estimate(pipelinePlan(pipeline->id));
        const auto summary = peakSummary(*figures.settings, {});
        QVERIFY(summary);
        QCOMPARE(summary->allocated, figures.peakAllocated);
        QCOMPARE(summary->device, figures.peakDevice);
        QCOMPARE(summary->peakAt(), figures.peakAt);
    }
}

void TestDiffusion::whatIsNotKnownIsRefusedAtItsField_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");

    const auto add = [](const char *name, const char *rest, const char *field, const char *says) {
        QTest::newRow(name) << QByteArray(rest) << QString::fromLatin1(field)
                            << QString::fromLatin1(says);
    };
    add("a pipeline", R"("model":{"pipeline":"flux.1"})", "model.pipeline", "flux.1-dev");
    add("two models", R"("model":{"pipeline":"flux.1-dev","preset":"llama-3-8b"})",
        "model.pipeline", "keep one");
    add("a class", R"("model":{"components":{"unet":{"_class_name":"UNetMotionModel"}}})",
        "model.components", "UNetMotionModel");
    add("a block of a U-Net", R"("model":{"components":{"unet":{
        "_class_name":"UNet2DConditionModel","down_block_types":["AttnDownBlock2D"]}}})",
        "model.components", "unet.down_block_types");
    add("levels of a U-Net", R"("model":{"components":{"unet":{
        "_class_name":"UNet2DConditionModel","block_out_channels":[320,640,1280],
        "layers_per_block":[2,2]}}})",
        "model.components", "unet.layers_per_block");
    add("classes of a U-Net", R"("model":{"components":{"unet":{
        "_class_name":"UNet2DConditionModel","num_class_embeds":10}}})",
        "model.components", "unet.num_class_embeds");
    add("a U-Net of a transformer's pipeline", R"("model":{"components":{
        "_class_name":"FluxPipeline","text_encoder":{"_class_name":"CLIPTextModel"},
        "unet":{"_class_name":"UNet2DConditionModel"},"vae":{"_class_name":"AutoencoderKL"}}})",
        "model.components", "FluxPipeline runs a FluxTransformer2DModel");
    add("no class", R"("model":{"components":{"transformer":{"num_layers":1}}})",
        "model.components", "_class_name");
    add("a count", R"("model":{"components":{"transformer":{
        "_class_name":"FluxTransformer2DModel","num_layers":-3}}})",
        "model.components", "transformer.num_layers");
    add("two images to video", R"("model":{"components":{"transformer":{
        "_class_name":"WanTransformer3DModel","pos_embed_seq_len":514}}})",
        "model.components", "pos_embed_seq_len");
    add("an autoencoder", R"("model":{"components":{"vae":{"_class_name":"AutoencoderKLWan",
        "base_dim":128}}})",
        "model.components", "recorded");
    add("several GPUs", R"("model":{"pipeline":"flux.1-dev"},"parallel":{"tensor":2})",
        "parallel.tensor", "one GPU");
    add("an engine", R"("model":{"pipeline":"flux.1-dev"},"inference":{"engine":"vllm"})",
        "inference.engine", "diffusers");
    add("training from an image", R"("model":{"pipeline":"wan2.1-i2v-14b"},"workload":"training")",
        "workload", "not recorded");
    add("training of others", R"("model":{"pipeline":"wan2.2-ti2v-5b"},"workload":"training")",
        "workload", "not recorded");
    add("full training that keeps all", R"("model":{"pipeline":"flux.1-dev"},
        "workload":"training")",
        "activations.checkpointing", "choose full");
    add("full training in fp8", R"("model":{"pipeline":"flux.1-dev"},"workload":"training",
        "activations":{"checkpointing":"full"},"diffusion":{"transformer_format":"fp8"})",
        "diffusion.transformer_format", "bf16");
    add("a quantised base", R"("model":{"pipeline":"flux.1-dev"},"workload":"training",
        "adapters":{"kind":"lora","rank":16,"base_quantization":"nf4"})",
        "adapters.base_quantization", "diffusion.transformer_format");
    add("a kernel of a U-Net", R"("model":{"components":{"unet":{
        "_class_name":"UNet2DConditionModel","conv_in_kernel":1}}})",
        "model.components", "unet.conv_in_kernel");
    add("a GGUF file under adapters", R"("model":{"pipeline":"flux.1-dev"},
        "workload":"training","adapters":{"kind":"lora","rank":16},
        "diffusion":{"transformer_format":"q4_k_s"})",
        "diffusion.transformer_format", "is_trainable");
    add("a GGUF file of a U-Net", R"("model":{"pipeline":"sdxl"},
        "diffusion":{"transformer_format":"q8_0"})",
        "diffusion.transformer_format", "GGUF");
    add("rows that K formats leave", R"("model":{"pipeline":"sd3.5-large"},
        "diffusion":{"transformer_format":"q4_k_m"})",
        "diffusion.transformer_format", "q8_0");
    add("a GGUF file of a text encoder", R"("model":{"pipeline":"flux.1-dev"},
        "diffusion":{"text_encoder_format":"q8_0"})",
        "diffusion.text_encoder_format", "bf16");
    add("group offload of a U-Net", R"("model":{"pipeline":"sdxl"},
        "diffusion":{"offload":"group"})",
        "diffusion.offload", "sequential");
    add("an optimizer of a U-Net", R"("model":{"pipeline":"sd1.5"},
        "workload":"training","optimizer":{"name":"lion"})",
        "optimizer.name", "adafactor");
    add("a transformer in bf16", R"("model":{"pipeline":"sd3-medium"},"workload":"training",
        "activations":{"checkpointing":"full"},"precision":{"regime":"pure-bf16"})",
        "precision.regime", "autocast-bf16");
    add("DeepSpeed", R"("model":{"pipeline":"sd1.5"},"workload":"training",
        "precision":{"regime":"deepspeed-bf16"})",
        "precision.regime", "autocast-bf16");
    add("an optimizer", R"("model":{"pipeline":"flux.1-dev"},"workload":"training",
        "adapters":{"kind":"lora","rank":16},"optimizer":{"name":"lion"})",
        "optimizer.name", "adamw");
}

void TestDiffusion::whatIsNotKnownIsRefusedAtItsField()
{
    QFETCH(const QByteArray, rest);
    QFETCH(const QString, field);
    QFETCH(const QString, says);
    QByteArray json = "{\"vramscope\":1," + rest;
    if (!json.endsWith("}}"))
        json += '}';
    const qsizetype missing = json.count('{') - json.count('}');
    json += QByteArray(std::max<qsizetype>(missing, 0), '}');
    const Result<Plan> plan = parsePlan(json.toStdString());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().detail.c_str());
    const Estimate figures = estimate(*plan);
    QVERIFY(!figures.computed);
    const bool found = std::ranges::any_of(figures.issues, [&](const Issue &issue) {
        return issue.severity == Issue::Severity::Blocking && issue.field == field.toStdString() &&
               issue.text.find(says.toStdString()) != std::string::npos;
    });
    QVERIFY2(found, whyNotComputed(figures).c_str());
}

void TestDiffusion::aDescribedPipelineIsTheNamedOne()
{
    for (const auto &pipeline : diffusionPipelines()) {
        Plan plan;
        plan.model.components = std::string(shippedDocument("diffusion/" + pipeline->id + ".json"));
        const Estimate described = estimate(plan);
        const Estimate named = estimate(pipelinePlan(pipeline->id));
        QVERIFY(described.computed);
        QCOMPARE(described.peakDevice, named.peakDevice);
    }
}

/// Counts as their model cards state them, in billions.
void TestDiffusion::publishedCountsAreMet()
{
    for (const auto &[pipeline, billions] :
         {std::pair{"z-image-turbo", 6}, std::pair{"flux.2-dev", 32},
          std::pair{"flux.2-klein-4b", 4}, std::pair{"flux.2-klein-9b", 9},
          std::pair{"flux.1-kontext-dev", 12}, std::pair{"qwen-image-edit", 20}}) {
        const auto *denoiser = pipelineNamed(pipeline).first(DiffusionRole::Denoiser);
        QCOMPARE((denoiser->parameters + 500'000'000) / 1'000'000'000, billions);
    }
}

/// The latents of a reference image double the tokens of a square of a megapixel, and its encoding
/// is a pass before the first step.
void TestDiffusion::imagesToEditAreEncodedAndJoin()
{
    Plan plan = pipelinePlan("flux.1-dev");
    const Bytes made = test::partAt(estimate(plan), "denoise", "Transformer activations");
    plan = pipelinePlan("flux.1-kontext-dev");
    const Estimate edited = estimate(plan);
    constexpr Bytes kTokens = 4096;
    QCOMPARE(test::partAt(edited, "denoise", "Transformer activations"),
             made + kTokens * (34 * 3072 + 8 * 128));
    QCOMPARE(test::partAt(edited, "encode", "VAE encoder activations"),
             2 * (5 * 128 + 3) * 1024 * 1024);
    plan.diffusion.offload = DiffusionOffload::Model; // then T5 sets the height of the phase
    QCOMPARE(test::partAt(estimate(plan), "encode", "VAE encoder activations"), 0);
    plan = pipelinePlan("wan2.1-i2v-14b");
    QVERIFY(test::partAt(estimate(plan), "encode", "VAE encoder activations") > 3'000'000'000);
}

void TestDiffusion::distilledPipelinesRunNoSecondPass()
{
    Plan plan = pipelinePlan("z-image");
    const Bytes guided = test::partAt(estimate(plan), "denoise", "Transformer activations");
    plan = pipelinePlan("z-image-turbo");
    QCOMPARE(test::partAt(estimate(plan), "denoise", "Transformer activations"), guided / 2);
}

VRAMSCOPE_TEST(TestDiffusion)
#include "tst_diffusion.moc"
