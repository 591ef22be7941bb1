// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue_shapes.h"
#include "tests/support/test.h"
#include "ui/models/preset_model.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/preset_popup.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QStyleFactory>
#include <QTreeView>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// The list from which an architecture is chosen.
class PresetListTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void everyArchitectureHasItsNumbers_data();
    void everyArchitectureHasItsNumbers();
    void theExactCountOfEachIsToldToo();
    void anyPartOfNameFamilySizeOrKindFinds_data();
    void anyPartOfNameFamilySizeOrKindFinds();
    void aTitleSortsAndWhatIsUnknownStandsLast();
    void whatIsNotComputedSaysWhyAndIsNotTaken();
    void itOpensAtTheArchitectureOfThePlan();
    void typingOnTheBoxSearchesAndEnterTakesTheFirst();
    void upAndDownWalkThroughWhatIsFound();
    void whatEnterWouldTakeIsHeard();
    void escapeLeavesThePlanAsItIs();
    void aClickTakesARow();
    void nothingFoundSaysWhatToDo();
    void itIsPictured_data();
    void itIsPictured();
    void anOwnConfigIsNamedInTheBox();

private:
    [[nodiscard]] PresetBox *box() const
    {
        return m_page->form()->row("model.preset")->findChild<PresetBox *>();
    }
    [[nodiscard]] PresetPopup *opened() const
    {
        box()->showPopup();
        return box()->popup();
    }
    [[nodiscard]] static QStringList found(const PresetPopup &popup)
    {
        QStringList names;
        const auto *models = qobject_cast<const PresetModel *>(popup.list()->model());
        for (int row = 0; row < models->rowCount(); ++row)
            names += toQString(models->presetAt(row).model->name);
        return names;
    }
    [[nodiscard]] static QString current(const PresetPopup &popup)
    {
        return found(popup).value(popup.list()->currentIndex().row());
    }
    [[nodiscard]] QString preset() const
    {
        return toQString(m_page->plan().model.preset.value_or(""));
    }

    std::unique_ptr<PlanPage> m_page;
};

void PresetListTest::init()
{
    Test::init();
    Plan plan;
    plan.model.preset = "llama-3-8b";
    m_page = std::make_unique<PlanPage>();
    m_page->setPlan(plan, {});
    m_page->resize(1100, 700);
    m_page->show();
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
}

void PresetListTest::everyArchitectureHasItsNumbers_data()
{
    QTest::addColumn<QStringList>("cells");
    const auto row = [](const QStringList &cells) {
        QTest::newRow(qPrintable(cells.front())) << cells;
    };
    row({u"Llama 3.1 70B"_s, u"2024"_s, u"dense"_s, u"70.6B"_s, u""_s, u"80 × 8,192"_s, u"64 / 8"_s,
         u"128K"_s});
    row({u"Mixtral 8x7B"_s, u"2023"_s, u"MoE"_s, u"46.7B"_s, u"12.9B"_s, u"32 × 4,096"_s,
         u"32 / 8"_s, u"32K"_s});
    row({u"DeepSeek V3 671B"_s, u"2024"_s, u"MoE, MLA"_s, u"671B"_s, u"37.6B"_s, u"61 × 7,168"_s,
         u"128 / latent"_s, u"160K"_s});
    row({u"OLMo 2 7B"_s, u"2024"_s, u"dense"_s, u"7.30B"_s, u""_s, u"32 × 4,096"_s, u"32 / 32"_s,
         u""_s});
    row({u"BERT base uncased"_s, u"2018"_s, u"dense"_s, u"109M"_s, u""_s, u"12 × 768"_s,
         u"12 / 12"_s, u"512"_s});
}

void PresetListTest::everyArchitectureHasItsNumbers()
{
    QFETCH(const QStringList, cells);
    PresetModel model;
    const QAbstractItemModelTester tester(&model);
    const QModelIndexList rows = model.match(model.index(0, 0), Qt::DisplayRole, cells.front());
    QCOMPARE(rows.size(), 1);
    for (int column = 0; column < PresetModel::ColumnCount; ++column) {
        const QModelIndex cell = rows.front().siblingAtColumn(column);
        QCOMPARE(cell.data().toString(), cells[column]);
        const auto side = cell.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        QCOMPARE(side.testFlag(Qt::AlignRight), column > PresetModel::Kind);
    }
}

void PresetListTest::theExactCountOfEachIsToldToo()
{
    const PresetModel model;
    QCOMPARE(std::size_t(model.rowCount()), catalogueShapes().size());
    for (int row = 0; row < model.rowCount(); ++row) {
        const CatalogueShape &shape = catalogueShapes()[std::size_t(row)];
        const QString told = model.index(row, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(told.contains(toQString(shape.model->repository)), qPrintable(told));
        if (!shape.computed()) {
            QVERIFY2(told.contains(toQString(shape.whyNot)), qPrintable(told));
            continue;
        }
        QVERIFY2(told.contains(countText(shape.parameters)), qPrintable(told));
        QVERIFY2(told.contains(countText(shape.active)), qPrintable(told));
    }
}

void PresetListTest::anyPartOfNameFamilySizeOrKindFinds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("names");
    const auto matching = [](auto &&matches) {
        QStringList names;
        for (const CatalogueShape &shape : catalogueShapes()) {
            if (matches(shape))
                names += toQString(shape.model->name);
        }
        return names;
    };
    QTest::newRow("size") << u"70b"_s
                          << QStringList{u"llama-2-70b"_s, u"llama-3.1-70b"_s, u"codellama-70b"_s};
    QTest::newRow("family and year") << u"phi 2023"_s << QStringList{u"phi-1.5"_s, u"phi-2"_s};
    QTest::newRow("repository") << u"coherelabs/aya"_s
                                << QStringList{u"aya-expanse-8b"_s, u"aya-expanse-32b"_s};
    QTest::newRow("sizes") << u"gemma 2B-3B"_s << QStringList{u"gemma-2b"_s, u"gemma-2-2b"_s};
    QTest::newRow("kind") << u"MLA"_s << matching([](const CatalogueShape &shape) {
        return shape.architecture.mla();
    });
    QTest::newRow("family and kind") << u"deepseek moe"_s << matching([](const auto &shape) {
        return shape.model->family == "DeepSeek" && shape.architecture.moe();
    });
    QTest::newRow("computed size") << u"46.7"_s << QStringList{u"mixtral-8x7b"_s};
    QTest::newRow("part of a name") << u"tinyll"_s << QStringList{u"tinyllama-1.1b"_s};
    QTest::newRow("name in plans") << u"gpt2-xl"_s << QStringList{u"gpt2-xl"_s};
    QTest::newRow("nothing") << u"zebra"_s << QStringList();
}

void PresetListTest::anyPartOfNameFamilySizeOrKindFinds()
{
    QFETCH(const QString, text);
    QFETCH(const QStringList, names);
    PresetPopup *popup = opened();
    popup->search()->setText(text);
    QCOMPARE(found(*popup), names);
}

void PresetListTest::aTitleSortsAndWhatIsUnknownStandsLast()
{
    QTreeView *list = opened()->list();
    const QStringList unsorted = found(*box()->popup());
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        list->sortByColumn(PresetModel::Parameters, order);
        const QStringList sorted = found(*box()->popup());
        QCOMPARE(sorted.size(), unsorted.size());
        std::int64_t before = 0;
        bool known = true;
        for (const QString &name : sorted) {
            const CatalogueShape *shape = findCatalogueShape(name.toStdString());
            QVERIFY2(known || !shape->computed(), qPrintable(name));
            known = shape->computed();
            const std::int64_t count = shape->parameters;
            if (known && before > 0)
                QVERIFY2(order == Qt::AscendingOrder ? before <= count : before >= count,
                         qPrintable(name));
            before = count;
        }
    }
    list->sortByColumn(PresetModel::Year, Qt::AscendingOrder);
    QCOMPARE(found(*box()->popup()).front(), u"bert-base-uncased"_s);
    list->sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(found(*box()->popup()), unsorted);
}

void PresetListTest::whatIsNotComputedSaysWhyAndIsNotTaken()
{
    const auto refused = std::ranges::find_if(
        catalogueShapes(), [](const CatalogueShape &shape) { return !shape.computed(); });
    if (refused == catalogueShapes().end())
        return; // then there is nothing to refuse
    PresetPopup *popup = opened();
    popup->search()->setText(toQString(refused->model->name));
    QCOMPARE(current(*popup), toQString(refused->model->name));
    QCOMPARE(popup->about()->text(), toQString(refused->whyNot));
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QVERIFY(popup->isVisible());
    QCOMPARE(preset(), u"llama-3-8b"_s);
    QVERIFY(popup->search()->accessibleDescription().contains(toQString(refused->whyNot)));
    popup->search()->setText(u"qwen3-4b"_s);
    QVERIFY2(popup->about()->text().startsWith(u"Qwen/Qwen3-4B, 2025"_s),
             qPrintable(popup->about()->text()));
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QCOMPARE(preset(), u"qwen3-4b"_s);
    QCOMPARE(box()->currentText(), u"Qwen3 4B"_s);

    Plan plan; // a file may name it all the same
    plan.model.preset = refused->model->name;
    m_page->setPlan(plan, {});
    QCOMPARE(box()->currentText(), toQString(refused->model->title));
    const auto labels = m_page->findChildren<QLabel *>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel *label) {
        return label->text().contains(toQString(refused->whyNot));
    }));
}

void PresetListTest::itOpensAtTheArchitectureOfThePlan()
{
    const PresetPopup *popup = opened();
    QVERIFY(popup->isVisible());
    QCOMPARE(current(*popup), u"llama-3-8b"_s);
    QVERIFY(popup->search()->hasFocus());
}

void PresetListTest::typingOnTheBoxSearchesAndEnterTakesTheFirst()
{
    box()->setFocus();
    QTest::keyClick(box(), 'g');
    PresetPopup *popup = box()->popup();
    QVERIFY(popup && popup->isVisible());
    QTest::keyClicks(popup->search(), u"pt-oss"_s);
    QCOMPARE(popup->search()->text(), u"gpt-oss"_s);
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QVERIFY(!popup->isVisible());
    QCOMPARE(preset(), u"gpt-oss-20b"_s);
    QCOMPARE(box()->currentText(), u"gpt-oss 20B"_s);
}

void PresetListTest::upAndDownWalkThroughWhatIsFound()
{
    PresetPopup *popup = opened();
    QTest::keyClicks(popup->search(), u"mixtral"_s);
    QTest::keyClick(popup->search(), Qt::Key_Down);
    QTest::keyClick(popup->search(), Qt::Key_Down); // there are two
    QTest::keyClick(popup->search(), Qt::Key_Enter);
    QCOMPARE(preset(), u"mixtral-8x22b"_s);
}

void PresetListTest::whatEnterWouldTakeIsHeard()
{
    PresetPopup *popup = opened();
    const auto heard = [&] { // of what has the focus
        const QAccessibleInterface *told = QAccessible::queryAccessibleInterface(popup->search());
        return told->text(QAccessible::Description);
    };
    QTest::keyClicks(popup->search(), u"mixtral"_s);
    QCOMPARE(heard(),
             u"Mixtral 8x7B, MoE, 46.7B parameters, 12.9B active for a token, 32 layers; 1 of 2"_s);
    QTest::keyClick(popup->search(), Qt::Key_Down);
    QVERIFY2(heard().startsWith(u"Mixtral 8x22B, "_s), qPrintable(heard()));
    QVERIFY(heard().endsWith(u"; 2 of 2"_s));
    popup->search()->setText(u"nothing of the kind"_s);
    QVERIFY2(heard().startsWith(u"none: "_s), qPrintable(heard()));
}

void PresetListTest::escapeLeavesThePlanAsItIs()
{
    PresetPopup *popup = opened();
    QTest::keyClicks(popup->search(), u"gemma"_s);
    QTest::keyClick(popup->search(), Qt::Key_Escape);
    QVERIFY(!popup->isVisible());
    QCOMPARE(preset(), u"llama-3-8b"_s);
    QVERIFY(opened()->search()->text().isEmpty());
}

void PresetListTest::aClickTakesARow()
{
    PresetPopup *popup = opened();
    popup->search()->setText(u"phi-2"_s);
    QTreeView *list = popup->list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(0, PresetModel::Parameters)).center());
    QCOMPARE(preset(), u"phi-2"_s);
}

void PresetListTest::nothingFoundSaysWhatToDo()
{
    PresetPopup *popup = opened();
    popup->search()->setText(u"zebra"_s);
    const auto labels = popup->findChildren<QLabel *>();
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel *label) { return label->text().contains(u"config.json"); }));
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QCOMPARE(preset(), u"llama-3-8b"_s);
}

// Looked at by people, in the build folder.
void PresetListTest::itIsPictured_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QString>("text");
    for (const bool dark : {false, true}) {
        const char *theme = dark ? "dark" : "light";
        QTest::addRow("all-%s", theme) << dark << QString();
        QTest::addRow("found-%s", theme) << dark << u"2025 20B-250B"_s;
        QTest::addRow("refused-%s", theme) << dark << u"vae"_s;
    }
}

void PresetListTest::itIsPictured()
{
    QFETCH(const bool, dark);
    QFETCH(const QString, text);
    const Theme &theme = dark ? darkTheme() : lightTheme();
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    QApplication::setPalette(themePalette(theme));
    qApp->setStyleSheet(themeStyleSheet(theme));
    PresetPopup *popup = opened();
    popup->search()->setText(text);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    QVERIFY(popup->grab().save(test::pictureFolder() + u"/preset-list-%1.png"_s.arg(name)));
    qApp->setStyleSheet({});
}

void PresetListTest::anOwnConfigIsNamedInTheBox()
{
    Plan plan;
    plan.model.config = R"({"hidden_size":64})";
    m_page->setPlan(plan, {});
    QCOMPARE(box()->currentIndex(), -1);
    QCOMPARE(box()->placeholderText(), u"own config"_s);
}

VRAMSCOPE_TEST(PresetListTest)
#include "tst_preset_list.moc"
