// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/report/report.h"
#include "core/serving_logs/read_serving_log.h"
#include "core/trace/redaction.h"
#include "tests/support/test.h"
#include "ui/charts/segment_bars.h"
#include "ui/document/document_page.h"
#include "ui/export/report_figure.h"
#include "ui/offscreen/read_document.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/serving_log/serving_log_page.h"
#include "ui/serving_log/stage_bar.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A start of vLLM with a model of the catalogue, made up.
const QByteArray kStarted =
    "INFO [c.py:2] Initializing a V1 LLM engine (v0.10.2) with config: "
    "model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=8192\n"
    "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n"
    "INFO [w.py:2] Available KV cache memory: 17.00 GiB\n"
    "INFO [w.py:4] Maximum concurrency for 8,192 tokens per request: 17.00x\n"
    "INFO [w.py:6] Free memory on device (39.00/40.00 GiB) on startup. Desired GPU memory "
    "utilization is (0.9, 36.00 GiB). Actual usage is 14.99 GiB for weight, 3.25 GiB for peak "
    "activation, 0.76 GiB for non-torch memory, and 0.75 GiB for CUDAGraph memory.\n";

const QByteArray kRefused =
    "ValueError: Free memory on device (10.00/24.00 GiB) on startup is less than desired GPU "
    "memory utilization (0.9, 21.60 GiB). See /home/alice/run.sh\n";

std::shared_ptr<const ServingLogDocument> documentOf(const QByteArray &text)
{
    auto log = readServingLogText({text.constData(), std::size_t(text.size())});
    return log.ok() ? analyse(std::move(log).value()) : nullptr;
}

QString textsOf(const QWidget &page)
{
    QStringList texts;
    for (const QLabel *label : page.findChildren<QLabel *>())
        texts << label->text();
    return texts.join(u'\n');
}

} // namespace

/// The page of a serving engine's log.
class ServingLogPageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aFileIsOpenedByWhatItsLinesSay()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"any.name"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kStarted);
        file.close();
        const auto document = readDocument(file.fileName(), {});
        QVERIFY(document.ok());
        QVERIFY((*document)->unfitText(u"serving-log"_s).isEmpty());
        QVERIFY(!(*document)->unfitText(u"trace"_s).isEmpty());
        QWidget parent;
        const auto page = (*document)->makePage(u"any.name"_s, file.fileName(), &parent);
        QVERIFY(page->statusText().contains(u"17.0 GiB"_s));
        QVERIFY(page->table(1000).rows.size() > 8);
        QCOMPARE(page->table(2).rows.size(), std::size_t(2));
        QVERIFY(page->table(2).leftOut > 0);
    }

    void theBarAddsUpToTheGpu()
    {
        const ServingLogPage page(documentOf(kStarted), u"vllm.log"_s);
        const auto &bars = page.bar()->bars();
        QCOMPARE(bars.size(), std::size_t(1));
        QCOMPARE(bars[0].total(), Bytes(40) << 30);
        QCOMPARE(bars[0].note, u"40.0 GiB"_s);
        QCOMPARE(bars[0].segments.back().name, u"Unused"_s);
        QVERIFY(!bars[0].segments.back().color.isValid());
    }

    void theStagesAreArrowsInOrder()
    {
        const ServingLogPage page(
            documentOf("Starting to load model m...\n"
                       "Model loading took 5.00 GiB memory and 2.5 seconds\n"
                       "Available KV cache memory: -1.00 GiB\n"
                       "ValueError: No available memory for the cache blocks.\n"),
            u"vllm.log"_s);
        const StageBar &bar = *page.stages();
        QVERIFY(!bar.isHidden());
        // The texts under the mouse, from left to right.
        QStringList texts;
        for (int x = 0; x < bar.width(); x += 4)
            if (const QString text = bar.hoverText(QPointF(x, 10));
                !text.isEmpty() && !texts.contains(text))
                texts << text;
        QCOMPARE(texts.size(), 2);
        QVERIFY(texts[0].contains(u"Load weights"_s));
        QVERIFY(texts[0].contains(u"5.00 GiB, 2.5 s"_s));
        QVERIFY(texts[0].contains(u"lines 1 to 2"_s));
        QVERIFY(texts[1].contains(u"ended here"_s));
        QVERIFY(page.stages()->accessibleDescription().contains(u"Cache (failed)"_s));
        const ServingLogPage other(documentOf("GPU KV cache size: 1,000 tokens\n"), u"x.log"_s);
        QVERIFY(other.stages()->accessibleDescription().contains(u"Cache"_s));
    }

    void whatSglangDoesNotTellIsNotLeftForActivations()
    {
        const ServingLogPage page(
            documentOf("Load weight begin. avail mem=40.00 GB\n"
                       "Load weight end. type=x, avail mem=25.00 GB, mem usage=15.00 GB.\n"
                       "KV Cache is allocated. #tokens: 1000, K size: 8.00 GB, V size: 8.00 GB\n"
                       "Memory pool end. avail mem=7.00 GB\n"
                       "Capture cuda graph end. Time elapsed: 5.37 s. mem usage=1.00 GB. avail "
                       "mem=6.00 GB.\n"),
            u"sglang.log"_s);
        const auto &segments = page.bar()->bars().at(0).segments;
        QCOMPARE(page.bar()->bars()[0].total(), Bytes(40) << 30);
        QCOMPARE(segments.size(), std::size_t(5));
        QCOMPARE(segments[3].name, u"Others, not in the log"_s);
        QCOMPARE(segments[3].bytes, Bytes(2) << 30); // 40 - 15 - 16 - 7
        QCOMPARE(segments[4].bytes, Bytes(6) << 30);
    }

    void theTierInTheHostsMemoryIsABarOfItsOwn()
    {
        const ServingLogPage page(
            documentOf("Load weight begin. avail mem=40.00 GB\n"
                       "Load weight end. type=x, avail mem=25.00 GB, mem usage=15.00 GB.\n"
                       "KV Cache is allocated. #tokens: 1000, K size: 8.00 GB, V size: 8.00 GB\n"
                       "Memory pool end. avail mem=7.00 GB\n"
                       "Allocating 34.36 GB host memory for hierarchical KV cache.\n"),
            u"sglang.log"_s);
        const auto &bars = page.bar()->bars();
        QCOMPARE(bars.size(), std::size_t(2));
        QCOMPARE(bars[0].total(), Bytes(40) << 30);
        QCOMPARE(bars[1].total(), Bytes(34'360'000'000)); // SGLang divides by 1e9 here alone
    }

    void devicesOfLlamaHaveABarEach()
    {
        const auto document =
            documentOf("load_tensors:   CUDA0 model buffer size =   100.00 MiB\n"
                       "load_tensors:   CUDA1 model buffer size =   50.00 MiB\n"
                       "llama_kv_cache:      CUDA1 KV buffer size =    30.00 MiB\n");
        const ServingLogPage page(document, u"vllm.log"_s);
        QCOMPARE(page.bar()->bars().size(), std::size_t(2));
        QCOMPARE(page.bar()->bars()[1].name, u"CUDA1"_s);
        QCOMPARE(page.bar()->bars()[1].total(), Bytes(80) << 20);
    }

    void takingOverOpensThePlanWithTheCacheOfTheLog()
    {
        ServingLogPage page(documentOf(kStarted), u"vllm.log"_s);
        QSignalSpy wanted(&page, &ServingLogPage::planWanted);
        QVERIFY(page.takeOverButton()->isEnabled());
        page.openButton()->click();
        page.takeOverButton()->click();
        QCOMPARE(wanted.size(), 2);
        const auto opened = wanted[0][0].value<Plan>();
        QCOMPARE(opened.model.preset, std::optional<std::string>("llama-3.1-8b"));
        QVERIFY(!opened.inference.activationPeakBytes); // which the plan works out by itself
        const Estimate measured = estimate(wanted[1][0].value<Plan>());
        QVERIFY(measured.inference);
        QCOMPARE(measured.inference->kvCache, Bytes(17) << 30);
    }

    void aPlanStandsBesideTheLog()
    {
        QWidget parent;
        const auto page = documentOf(kStarted)->makePage(u"vllm.log"_s, {}, &parent);
        QVERIFY(page->takesPlan());
        PlansBeside *beside = page->plansBeside();
        QVERIFY(beside && beside->plans().empty());
        Plan plan;
        plan.model.preset = "llama-3.1-8b";
        plan.inference.maxModelLen = 4096;
        beside->addPlan({plan, u"Mine"_s});
        QCOMPARE(beside->plans().size(), std::size_t(1));
        QVERIFY(textsOf(parent).contains(u"The log next to Mine"_s));
        auto *shown = qobject_cast<ServingLogPage *>(page.get());
        QVERIFY(shown->takeOverButton()->text().contains(u"Mine"_s));
        QSignalSpy edits(page.get(), &DocumentPage::editWanted);
        shown->takeOverButton()->click();
        QCOMPARE(edits.size(), 1);
        QVERIFY(edits[0][1].toString().contains(u"vllm.log"_s));
        const auto edited = edits[0][0].value<Plan>();
        QCOMPARE(edited.inference.maxModelLen, std::optional<std::int64_t>(8192));
        QCOMPARE(estimate(edited).inference->kvCache, Bytes(17) << 30);
        beside->addPlan({edited, u"Mine"_s});
        QCOMPARE(shown->shown()->implied.plan.plan.inference.maxModelLen,
                 std::optional<std::int64_t>(8192));
        beside->setPlanMissing(u"It was closed."_s);
        QVERIFY(textsOf(parent).contains(u"It was closed."_s));
        QVERIFY(!shown->takeOverButton()->isEnabled());
    }

    void aRefusalIsTheAnswerAndNothingIsTakenOver()
    {
        const auto document = documentOf(kRefused);
        const ServingLogPage page(document, u"vllm.log"_s);
        const QString texts = textsOf(page);
        QVERIFY(texts.contains(u"The engine refused to start"_s));
        QVERIFY(texts.contains(u"Too little is free"_s));
        QVERIFY(texts.contains(u"Change: --gpu-memory-utilization 0.41"_s));
        QVERIFY(page.stages()->accessibleDescription().contains(u"Start (failed)"_s));
        QVERIFY(!page.takeOverButton()->isEnabled());
        QVERIFY(!page.takeOverButton()->toolTip().isEmpty());
        QVERIFY(page.openButton()->isEnabled());
    }

    void theUnitChangesEveryFigure()
    {
        ServingLogPage page(documentOf(kStarted), u"vllm.log"_s);
        QVERIFY(textsOf(page).contains(u"17.0 GiB"_s));
        page.setUnit(ByteUnit::Decimal);
        QVERIFY(textsOf(page).contains(u"18.3 GB"_s));
        QVERIFY(!textsOf(page).contains(u"17.0 GiB"_s));
    }

    void aReportAndAPresentationShowIt()
    {
        const DocumentPointer document = documentOf(kStarted);
        QCOMPARE(document->reportSources(u"vllm.log"_s)->size(), std::size_t(1));
        Report report;
        document->addReportSection(report, "vllm.log", 3, ByteUnit::Binary);
        const auto has = [&](const auto &is) { return std::ranges::any_of(report.blocks, is); };
        QVERIFY(has([](const ReportBlock &block) {
            const auto *answer = std::get_if<Paragraph>(&block);
            return answer && answer->isAnswer && answer->text.find("17.0 GiB") != answer->text.npos;
        }));
        QVERIFY(has([](const ReportBlock &block) {
            const auto *heading = std::get_if<Heading>(&block);
            return heading && heading->text == "The log next to its plan";
        }));
        QVERIFY(has([](const ReportBlock &block) {
            const auto *figure = std::get_if<Figure>(&block);
            return figure && figure->id == "budget-3";
        }));
        const std::vector<ReportFigure> figures = document->reportFigures(3, {});
        QCOMPARE(figures.size(), std::size_t(1));
        QCOMPARE(figures[0].id, std::string("budget-3"));
        QCOMPARE(figures[0].paint(800, lightTheme()).size.width(), 800);

        QWidget parent;
        const auto page = document->makePage(u"vllm.log"_s, {}, &parent);
        QVERIFY(page->isPresentable());
        const std::vector<StageItem> items = page->stageItems();
        QVERIFY(items.size() >= 3);
        QVERIFY(items[0].scene().headline.contains(u"17.0 GiB"_s));
        QVERIFY(items[0].scene().view);
        for (const StageItem &item : items)
            QVERIFY(!item.scene().headline.isEmpty());
        // Of a log without parts there is no picture.
        Report refused;
        documentOf(kRefused)->addReportSection(refused, "x", 1, ByteUnit::Binary);
        QVERIFY(documentOf(kRefused)->reportFigures(1, {}).empty());
    }

    void namesAreTakenOut()
    {
        const DocumentPointer document = documentOf(kRefused);
        Redaction redaction;
        document->gatherNames(redaction);
        const DocumentPointer without = document->withoutNames(redaction);
        QWidget parent;
        const auto page = without->makePage({}, {}, &parent);
        QVERIFY(!textsOf(parent).contains(u"alice"_s));
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::ServingLogPageTest)
#include "tst_serving_log_page.moc"
