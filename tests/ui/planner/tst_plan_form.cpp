// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "core/settings/field_text.h"
#include "core/settings/plan_edit.h"
#include "tests/support/test.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/form_search.h"
#include "ui/planner/number_box.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/stop_slider.h"
#include "ui/support/text.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan formPlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    return plan;
}

/// A value that a field takes and that differs from its default.
FieldValue otherValue(const Field &field)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return true;
    case FieldKind::Count:
    case FieldKind::Size:
        return std::int64_t(std::clamp(3.0, field.minimum, field.maximum));
    case FieldKind::Number:
        return std::clamp(0.75, field.minimum, field.maximum);
    case FieldKind::Choice:
        return std::string(field.choices.back());
    case FieldKind::Choices:
        return TextList{std::string(field.choices.front())};
    case FieldKind::Texts:
        return TextList{"reserved_factor from a, b.pickle", "nccl_bytes from c.pickle"};
    case FieldKind::Text:
        return std::string(field.path == "hardware.gpu"               ? "a100-sxm-40gb"
                           : field.path == "model.pipeline"           ? "sd3.5-large"
                           : field.path == "overheads.alloc_conf"     ? "expandable_segments:True"
                           : field.path == "inference.engine_version" ? "0.18.0"
                           : field.path == "trainer_version"          ? "1.10"
                                                                      : "gpt2-large");
    case FieldKind::Counts:
        return CountList{20, 12};
    case FieldKind::Object:
        return std::string(R"({"hidden_size":64,"intermediate_size":128,"model_type":"llama",)"
                           R"("num_attention_heads":4,"num_hidden_layers":2,"vocab_size":320})");
    }
    return {};
}

/// Does what a user does to the control of a row to reach a value.
void operate(const FieldRow &row, const FieldValue &value)
{
    FieldControl *control = row.control();
    if (auto *number = control->findChild<NumberBox *>()) {
        number->setText(numberText(value, FieldKind::Count));
        Q_EMIT number->textEdited(number->text());
    } else if (row.field().kind == FieldKind::Object) {
        control->findChild<QPushButton *>()->click();
        auto *dialog = control->findChild<QDialog *>();
        QVERIFY(dialog);
        dialog->findChild<QPlainTextEdit *>()->setPlainText(
            toQString(std::get<std::string>(value)));
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
    } else if (row.field().kind == FieldKind::Text && !control->findChild<ChoiceBox *>()) {
        auto *box = control->findChild<QLineEdit *>();
        box->setText(toQString(std::get<std::string>(value)));
        Q_EMIT box->textEdited(box->text());
    } else if (row.field().kind == FieldKind::Texts) {
        auto *box = control->findChild<QLineEdit *>();
        QStringList texts;
        for (const std::string &text : std::get<TextList>(value))
            texts.append(toQString(text));
        box->setText(texts.join(u';'));
        Q_EMIT box->textEdited(box->text());
    } else if (const auto *counts = std::get_if<CountList>(&value)) {
        auto *box = control->findChild<QLineEdit *>();
        QVERIFY(box);
        QStringList numbers;
        for (const std::int64_t count : *counts)
            numbers.append(QString::number(count));
        box->setText(numbers.join(u','));
        Q_EMIT box->textEdited(box->text());
    } else if (auto *check = control->findChild<QCheckBox *>()) {
        check->setChecked(!std::get<bool>(value));
        check->click();
    } else if (auto *choice = control->findChild<ChoiceBox *>()) {
        const int index = choice->findData(toQString(std::get<std::string>(value)));
        QVERIFY(index >= 0);
        Q_EMIT choice->activated(index);
    } else if (auto *list = control->findChild<QPushButton *>()) {
        for (QAction *action : list->menu()->actions()) {
            const auto &texts = std::get<TextList>(value);
            const bool wanted = std::find(texts.begin(), texts.end(),
                                          action->data().toString().toStdString()) != texts.end();
            if (action->isChecked() != wanted)
                action->trigger();
        }
    }
}

/// What a control shows, as text.
QString shown(const FieldRow &row)
{
    const FieldControl *control = row.control();
    if (const auto *number = control->findChild<NumberBox *>())
        return number->text();
    if (const auto *check = control->findChild<QCheckBox *>())
        return check->isChecked() ? u"on"_s : u"off"_s;
    if (const auto *choice = control->findChild<ChoiceBox *>())
        return choice->currentData().toString();
    if (const auto *line = control->findChild<QLineEdit *>())
        return line->toolTip().isEmpty() ? line->text() : line->toolTip();
    if (const auto *button = control->findChild<QPushButton *>())
        return button->menu() ? button->toolTip() : button->text();
    return {};
}

QString shownAs(const Field &field, const FieldValue &value)
{
    if (field.path == "model.checkpoint")
        return u"a table…"_s;
    if (field.kind == FieldKind::Object)
        return u"own, 6 keys…"_s;
    if (const bool *yes = std::get_if<bool>(&value))
        return *yes ? u"on"_s : u"off"_s;
    if (const auto *text = std::get_if<std::string>(&value))
        return toQString(*text);
    if (const auto *list = std::get_if<TextList>(&value)) {
        QStringList texts;
        for (const std::string &text : *list)
            texts.append(toQString(text));
        return texts.join(u'\n'); // each in a line of the tooltip
    }
    if (const auto *counts = std::get_if<CountList>(&value))
        return QStringLiteral("%1, %2").arg(counts->at(0)).arg(counts->at(1));
    return numberText(value, field.kind);
}

} // namespace

class PlanFormTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldHasAControl();
    void everyControlSetsItsField_data();
    void everyControlSetsItsField();
    void everyControlShowsItsField_data() { everyControlSetsItsField_data(); }
    void everyControlShowsItsField();
    void fieldsThatMeanNothingAreHidden_data();
    void fieldsThatMeanNothingAreHidden();
    void anEmptyBoxShowsTheDefaultGreyed();
    void typedNumbersMayCarrySeparatorsAndUnits_data();
    void typedNumbersMayCarrySeparatorsAndUnits();
    void aTextThatIsNoNumberSetsNothing_data();
    void aTextThatIsNoNumberSetsNothing();
    void aValueOutOfRangeIsRefusedAtTheField();
    void whatTheValidatorObjectsToIsSaidAtTheField();
    void aFormMayGoAwayWhileABoxHasTheFocus();
    void everyChoiceFitsItsBox();
    void typingIntoTheBoxOfTheGpuReplacesItsText();
    void theWheelOverAnUnfocusedSliderChangesNothing();
    void arrowKeysStepAlongTheSlider();
    void theGpusStayAndDataParallelismGivesWay();
    void degreesThatOverflowAreRefusedCalmly();
    void theSearchFindsFoldedSettingsByAnyOfTheirWords();
    void theSearchSaysWhereNoSettingHasItsWords();
    void aSettingThatIsGoneToIsShownWhateverIsSearchedFor();
    void hiddenSettingsSayWhy();
    void allSettingsGoBackInOneStep();
    void aConfigOfOnesOwnReplacesThePreset();
    void aBrokenConfigIsRefusedInItsDialog();
    void editsAreNamedInTheHistory();
    void aConstantTakenOverFromARecordingSaysSo();
    void anEditTakesTheMarkOfAConstantAway();
    void aPipelineIsChosenFromTheListOfModels();
};

void PlanFormTest::everyFieldHasAControl()
{
    PlanForm form;
    for (const Field &field : planFields())
        QVERIFY2(form.row(field.path) != nullptr, qPrintable(toQString(field.path)));
    QCOMPARE(formFields().size(), planFields().size());
}

void PlanFormTest::everyControlSetsItsField_data()
{
    QTest::addColumn<QString>("path");
    for (const Field *field : formFields())
        QTest::newRow(std::string(field->path).c_str()) << toQString(field->path);
}

void PlanFormTest::everyControlSetsItsField()
{
    QFETCH(const QString, path);
    const Field &field = *findField(path.toStdString());
    PlanPage page;
    page.setPlan(formPlan(), {});
    const FieldValue wanted = otherValue(field);
    operate(*page.form()->row(field.path), wanted);
    QVERIFY(field.get(page.plan()) == wanted);
    // The document says the same, and the page shows what the command line computes of it.
    const auto document = parsePlan(planJson(page.plan()));
    QVERIFY2(document.ok(), document ? "" : document.error().text().c_str());
    QVERIFY(*document == page.plan());
    const Estimate computed = estimate(*document);
    QCOMPARE(page.estimate().peakAllocated, computed.peakAllocated);
    QCOMPARE(page.estimate().peakReserved, computed.peakReserved);
    QCOMPARE(page.estimate().peakDevice, computed.peakDevice);
    if (computed.computed)
        QCOMPARE(page.answer()->headline(), toQString(answerLine(page.plan(), computed)));
    const FieldRow *row = page.form()->row(field.path);
    // The list of models shows a pipeline, in place of a row of its own.
    if (field.applies(*page.estimate().settings) && field.path != "model.pipeline")
        QVERIFY(row->isChanged());
    page.undoStack()->undo();
    QVERIFY(page.plan() == formPlan());
}

void PlanFormTest::everyControlShowsItsField()
{
    QFETCH(const QString, path);
    const Field &field = *findField(path.toStdString());
    Plan plan = formPlan();
    const FieldValue value = otherValue(field);
    QVERIFY(setField(plan, field, value).ok());
    FieldRow row(field);
    row.showValue(field.get(plan), effectiveValue(plan, field), true);
    QCOMPARE(shown(row), shownAs(field, value));
}

void PlanFormTest::fieldsThatMeanNothingAreHidden_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("visible");
    QTest::newRow("sharding with FSDP") << u"parallel.sharding"_s << QString() << QString() << true;
    QTest::newRow("sharding with DDP")
        << u"parallel.sharding"_s << u"parallel.strategy"_s << u"ddp"_s << false;
    QTest::newRow("every without every-k")
        << u"activations.every"_s << QString() << QString() << false;
    QTest::newRow("every with every-k")
        << u"activations.every"_s << u"activations.checkpointing"_s << u"every-k"_s << true;
    QTest::newRow("chunks with a chunked loss")
        << u"loss_chunks"_s << u"loss"_s << u"chunked"_s << true;
    QTest::newRow("chunks otherwise") << u"loss_chunks"_s << QString() << QString() << false;
    QTest::newRow("the engine in training")
        << u"inference.engine"_s << QString() << QString() << false;
    QTest::newRow("the engine in inference")
        << u"inference.engine"_s << u"workload"_s << u"inference"_s << true;
    QTest::newRow("the optimizer in inference")
        << u"optimizer.name"_s << u"workload"_s << u"inference"_s << false;
    QTest::newRow("rank without adapters") << u"adapters.rank"_s << QString() << QString() << false;
    QTest::newRow("rank with adapters")
        << u"adapters.rank"_s << u"adapters.kind"_s << u"lora"_s << true;
    QTest::newRow("experts of a dense model")
        << u"parallel.expert"_s << QString() << QString() << false;
    QTest::newRow("experts of a model that has some")
        << u"parallel.expert"_s << u"model.preset"_s << u"mixtral-8x7b"_s << true;
    QTest::newRow("a folded field") << u"precision.linear"_s << QString() << QString() << false;
    QTest::newRow("a folded field that is stated")
        << u"precision.linear"_s << u"precision.linear"_s << u"fp8"_s << true;
}

void PlanFormTest::fieldsThatMeanNothingAreHidden()
{
    QFETCH(const QString, path);
    QFETCH(const QString, field);
    QFETCH(const QString, value);
    QFETCH(const bool, visible);
    Plan plan = formPlan();
    if (!field.isEmpty())
        QVERIFY(setField(plan, *findField(field.toStdString()), value.toStdString()).ok());
    PlanForm form;
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    const FieldRow *row = form.row(path.toStdString());
    QCOMPARE(row->isVisibleTo(row->parentWidget()), visible);
}

void PlanFormTest::anEmptyBoxShowsTheDefaultGreyed()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    auto *box = page.form()->row("batch.sequence_length")->findChild<NumberBox *>();
    QCOMPARE(box->text(), QString());
    QCOMPARE(box->placeholderText(), u"2,048"_s);
    box->setText(u"8192"_s);
    Q_EMIT box->textEdited(box->text());
    QCOMPARE(page.plan().batch.sequenceLength, std::optional<std::int64_t>(8192));
    box->clear();
    Q_EMIT box->textEdited({});
    QVERIFY(!page.plan().batch.sequenceLength);
}

void PlanFormTest::typedNumbersMayCarrySeparatorsAndUnits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("valid");
    QTest::addColumn<double>("value");
    const auto row = [](const char *text, const char *path, std::optional<double> value) {
        QTest::addRow("%s of %s", text, path) << QString::fromUtf8(text) << QString::fromUtf8(path)
                                              << value.has_value() << value.value_or(0);
    };
    row("1,048,576", "batch.sequence_length", 1048576);
    row("8k", "batch.sequence_length", 8192);
    row("-1", "parallel.stage", -1);
    row("1.5", "batch.micro_batch", {});
    row("1000", "hardware.capacity_bytes", 1000);
    row("1.5 GiB", "hardware.capacity_bytes", 1610612736);
    row("80GB", "hardware.capacity_bytes", 8e10);
    row("99999999999 TiB", "hardware.capacity_bytes", {});
    row("0.9", "inference.gpu_memory_utilization", 0.9);
    row("0,9", "inference.gpu_memory_utilization", {}); // and not 9
    row("nan", "inference.gpu_memory_utilization", {});
    row("many", "batch.micro_batch", {});
    row("20B", "run.tokens", 20e9);
    row("20 b", "run.tokens", 20e9);
    row("1.5T", "run.tokens", 1.5e12);
    row("300k", "run.tokens", 300e3);
    row("500M", "run.tokens", 500e6);
    row("20,000,000,000", "run.tokens", 20e9);
    row("20x", "run.tokens", {});
    row("20B", "batch.sequence_length", {});
}

void PlanFormTest::typedNumbersMayCarrySeparatorsAndUnits()
{
    QFETCH(const QString, text);
    QFETCH(const QString, path);
    QFETCH(const bool, valid);
    QFETCH(const double, value);
    const auto parsed = parseNumber(text, *findField(path.toStdString()));
    QCOMPARE(parsed.has_value(), valid);
    if (!parsed)
        return;
    if (const double *real = std::get_if<double>(&*parsed))
        QCOMPARE(*real, value);
    else
        QCOMPARE(double(std::get<std::int64_t>(*parsed)), value);
}

// What cannot be read computes nothing, and above all not the part of it that could be.
void PlanFormTest::aTextThatIsNoNumberSetsNothing_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::newRow("tokens") << u"run.tokens"_s << u"20x"_s;
    QTest::newRow("tokens of everyone") << u"run.tokens"_s << u"20000T"_s;
    QTest::newRow("a length") << u"batch.sequence_length"_s << u"8kk"_s;
    QTest::newRow("too many") << u"batch.micro_batch"_s << u"99999999"_s;
    QTest::newRow("a size") << u"hardware.capacity_bytes"_s << u"80 gigs"_s;
}

void PlanFormTest::aTextThatIsNoNumberSetsNothing()
{
    QFETCH(const QString, path);
    QFETCH(const QString, text);
    Plan plan = formPlan();
    plan.run.tokens = 5'000'000'000;
    PlanPage page;
    page.setPlan(plan, {});
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    FieldRow *row = page.form()->row(path.toStdString());
    page.form()->goTo(path.toStdString());
    auto *box = row->findChild<QLineEdit *>();
    box->setFocus();
    QVERIFY(box->hasFocus());
    box->selectAll();
    QTest::keyClicks(box, text);
    QVERIFY(page.plan() == plan);
    QVERIFY2(row->issueText().startsWith(toQString(row->field().label)), // not by its path
             qPrintable(row->issueText()));
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(page.plan() == plan);
    // Another edit changes neither what stands there nor why it was refused.
    page.setUnit(ByteUnit::Decimal);
    QCOMPARE(box->text(), text);
    QVERIFY(!row->issueText().isEmpty());
    // The value that it was is fine again.
    box->selectAll();
    QTest::keyClick(box, Qt::Key_Delete);
    QTest::keyClicks(box, numberText(row->field().get(plan), row->field().kind));
    QVERIFY(page.plan() == plan);
    QVERIFY2(row->issueText().isEmpty(), qPrintable(row->issueText()));
}

void PlanFormTest::aValueOutOfRangeIsRefusedAtTheField()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    FieldRow *row = page.form()->row("batch.micro_batch");
    operate(*row, std::int64_t(0));
    QVERIFY(page.plan() == formPlan());
    QVERIFY(!row->issueText().isEmpty());
    QVERIFY(page.undoStack()->isClean());
}

void PlanFormTest::whatTheValidatorObjectsToIsSaidAtTheField()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    FieldRow *row = page.form()->row("parallel.tensor");
    operate(*row, std::int64_t(3));
    QVERIFY2(row->issueText().contains(u"32 attention heads"_s), qPrintable(row->issueText()));
    operate(*row, std::int64_t(1));
    QVERIFY(row->issueText().isEmpty());
}

void PlanFormTest::aFormMayGoAwayWhileABoxHasTheFocus()
{
    int gestures = 0;
    {
        PlanForm form;
        form.showPlan(formPlan(), estimate(formPlan()), formPlan(), estimate(formPlan()));
        form.show();
        form.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&form));
        auto *box = form.row("batch.micro_batch")->findChild<QLineEdit *>();
        box->setFocus();
        QVERIFY(box->hasFocus());
        connect(&form, &PlanForm::gestureEnded, this, [&] { ++gestures; });
    }
    QCOMPARE(gestures, 0);
}

void PlanFormTest::everyChoiceFitsItsBox()
{
    PlanForm form;
    form.resize(320, 800);
    form.showPlan(Plan(), estimate(Plan()), Plan(), estimate(Plan()));
    form.show();
    QStringList tooLong;
    const int box = form.row("activations.kernels")->findChild<QComboBox *>()->width();
    for (const Field *field : formFields()) {
        if (field->kind != FieldKind::Choice)
            continue;
        for (const std::string_view choice : field->choices) {
            const QString title = toQString(choiceTitle(*field, choice));
            if (form.fontMetrics().horizontalAdvance(title) > box - 34)
                tooLong += title;
        }
    }
    QCOMPARE(tooLong.join(u", "_s), QString());
}

void PlanFormTest::typingIntoTheBoxOfTheGpuReplacesItsText()
{
    PlanForm form;
    Plan plan;
    plan.hardware.gpu = "h100-sxm-80gb";
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    form.show();
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    auto *box = form.row("hardware.gpu")->findChild<ChoiceBox *>();
    const QString shown = box->currentText();
    QTest::mouseClick(box->lineEdit(), Qt::LeftButton);
    QVERIFY(box->hasFocus());
    QCoreApplication::sendPostedEvents();
    QTest::keyClicks(box, u"zz"_s);
    QCOMPARE(box->currentText(), u"zz"_s);
    form.row("parallel.data")->control()->setFocus();
    QCOMPARE(box->currentText(), shown);
}

void PlanFormTest::theWheelOverAnUnfocusedSliderChangesNothing()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    page.resize(1200, 800);
    page.show();
    for (QWidget *target : std::initializer_list<QWidget *>{
             page.form()->row("batch.micro_batch")->findChild<StopSlider *>(),
             page.form()->row("parallel.strategy")->findChild<ChoiceBox *>(),
             page.form()->row("batch.micro_batch")->findChild<NumberBox *>()}) {
        const QPointF middle = QRectF(target->rect()).center();
        QWheelEvent wheel(middle, target->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &wheel);
        QVERIFY(page.plan() == formPlan());
    }
}

void PlanFormTest::arrowKeysStepAlongTheSlider()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    page.show();
    auto *box = page.form()->row("batch.micro_batch")->findChild<NumberBox *>();
    QTest::keyClick(box, Qt::Key_Up);
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(4));
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(2));
}

void PlanFormTest::theGpusStayAndDataParallelismGivesWay()
{
    const Plan plan = formPlan();
    const auto edited = [&](const Plan &from, const char *path, std::int64_t value) {
        return editedPlan(from, *findField(path), value).value();
    };
    QCOMPARE(edited(plan, "parallel.data", 16).hardware.gpus, std::optional<std::int64_t>(16));
    for (const char *degree : {"parallel.tensor", "parallel.pipeline", "parallel.context"}) {
        const Plan split = edited(plan, degree, 8);
        QCOMPARE(split.hardware.gpus, std::optional<std::int64_t>(8));
        QCOMPARE(split.parallel.data, std::optional<std::int64_t>(1));
        QVERIFY(estimate(split).computed);
        QVERIFY(edited(split, degree, 1) == edited(plan, degree, 1));
    }
    Plan experts = plan;
    experts.model.preset = "mixtral-8x7b";
    QVERIFY(edited(experts, "parallel.expert", 8).parallel.data == 8); // inside the same GPUs
    QVERIFY(estimate(edited(experts, "parallel.expert", 8)).computed);
    const Plan split = edited(plan, "parallel.tensor", 4);
    QCOMPARE(edited(split, "hardware.gpus", 64).parallel.data, std::optional<std::int64_t>(16));
    QCOMPARE(edited(split, "hardware.gpus", 6).parallel.data, std::optional<std::int64_t>(2));
    const Plan tooFew = edited(plan, "parallel.tensor", 16); // is refused, and mended by the GPUs
    QCOMPARE(tooFew.hardware.gpus, std::optional<std::int64_t>(8));
    QVERIFY(!estimate(tooFew).computed);
    QVERIFY(estimate(edited(tooFew, "hardware.gpus", 32)).computed);
    Plan silent = plan;
    silent.hardware.gpus.reset();
    QVERIFY(!edited(silent, "parallel.data", 16).hardware.gpus); // not stated: it is the world
    Plan disagreeing = plan;
    disagreeing.hardware.gpus = 4;
    QCOMPARE(edited(disagreeing, "parallel.data", 2).hardware.gpus, std::optional<std::int64_t>(4));
}

void PlanFormTest::degreesThatOverflowAreRefusedCalmly()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    for (const char *path :
         {"parallel.data", "parallel.tensor", "parallel.pipeline", "parallel.context"})
        QVERIFY(page.edit(*findField(path), std::int64_t(100'000)).ok());
    QVERIFY(!page.estimate().computed);
}

void PlanFormTest::theSearchFindsFoldedSettingsByAnyOfTheirWords()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    auto *search = page.form()->head()->findChild<QLineEdit *>();
    const auto shown = [&](const char *path) {
        const FieldRow *row = page.form()->row(path);
        return row->isVisibleTo(row->parentWidget());
    };
    QVERIFY(!shown("parallel.context"));
    search->setText(u"CONTEXT parallel"_s); // label, path, help and group, in any order
    QVERIFY(shown("parallel.context"));
    QVERIFY(!shown("batch.micro_batch"));
    search->setText(u"bucket"_s);
    QVERIFY(!shown("parallel.bucket.reduce_bucket_size")); // of ZeRO, which this plan is not
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(search->text(), QString());
    QVERIFY(shown("batch.micro_batch"));
    QVERIFY(!shown("parallel.context"));
}

void PlanFormTest::theSearchSaysWhereNoSettingHasItsWords()
{
    PlanForm form;
    form.showPlan(formPlan(), estimate(formPlan()), formPlan(), estimate(formPlan()));
    form.head()->findChild<QLineEdit *>()->setText(u"zebra"_s);
    QStringList said;
    for (const QLabel *label : form.findChildren<QLabel *>()) {
        if (label->isVisibleTo(&form))
            said += label->text();
    }
    QCOMPARE(said, QStringList(u"No setting has “zebra”."_s));
}

void PlanFormTest::aSettingThatIsGoneToIsShownWhateverIsSearchedFor()
{
    PlanForm form;
    form.showPlan(formPlan(), estimate(formPlan()), formPlan(), estimate(formPlan()));
    form.head()->findChild<QLineEdit *>()->setText(u"zebra"_s);
    form.goTo("overheads.nccl_bytes");
    QVERIFY(form.row("overheads.nccl_bytes")->isVisibleTo(&form));
}

void PlanFormTest::hiddenSettingsSayWhy()
{
    PlanForm form;
    Plan plan = formPlan();
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    const auto more = [&] {
        for (auto *button : form.findChildren<QToolButton *>()) {
            if (button->isVisibleTo(&form) && button->text().endsWith(u"more"_s))
                button->click();
        }
    };
    const auto said = [&](const QString &text) {
        form.showPlan(plan, estimate(plan), plan, estimate(plan));
        more(); // only who opens a section wants to know
        const auto labels = form.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
            return label->isVisibleTo(&form) && label->text().contains(text);
        });
    };
    QVERIFY(said(u"pipelines (one stage)"_s));
    QVERIFY(
        said(u"accumulation (one micro-batch a step), images (the model has no vision tower)"_s));
    QVERIFY(said(u"Hidden: Reinforcement learning, Inference (the workload is training)."_s));
    plan.batch.accumulationSteps = 4;
    QVERIFY(!said(u"accumulation (one micro-batch a step)"_s));
    plan.workload = Workload::Inference;
    QVERIFY(said(u"Adapters, Reinforcement learning (the workload is inference)."_s));
}

void PlanFormTest::allSettingsGoBackInOneStep()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    auto *reset = page.form()->head()->findChild<QToolButton *>();
    QVERIFY(reset->isHidden());
    operate(*page.form()->row("batch.micro_batch"), std::int64_t(4));
    operate(*page.form()->row("activations.checkpointing"), std::string("full"));
    const Plan changed = page.plan();
    QVERIFY(!reset->isHidden());
    QCOMPARE(reset->text(), u"reset all (2)"_s);
    reset->click();
    QVERIFY(page.plan() == formPlan());
    QVERIFY(reset->isHidden());
    page.undoStack()->undo();
    QVERIFY(page.plan() == changed);
}

void PlanFormTest::aConfigOfOnesOwnReplacesThePreset()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    const Field &config = *findField("model.config");
    operate(*page.form()->row("model.config"), otherValue(config));
    QVERIFY(!page.plan().model.preset);
    QVERIFY(page.estimate().computed);
    Q_EMIT page.form()->resetWanted(config);
    QVERIFY(page.plan() == formPlan());
}

void PlanFormTest::aBrokenConfigIsRefusedInItsDialog()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    operate(*page.form()->row("model.config"), std::string("{ \"hidden_size\": "));
    QVERIFY(page.plan() == formPlan());
    const auto *dialog = page.form()->findChild<QDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
        return label->property("role") == u"bad"_s && !label->text().isEmpty();
    }));
}

void PlanFormTest::aConstantTakenOverFromARecordingSaysSo()
{
    Plan plan = formPlan();
    plan.overheads.reservedFactor = 1.13;
    plan.overheads.ncclBytes = 700'000'000;
    plan.overheads.calibrated = TextList{"reserved_factor from <b>a & b</b>.pickle"};
    PlanForm form;
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    const FieldRow *row = form.row("overheads.reserved_factor");
    QVERIFY(row->isVisibleTo(&form));
    QCOMPARE(row->recordingText(), u"calibrated from <b>a & b</b>.pickle"_s);
    QCOMPARE(form.row("overheads.nccl_bytes")->recordingText(), QString());
    plan.overheads.calibrated.reset();
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    QCOMPARE(row->recordingText(), QString());
}

void PlanFormTest::anEditTakesTheMarkOfAConstantAway()
{
    Plan plan = formPlan();
    plan.overheads.reservedFactor = 1.13;
    plan.overheads.ncclBytes = 700'000'000;
    plan.overheads.calibrated =
        TextList{"reserved_factor from a.pickle", "nccl_bytes from a.pickle"};
    PlanPage page;
    page.setPlan(plan, {});
    const Field &factor = *findField("overheads.reserved_factor");
    Q_EMIT page.form()->edited(factor, 1.13); // the value that it has
    QVERIFY(page.plan() == plan);
    Q_EMIT page.form()->edited(factor, 1.5);
    QVERIFY(page.plan().overheads.calibrated == TextList{"nccl_bytes from a.pickle"});
    page.undoStack()->undo();
    QVERIFY(page.plan() == plan);
    Q_EMIT page.form()->edited(factor, FieldValue());
    QVERIFY(page.plan().overheads.calibrated == TextList{"nccl_bytes from a.pickle"});
    // Back to the opened plan brings back what it says of the value.
    Q_EMIT page.form()->resetWanted(factor);
    QCOMPARE(page.plan().overheads.reservedFactor.value_or(0), 1.13);
    QCOMPARE(page.form()->row("overheads.reserved_factor")->recordingText(),
             u"calibrated from a.pickle"_s);
    Q_EMIT page.form()->edited(*findField("batch.micro_batch"), std::int64_t(2));
    QCOMPARE(page.plan().overheads.calibrated->size(), 2UL);
}

void PlanFormTest::editsAreNamedInTheHistory()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    operate(*page.form()->row("batch.micro_batch"), std::int64_t(4));
    QCOMPARE(page.undoStack()->undoText(), u"micro-batch"_s);
    operate(*page.form()->row("hardware.gpu"), std::string("a100-sxm-40gb"));
    QCOMPARE(page.undoStack()->undoText(), u"GPU"_s);
}

void PlanFormTest::aPipelineIsChosenFromTheListOfModels()
{
    PlanPage page;
    page.setPlan(formPlan(), {});
    const Result<Plan> chosen =
        editedPlan(formPlan(), fieldAt("model.preset"), FieldValue(std::string("flux.1-dev")));
    QVERIFY(chosen.ok());
    QCOMPARE(chosen->model.pipeline.value_or(""), "flux.1-dev");
    QVERIFY(!chosen->model.preset && !chosen->model.config);
    Plan plan = *chosen;
    plan.workload = Workload::Inference;
    page.setPlan(plan, {});
    const auto visible = [&](FieldPath path) {
        return page.form()->row(path)->isVisibleTo(page.form());
    };
    QVERIFY(visible("diffusion.width") && visible("diffusion.offload"));
    QVERIFY(!visible("diffusion.frames") && !visible("diffusion.guidance")); // of others
    QVERIFY(!visible("inference.engine") && !visible("inference.max_model_len"));
    const Result<Plan> back =
        editedPlan(plan, fieldAt("model.preset"), FieldValue(std::string("gpt2-large")));
    QVERIFY(back.ok());
    QVERIFY(!back->model.pipeline);
}

VRAMSCOPE_TEST(PlanFormTest)
#include "tst_plan_form.moc"
