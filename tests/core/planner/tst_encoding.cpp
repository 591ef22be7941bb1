// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/encoding.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>

#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QByteArray encodingFile(const QString &path)
{
    QFile file(test::projectFile(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Plan seeingPlan(const QString &model, std::int64_t ranks = 1)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config =
        encodingFile(u"resources/models/configs/%1.json"_s.arg(model)).toStdString();
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.tensor = ranks;
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 32768;
    return plan;
}

Bytes encodingPart(const Estimate &it, std::string_view name)
{
    for (const Moment &moment : it.moments)
        for (const Component &component : moment.components)
            if (component.name == name)
                return component.bytes;
    return 0;
}

} // namespace

// What vLLM's profile run takes to encode the largest images of a model.
class TestEncoding : public test::Test
{
    Q_OBJECT

private slots:
    void towersTakeWhatVllmsOwnTake();
    void theLargestItemIsVllms_data();
    void theLargestItemIsVllms();
    void theCacheIsLeftWhatTheTowerDoesNotTake();
    void pixelsAndFeaturesStayWhileTheTextRuns();
    void unknownTowersAreSaidToBeMissing();
};

void TestEncoding::towersTakeWhatVllmsOwnTake()
{
    constexpr double kWithin = 0.004; // tables of windows, a class token
    const auto table =
        parseCsv(encodingFile(u"tests/measure/encoders/vllm_encoders.csv"_s).toStdString());
    QVERIFY(table.ok());
    QVERIFY(table->rows.size() >= 80);
    for (const CsvRow &line : table->rows) {
        std::map<std::string, std::string> row;
        for (std::size_t at = 0; at < table->columns.size(); ++at)
            row[table->columns[at]] = line.cells[at];
        const auto number = [&row](const char *column) { return std::stoll(row.at(column)); };
        const Settings s =
            resolve(seeingPlan(QString::fromStdString(row.at("model")), number("tensor_parallel")))
                .settings;
        QVERIFY2(!s.towers.empty(), row.at("model").c_str());
        const auto image = visualTokens(s.towers.front(), number("width"), number("height"));
        QVERIFY(image);
        const std::int64_t count = number("images");
        QCOMPARE(image->tokens * count, number("tokens"));
        const auto predicted =
            encodingPeak(s, s.towers.front(), {image->tokens * count, image->patches * count});
        const auto measured = static_cast<double>(
            std::max({number("attention"), number("feed_forward"), number("rest")}));
        const double error = static_cast<double>(predicted.value()) / measured - 1;
        QVERIFY2(std::abs(error) < kWithin,
                 qPrintable(u"%1, %2 pixels, %3 images, %4 ranks: %5"_s
                                .arg(row.at("model").c_str(), row.at("width").c_str(),
                                     row.at("images").c_str(), row.at("tensor_parallel").c_str())
                                .arg(error)));
    }
}

void TestEncoding::theLargestItemIsVllms_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("videos");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<int>("items");
    QTest::addColumn<int>("tokens");
    const auto row = [](const char *name, const QString &model, int length, int videos, int pixels,
                        int items, int tokens) {
        QTest::newRow(name) << model << length << videos << pixels << items << tokens;
    };
    const QString qwen = u"qwen2.5-vl-7b-instruct"_s;
    // vLLM says so itself: {'image': 16384, 'video': 114688}, vllm-project/vllm pull request 12604.
    row("a video of 14 frames", qwen, 128'000, 999, 0, 1, 114'688);
    row("as long as the sequence", qwen, 32'768, 999, 0, 1, 32'768);
    row("an image beside no video", qwen, 128'000, 0, 0, 1, 16'384);
    row("many small images", qwen, 32'768, 0, 28 * 28 * 1'024, 8, 8'192);
    row("a shape at most 200 times as wide", qwen, 32'768, 0, 28 * 28 * 4'099, 1, 4'098);
    row("frames beside an image", u"internvl3-8b-instruct"_s, 32'768, 999, 0, 1, 115 * 256);
    row("tiles and the whole image", u"internvl3-8b-instruct"_s, 32'768, 0, 0, 2, 2 * 13 * 256);
    row("no larger video", u"qwen3-vl-8b-instruct"_s, 128'000, 999, 0, 1, 16'384);
    row("squares", u"gemma-3-4b-it"_s, 32'768, 999, 0, 32, 8'192);
    row("tiles", u"llama-4-scout-17b-16e-instruct"_s, 32'768, 999, 0, 3, 7'344);
}

void TestEncoding::theLargestItemIsVllms()
{
    QFETCH(QString, model);
    QFETCH(int, length);
    QFETCH(int, videos);
    QFETCH(int, pixels);
    Plan plan = seeingPlan(model);
    plan.inference.maxModelLen = length;
    plan.inference.multimodal.videos = videos;
    if (pixels > 0)
        plan.inference.multimodal.maxPixels = pixels;
    const Settings s = resolve(plan).settings;
    const RankInventory rank = rankOf(s, countParameters(s.architecture), 0);
    const ProfiledEncoding it = profiledEncoding({s, rank, kvCacheOf(s, rank)});
    QTEST(int(it.items), "items");
    QTEST(int(it.all.tokens), "tokens");
}

void TestEncoding::theCacheIsLeftWhatTheTowerDoesNotTake()
{
    Plan plan = seeingPlan(u"qwen2.5-vl-7b-instruct"_s);
    plan.inference.maxNumSeqs = 256; // so that the encoder, not the sampler, is the larger part
    const Estimate videos = estimate(plan);
    plan.inference.multimodal.videos = 0;
    const Estimate images = estimate(plan);
    plan.inference.multimodal.profiled = false;
    const Estimate none = estimate(plan);
    QVERIFY(videos.computed && images.computed && none.computed);
    const Bytes video = encodingPart(videos, "Longest videos encoded in the profile run");
    const Bytes image = encodingPart(images, "Largest images encoded in the profile run");
    QCOMPARE(video, 2 * image); // two pairs of frames
    QCOMPARE(images.inference->kvCache - videos.inference->kvCache, video - image);
    QCOMPARE(encodingPart(none, "Largest images encoded in the profile run"), 0);
    QVERIFY(none.inference->kvCache > images.inference->kvCache);
}

void TestEncoding::pixelsAndFeaturesStayWhileTheTextRuns()
{
    Plan plan = seeingPlan(u"gemma-3-4b-it"_s);
    plan.inference.maxNumBatchedTokens = 512; // two images
    const Estimate it = estimate(plan);
    QCOMPARE(encodingPart(it, "Pixels of the profile run"), 2 * 4'096 * 2 * 3 * 14 * 14);
    QCOMPARE(encodingPart(it, "Encoder cache of the profile run"), 2 * 256 * 2 * 2'560);
}

void TestEncoding::unknownTowersAreSaidToBeMissing()
{
    const auto says = [](Plan plan) {
        const Estimate it = estimate(plan);
        return std::ranges::any_of(it.issues, [](const Issue &issue) {
            return issue.text.find("not the encoding") != std::string::npos;
        });
    };
    QVERIFY(!says(seeingPlan(u"qwen2.5-vl-7b-instruct"_s)));
    QVERIFY(says(seeingPlan(u"command-a-vision-07-2025"_s)));
    Plan other = seeingPlan(u"qwen2.5-vl-7b-instruct"_s);
    other.inference.engine = Engine::LlamaCpp;
    QVERIFY(says(other));
}

VRAMSCOPE_TEST(TestEncoding)
#include "tst_encoding.moc"
