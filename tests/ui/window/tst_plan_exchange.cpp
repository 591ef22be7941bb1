// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"
#include "core/exchange/import.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/support/test.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/export_dialog.h"
#include "ui/planner/field_row.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/support/text.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

/// Plans that come from other tools and go to them: dropped, pasted, opened, chosen; and whole
/// plans that travel as text.
class TestPlanExchange : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
    QStringList m_files;
    QString m_name;
    QStringList m_told;

    static QString sample(const QString &name)
    {
        return test::projectFile(u"tests/data/exchange/"_s + name);
    }

    static QString sampleText(const QString &name)
    {
        QFile file(sample(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    static Plan importedOnto(const Plan &base, const QString &name)
    {
        return importFile(base, sample(name).toStdString()).value().plan;
    }

    [[nodiscard]] DocumentTab *current() const { return m_window->tabs()->current(); }
    [[nodiscard]] PlanPage *page() const { return qobject_cast<PlanPage *>(current()->page()); }

    void drop(QMimeData &data, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QWidget *place = page()->form()->row("batch.micro_batch")->findChild<QLineEdit *>();
        QDragEnterEvent enter({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QApplication::sendEvent(place, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, keys);
        QApplication::sendEvent(place, &drop);
    }

    void dropFile(const QString &name, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(sample(name))});
        drop(data, keys);
    }

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        m_folder = std::make_unique<QTemporaryDir>();
        m_told.clear();
        MainWindow::Options options;
        options.preferencesFile = m_folder->filePath(u"settings.ini"_s);
        Questions questions;
        questions.askToSave = [](const QString &) { return SaveAnswer::Discard; };
        questions.askForName = [this](const QString &) { return m_name; };
        questions.askForFiles = [this] { return m_files; };
        questions.tell = [this](const QString &text) { m_told += text; };
        options.questions = std::move(questions);
        m_window = std::make_unique<MainWindow>(std::move(options));
        m_window->resize(1300, 900);
        m_window->show();
    }

    void cleanup() { m_window.reset(); }

    void aFileDroppedOnAPlanIsOneEditNamedAfterIt_data()
    {
        QTest::addColumn<QString>("file");
        for (const auto &file : {u"gemma3_config.json"_s, u"ds_zero3.json"_s, u"titan_new.toml"_s,
                                 u"megatron_gpt.sh"_s, u"vllm_serve.sh"_s})
            QTest::newRow(qPrintable(file)) << file;
    }

    void aFileDroppedOnAPlanIsOneEditNamedAfterIt()
    {
        QFETCH(const QString, file);
        m_window->run(Command::NewPlan);
        dropFile(file);
        QCOMPARE(m_window->tabs()->documents().size(), 1);
        QVERIFY(page()->plan() == importedOnto(newPlan(), file));
        QCOMPARE(page()->undoStack()->count(), 1);
        QVERIFY(page()->undoStack()->undoText().contains(file));
        QVERIFY(current()->notice()->isVisible());
        QVERIFY(current()->notice()->text().startsWith(file));
        m_window->run(Command::Undo);
        QVERIFY(page()->plan() == newPlan());
    }

    void whatDidNotCarryOverIsListedWithItsPlace()
    {
        m_window->run(Command::NewPlan);
        dropFile(u"ds_zero3.json"_s);
        const auto buttons = current()->notice()->findChildren<QPushButton *>();
        const auto show = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton *one) {
            return one->text() == u"Show";
        });
        QVERIFY(show != buttons.end());
        (*show)->click();
        const auto *dialog = current()->findChild<QDialog *>();
        QVERIFY(dialog);
        const auto *list = dialog->findChild<QTreeWidget *>();
        QVERIFY(list);
        const auto notes = importFile(newPlan(), sample(u"ds_zero3.json"_s).toStdString())->notes;
        QCOMPARE(list->topLevelItemCount(), int(notes.size()));
        QCOMPARE(list->topLevelItem(0)->text(1), toQString(notes.front().text));
    }

    void aFileDroppedWithShiftBeginsAPlan()
    {
        m_window->run(Command::NewPlan);
        dropFile(u"gemma3_config.json"_s, Qt::ShiftModifier);
        QCOMPARE(m_window->tabs()->documents().size(), 2);
        QTRY_COMPARE(current()->state(), State::Ready);
        QVERIFY(page()->plan().model.config);
        QCOMPARE(current()->title(), u"gemma3_config.json"_s);
        QVERIFY(current()->path().isEmpty()); // saving never replaces the other tool's file
    }

    void aPastedServingLineAnswersUnderItsModelsName()
    {
        m_window->run(Command::NewPlan);
        const auto pasted = [this](const QString &line) {
            QApplication::clipboard()->setText(line);
            m_window->run(Command::Paste);
            return current()->notice()->text();
        };
        const QString named = pasted(u"vllm serve Qwen/Qwen3-8B -tp 8 --port 80 --host a"_s);
        QCOMPARE(current()->title(), u"Qwen3 8B"_s);
        QVERIFY(page()->answer()->headline().contains(u": fits, "));
        QVERIFY2(named.endsWith(u": all that bears on memory carried over."), qPrintable(named));
        const QString error = pasted(u"vllm serve Qwen/Qwen3-32B -tp 3"_s);
        QCOMPARE(current()->title(), u"Qwen3 32B"_s);
        QVERIFY2(error.contains(u"No figures yet: "_s), qPrintable(error));
        QVERIFY2(error.contains(u"do not divide by tensor = 3"_s), qPrintable(error));
    }

    void aFileOfAnotherToolOpensAsAPlan()
    {
        m_window->openFiles({sample(u"megatron_gpt.sh"_s)});
        QTRY_COMPARE(current()->state(), State::Ready);
        const Plan imported = importedOnto({}, u"megatron_gpt.sh"_s);
        for (const Field &field : planFields()) {
            if (isStated(field.get(imported)))
                QVERIFY2(field.get(page()->plan()) == field.get(imported),
                         std::string(field.path).c_str());
        }
        QCOMPARE(current()->title(), u"megatron_gpt.sh"_s);
        QVERIFY(current()->notice()->isVisible());
    }

    // There is no verdict for a GPU that nobody named.
    void aServingLineWithoutAGpuAsksForOne()
    {
        QApplication::clipboard()->setText(u"vllm serve Qwen/Qwen3-8B"_s);
        m_window->run(Command::Paste);
        QVERIFY2(page()->answer()->headline().contains(u"name a GPU"_s),
                 qPrintable(page()->answer()->headline()));
        QVERIFY(!page()->plan().hardware.gpu);
        QVERIFY(!current()->notice()->text().contains(u"Assumed: GPU "_s));
    }

    void aFolderWithACheckpointOpensAsAPlanOrGoesIntoOne()
    {
        const QString folder = m_folder->filePath(u"llama"_s);
        test::writeCheckpoint("llama-sharded", folder.toStdString());
        m_window->openFiles({folder});
        QTRY_COMPARE(current()->state(), State::Ready);
        QVERIFY(page()->plan().model.checkpoint);
        QCOMPARE(page()->plan().workload, std::optional(Workload::Inference));
        QVERIFY2(current()->notice()->text().startsWith(
                     u"llama taken as Checkpoint (safetensors, 6 files)"_s),
                 qPrintable(current()->notice()->text()));
        m_window->run(Command::NewPlan);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder + u"/model.safetensors.index.json"_s)});
        drop(data);
        QVERIFY(page()->plan().model.checkpoint);
        QVERIFY(page()->plan().model.config);
        QCOMPARE(page()->undoStack()->count(), 1);
    }

    void aBrokenCheckpointSaysWhatIsMissing()
    {
        const QString folder = m_folder->filePath(u"llama"_s);
        test::writeCheckpoint("llama-sharded", folder.toStdString());
        QVERIFY(QFile::remove(folder + u"/model-00003-of-00006.safetensors"_s));
        m_window->openFiles({folder});
        QTRY_COMPARE(current()->state(), State::Failed);
        QVERIFY2(current()->errorPage()->sentence().contains(
                     u"model-00003-of-00006.safetensors is missing"_s),
                 qPrintable(current()->errorPage()->sentence()));
    }

    void settingsArePastedIntoAPlanEvenFromABoxOfTheForm()
    {
        m_window->run(Command::NewPlan);
        QApplication::clipboard()->setText(sampleText(u"titan_new.toml"_s));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        auto *box = page()->form()->row("batch.micro_batch")->findChild<QLineEdit *>();
        box->setFocus();
        const QString before = box->text();
        QTest::keyClick(box, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(page()->plan() == importedOnto(newPlan(), u"titan_new.toml"_s));
        m_window->run(Command::Undo);
        QCOMPARE(box->text(), before);
        QApplication::clipboard()->setText(u"16"_s); // a number is the box's own
        box->selectAll();
        QTest::keyClick(box, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(page()->plan().batch.microBatch, std::optional<std::int64_t>(16));
    }

    void textThatIsNothingKnownIsRefusedWithASentence()
    {
        m_window->run(Command::NewPlan);
        QApplication::clipboard()->setText(u"{\"hello\": [1, 2]}"_s);
        m_window->run(Command::Paste);
        QCOMPARE(m_told.size(), 1);
        QVERIFY(page()->plan() == newPlan());
    }

    void aWholePlanTravelsAsText()
    {
        m_window->run(Command::NewPlan);
        QVERIFY(page()->edit(*findField("batch.micro_batch"), std::int64_t(4)).ok());
        const Plan plan = page()->plan();
        m_window->run(Command::Copy);
        QVERIFY(*parsePlan(QApplication::clipboard()->text().toStdString()) == plan);
        m_window->run(Command::Paste);
        QCOMPARE(m_window->tabs()->documents().size(), 2);
        QVERIFY(page()->plan() == plan);
        QVERIFY(m_window->tabs()->current()->isModified()); // stands in no file
        QMimeData data;
        data.setText(toQString(planJson(plan)));
        drop(data);
        QCOMPARE(m_window->tabs()->documents().size(), 3);
        QVERIFY(page()->plan() == plan);
        QVERIFY(m_window->tabs()->current()->isModified());
    }

    void theMenuImportsIntoThePlanInFront()
    {
        m_window->run(Command::NewPlan);
        m_files = {sample(u"ds_zero3.json"_s)};
        m_window->run(Command::ImportSettings);
        QVERIFY(page()->plan() == importedOnto(newPlan(), u"ds_zero3.json"_s));
    }

    void anExportIsShownCopiedAndSaved()
    {
        m_window->run(Command::NewPlan);
        m_window->run(Command::ExportPlan);
        auto *dialog = m_window->findChild<ExportDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        m_name = m_folder->filePath(u"out"_s);
        for (std::size_t format = 0; format < kExportFormats.size(); ++format) {
            const auto expected = exportPlan(newPlan(), static_cast<ExportFormat>(format));
            QVERIFY(expected.ok());
            dialog->setFormat(static_cast<ExportFormat>(format));
            QCOMPARE(dialog->text(), toQString(expected->text));
            QCOMPARE(dialog->notesText().isEmpty(), expected->notes.empty());
            for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
                if (button->text() == u"&Copy" || button->text() == u"&Save…")
                    button->click();
            }
            QCOMPARE(QApplication::clipboard()->text(), toQString(expected->text));
            QFile written(m_name);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QCOMPARE(written.readAll(), QByteArray::fromStdString(expected->text));
        }
    }

    void aFormatThatCannotSayThePlanSaysSo()
    {
        Plan plan = newPlan();
        plan.workload = Workload::Inference;
        ExportDialog dialog(plan);
        dialog.setFormat(ExportFormat::DeepSpeed);
        QVERIFY(dialog.text().isEmpty());
        QVERIFY(!dialog.notesText().isEmpty());
        for (const QPushButton *button : dialog.findChildren<QPushButton *>())
            QCOMPARE(button->isEnabled(), !button->text().startsWith(u"&Copy"_s) &&
                                              !button->text().startsWith(u"&Save"_s));
    }
};

VRAMSCOPE_TEST(TestPlanExchange)
#include "tst_plan_exchange.moc"
