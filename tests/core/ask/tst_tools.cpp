// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/tools.h"
#include "core/base/csv.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/gpu_names.h"
#include "core/estimate/estimate.h"
#include "core/exchange/export.h"
#include "core/plan/plan_json.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <set>

using namespace vramscope;

namespace {

std::vector<AskedTask> tasksOf(std::string_view names)
{
    std::vector<AskedTask> tasks;
    for (const std::string_view name : partsOf(names, '+'))
        tasks.push_back(askedTaskNamed(name).value());
    return tasks;
}

struct ToolPlan
{
    Plan plan;
    std::vector<ToolDefault> applied;
};

/// A plan of Llama 3.1 8B on an H100, changed by `setup`, with the defaults of a tool.
ToolPlan planOf(std::string_view tool, std::string_view tasks, std::string_view setup)
{
    ToolPlan it;
    const bool serves = tasks == "serve";
    it.plan.workload = serves ? Workload::Inference : Workload::Training;
    it.plan.model.preset = "llama-3.1-8b";
    it.plan.hardware.gpu = "h100-sxm-80gb";
    it.plan.hardware.gpus = 1;
    std::set<std::string_view> claimed;
    for (const std::string_view assignment : partsOf(setup, ' ')) {
        const std::string_view name = assignment.substr(0, assignment.find('='));
        const std::string full = (name == "model"  ? "model.preset"
                                  : name == "gpu"  ? "hardware.gpu"
                                  : name == "gpus" ? "hardware.gpus"
                                                   : std::string(name)) +
                                 std::string(assignment.substr(name.size()));
        if (!setWritten(it.plan, full))
            qFatal("%s", full.c_str());
        claimed.insert(findField(full.substr(0, full.find('=')))->path);
    }
    it.applied = applyDefaults(it.plan, toolNamed(tool), tasksOf(tasks),
                               [&](FieldPath path) { return claimed.contains(path); });
    return it;
}

const ToolDefault *defaultOf(const ToolPlan &it, std::string_view field)
{
    const auto found = std::ranges::find_if(
        it.applied, [&](const ToolDefault &one) { return one.field.text() == field; });
    return found == it.applied.end() ? nullptr : &*found;
}

double gibibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

} // namespace

class TestTools : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyToolHasNamesThatLeadToIt()
    {
        std::set<std::string> names;
        for (const Tool &tool : tools()) {
            QVERIFY2(names.insert(tool.name).second && !tool.title.empty(), tool.name.c_str());
            QVERIFY2(!tool.words.empty(), tool.name.c_str());
            for (const std::string &word : tool.words)
                QVERIFY2(findTool(nameKey(word), tool.kind) == &tool, word.c_str());
            QVERIFY2(tool.usualTask.empty() || askedTaskNamed(tool.usualTask), tool.name.c_str());
            if (tool.kind == ToolKind::Trainer)
                QVERIFY2(std::ranges::count(choiceTexts<Trainer>, tool.behavesAs) == 1,
                         tool.name.c_str());
            else if (!tool.behavesAs.empty())
                QVERIFY2(std::ranges::count(choiceTexts<Engine>, tool.behavesAs) == 1,
                         tool.name.c_str());
        }
        QVERIFY(findTool("transformers")->name == "transformers");
        QVERIFY(findTool("transformers", ToolKind::Trainer)->name == "hf");
        QVERIFY(!findTool("") && !findTool("llama") && !toolNamed("none"));
    }

    void everyTrainerIsAChoiceOfThePlan()
    {
        for (const std::string_view name : trainerNames()) {
            Plan plan;
            plan.model.preset = "llama-3.1-8b";
            QVERIFY(setField(plan, fieldAt("trainer"), std::string(name)).ok());
            const auto again = parsePlan(planJson(plan));
            QVERIFY(again.ok() && *again == plan);
            QVERIFY(choiceText(resolve(plan).settings.trainer) == toolNamed(name)->behavesAs);
        }
        Plan plan;
        const auto refused = setField(plan, fieldAt("trainer"), std::string("axolot"));
        QVERIFY(!refused.ok() && refused.error().detail.find("axolotl") != std::string::npos);
        QVERIFY(!setField(plan, fieldAt("trainer"), std::string("vllm")).ok());
    }

    /// Every row of the table is an assignment that the planner takes, with its tool, its tasks and
    /// a file.
    void everyRowIsAnAssignment()
    {
        const auto table = parseCsv(shippedDocument("tools/defaults.csv"));
        QVERIFY(table.ok());
        QVERIFY(table->rows.size() > 150);
        for (const CsvRow &row : table->rows) {
            const auto &cells = row.cells;
            const std::string line = "line " + std::to_string(row.line);
            QVERIFY2(cells[0] == "none" || toolNamed(cells[0]), line.c_str());
            for (const std::string_view task : partsOf(cells[1], '|'))
                QVERIFY2(askedTaskNamed(task), line.c_str());
            QVERIFY2(cells[5].find_first_of("/.") != std::string::npos, line.c_str());
            if (cells[2].empty()) {
                QVERIFY2(!cells[6].empty(), line.c_str());
                continue;
            }
            Plan plan;
            const bool isComputed = cells[3].find("*parameters") != std::string::npos;
            const auto set = setWritten(plan, cells[2] + '=' + (isComputed ? "1" : cells[3]));
            QVERIFY2(set.ok(), set ? "" : (line + ": " + set.error().detail).c_str());
        }
    }

    /// Every row of every tool comes into force in some plan: none stands behind another that
    /// always holds.
    void everyRowComesIntoForce()
    {
        std::set<const char *> met;
        constexpr std::array kSetups = {
            "",
            "gpus=8 parallel.data=8 parallel.strategy=zero3",
            "gpus=8 parallel.data=8 parallel.strategy=zero2",
            "gpus=8 parallel.data=8 parallel.strategy=fsdp2",
            "gpus=8 parallel.data=8 parallel.strategy=fsdp1",
            "gpus=8 parallel.data=8",
            "gpus=8 parallel.tensor=8 parallel.strategy=fsdp2",
            "model=qwen3-30b-a3b",
            "gpus=8 parallel.data=8 parallel.strategy=fsdp2 model=llama-3.1-70b",
            "gpus=8 parallel.data=8 parallel.strategy=fsdp2 model=llama-3.1-405b",
            "gpu=rtx-4090",
            "gpu=rtx-3060-12gb",
            "gpu=apple-m3-max-64gb",
            "inference.weight_format=q8_0",
            "inference.weight_format=mlx-4bit",
            "inference.engine=sglang",
            "batch.sequence_length=4096 loss=none"};
        std::vector<const Tool *> all = {nullptr};
        for (const Tool &tool : tools())
            all.push_back(&tool);
        for (const Tool *tool : all)
            for (const std::string_view first : kAskedTasks)
                for (const char *second : {"", "+full", "+lora", "+qlora"})
                    for (const char *setup : kSetups) {
                        const std::string tasks = std::string(first) + second;
                        const auto it = planOf(tool ? tool->name : "none", tasks, setup);
                        for (const ToolDefault &one : it.applied)
                            met.insert(one.value.data());
                    }
        for (const Tool *tool : all)
            for (std::size_t task = 0; task < kAskedTasks.size(); ++task)
                for (const ToolDefault &one : defaultsOf(tool, static_cast<AskedTask>(task)))
                    QVERIFY2(met.contains(one.value.data()),
                             qPrintable(
                                 QString::fromStdString(sourceText(one)) + ": " +
                                 one.field.text().data() + " = " +
                                 QString::fromUtf8(one.value.data(), qsizetype(one.value.size()))));
    }

    /// tests/data/tools/defaults.tsv is what the tools' own source says, by tool, version and file.
    void toolsHaveTheirDefaults_data()
    {
        QTest::addColumn<QStringList>("cells");
        QFile file(test::projectFile(QStringLiteral("tests/data/tools/defaults.tsv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines =
            QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
        for (const QString &line : lines.sliced(1)) {
            const QStringList cells = line.split(u'\t');
            QTest::newRow(qPrintable(cells.join(u' '))) << cells;
        }
        QVERIFY(lines.size() > 200);
    }

    void toolsHaveTheirDefaults()
    {
        QFETCH(QStringList, cells);
        const auto cell = [&](qsizetype at) { return cells[at].toStdString(); };
        const Tool *tool = toolNamed(cell(0));
        QVERIFY((tool ? tool->version : std::string()) == cell(1));
        const ToolPlan it = planOf(cell(0), cell(2), cell(3));
        const Field *field = findField(cell(4));
        QVERIFY(field);
        const auto now = effectiveValue(it.plan, *field);
        QCOMPARE(QString::fromStdString(fieldWords(now)),
                 QString::fromStdString(fieldWords(writtenValue(*field, cell(5)))));
        const ToolDefault *one = defaultOf(it, cell(4));
        if (cell(6).empty()) // it follows from other settings
            return;
        QVERIFY(one);
        QVERIFY2(sourceText(*one).find(cell(6)) != std::string::npos, sourceText(*one).c_str());
    }

    void whatIsClaimedStays()
    {
        const auto it = planOf("unsloth", "lora", "batch.micro_batch=1 optimizer.name=adamw");
        QVERIFY(it.plan.batch.microBatch == 1);
        QVERIFY(*it.plan.optimizer.name == OptimizerName::AdamW);
        QVERIFY(!defaultOf(it, "batch.micro_batch") && defaultOf(it, "loss"));
        QVERIFY(it.plan.trainer == "unsloth");
    }

    void lengthsEndAtTheModelsLimit()
    {
        const auto it = planOf("none", "full", "model=gpt2-medium");
        QVERIFY(it.plan.batch.sequenceLength == 1024);
    }

    void figuresAreThoseThatPeopleMeasure_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("tasks");
        QTest::addColumn<QString>("setup");
        QTest::addColumn<double>("least"); // GiB of the device at the peak
        QTest::addColumn<double>("most");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char *name, const char *tool, const char *tasks,
                            const char *setup, double least, double most, bool fits = true) {
            QTest::newRow(name) << QString::fromUtf8(tool) << QString::fromUtf8(tasks)
                                << QString::fromUtf8(setup) << least << most << fits;
        };
        row("8B, LoRA, no tool, 4090", "none", "lora", "gpu=rtx-4090", 17.5, 21);
        row("8B, LoRA, axolotl, 2k, 4090", "axolotl", "lora",
            "gpu=rtx-4090 batch.sequence_length=2048", 16.2, 21.8);
        // hiyouga/LLaMA-Factory#7409
        row("7B, LoRA r 8, LLaMA-Factory, 1,024 tokens", "llamafactory", "lora",
            "model=qwen2.5-7b adapters.rank=8 batch.sequence_length=1024 batch.micro_batch=1", 15.8,
            20.0);
        row("8B, QLoRA, unsloth, T4", "unsloth", "qlora", "gpu=t4-16gb", 6, 13);
        row("14B, QLoRA, unsloth, T4", "unsloth", "qlora", "model=qwen2.5-14b gpu=t4-16gb", 10.2,
            13.8);
        row("14B, LoRA, unsloth, 4k, A100 40GB", "unsloth", "lora",
            "model=qwen2.5-14b gpu=a100-sxm-40gb batch.sequence_length=4096 batch.micro_batch=2",
            27.3, 34.7);
        row("gpt-oss-20b, LoRA, no tool, H100", "none", "lora", "model=gpt-oss-20b", 39, 60);
        row("8B, QLoRA, no tool, 1k, 12 GB", "none", "qlora",
            "gpu=rtx-3060-12gb batch.sequence_length=1024", 6.8, 10.2);
        // Experts that bitsandbytes leaves in 16 bit against those of Unsloth's kernels.
        row("30B-A3B, QLoRA, no tool, H100", "none", "qlora", "model=qwen3-30b-a3b", 56, 66);
        row("30B-A3B, QLoRA, unsloth, 4090", "unsloth", "qlora", "model=qwen3-30b-a3b gpu=rtx-4090",
            16, 23.6);
    }

    void figuresAreThoseThatPeopleMeasure()
    {
        QFETCH(QString, tool);
        QFETCH(QString, tasks);
        QFETCH(QString, setup);
        QFETCH(double, least);
        QFETCH(double, most);
        QFETCH(bool, fits);
        const std::string words = setup.toStdString();
        const ToolPlan it = planOf(tool.toStdString(), tasks.toStdString(), words);
        const Estimate estimate = vramscope::estimate(it.plan);
        QVERIFY2(estimate.computed, whyNotComputed(estimate).c_str());
        const double device = gibibytes(estimate.peakDevice);
        QVERIFY2(device >= least && device <= most, qPrintable(QString::number(device)));
        QCOMPARE(estimate.fits, std::optional(fits));
    }

    void aToolsPlanComesBackFromItsFile_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("tasks");
        QTest::addColumn<QString>("setup");
        const char *const sharded = "gpus=8 parallel.data=8 parallel.strategy=fsdp2";
        const auto row = [](const char *tool, const char *format, const char *tasks,
                            const char *setup) {
            QTest::newRow(qPrintable(QString::fromUtf8(tool) + ' ' + tasks + ' ' + setup))
                << QString::fromUtf8(tool) << QString::fromUtf8(format) << QString::fromUtf8(tasks)
                << QString::fromUtf8(setup);
        };
        for (const char *tasks : {"lora", "qlora", "full"}) {
            row("axolotl", "axolotl", tasks, "");
            row("trl", "trl", tasks, "");
        }
        row("axolotl", "axolotl", "qlora", "model=qwen3-30b-a3b");
        row("axolotl", "axolotl", "full", sharded);
        row("axolotl", "axolotl", "lora", sharded);
        row("trl", "trl", "full", sharded);
        row("hf", "trainer", "full", "");
        row("torchtitan", "torchtitan", "full", sharded);
        row("megatron", "megatron", "full", "gpus=8 parallel.tensor=8");
        row("vllm", "vllm", "serve", "");
    }

    /// What is read back is the plan again, but for what one file of the format cannot hold: the
    /// machine, and what a note names.
    void aToolsPlanComesBackFromItsFile()
    {
        QFETCH(QString, tool);
        QFETCH(QString, format);
        QFETCH(QString, tasks);
        QFETCH(QString, setup);
        const std::string words = setup.toStdString();
        const ToolPlan it = planOf(tool.toStdString(), tasks.toStdString(), words);
        const auto exported = exportPlan(it.plan, findExportFormat(format.toStdString()).value());
        QVERIFY2(exported.ok(), exported ? "" : exported.error().detail.c_str());
        Plan base;
        base.hardware = it.plan.hardware;
        base.model = it.plan.model;
        const auto imported = importInto(base, exported->text);
        QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
        std::set<std::string_view> unsaid;
        for (const ImportNote &note : exported->notes)
            unsaid.insert(note.place);
        bool isWhole = true;
        for (const ToolDefault &one : it.applied) {
            const Field &field = fieldAt(one.field);
            isWhole = isWhole && !unsaid.contains(one.field);
            QVERIFY2(unsaid.contains(one.field) ||
                         effectiveValue(imported->plan, field) == effectiveValue(it.plan, field),
                     qPrintable(QString::fromUtf8(one.field.text().data()) + '\n' +
                                QString::fromStdString(exported->text)));
        }
        if (toolNamed(tool.toStdString())->kind == ToolKind::Trainer && tool != "megatron")
            QVERIFY(imported->plan.trainer == tool.toStdString());
        // torchtitan's TOML is older than its loss in chunks.
        QVERIFY(isWhole || (tool == "torchtitan" && unsaid.contains("loss")));
        if (!isWhole)
            return;
        const Estimate before = vramscope::estimate(it.plan);
        const Estimate after = vramscope::estimate(imported->plan);
        QVERIFY2(before.computed, whyNotComputed(before).c_str());
        QVERIFY2(after.computed, whyNotComputed(after).c_str());
        QCOMPARE(after.peakAllocated, before.peakAllocated);
    }
};

VRAMSCOPE_TEST(TestTools)
#include "tst_tools.moc"
