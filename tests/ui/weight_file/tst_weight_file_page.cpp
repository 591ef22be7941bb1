// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gguf_writer.h"
#include "tests/support/test.h"
#include "ui/charts/segment_bars.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/read_document.h"
#include "ui/weight_file/weight_file_page.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

namespace vramscope {

using namespace Qt::StringLiterals;

/// A weight file in the window: its bytes, its division, and the plan that is made of it.
class WeightFilePageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void aFileOpensWithItsBytes();
    void barsFollowWhatIsChosen();
    void aPlanIsMadeOfIt();
    void whatIsNoModelSaysSo();
    void whatWasChosenComesBack();

private:
    QString file(const test::GgufWriter &writer) const
    {
        const QString path = m_folder->filePath(u"model.gguf"_s);
        writer.write(path.toStdString());
        return path;
    }
    std::unique_ptr<DocumentPage> pageOf(const QString &path)
    {
        const auto document = readDocument(path, {});
        if (!document)
            return nullptr;
        m_parent.emplace();
        return (*document)->makePage(u"model"_s, path, &*m_parent);
    }

    std::optional<QTemporaryDir> m_folder;
    std::optional<QWidget> m_parent;
};

namespace {

/// Two layers of 2 · 131,072 · 144 / 256 bytes in Q4_K and an embedding in F16.
test::GgufWriter sample()
{
    test::GgufWriter writer = test::smallModel("llama", 2, 256, 8, 2);
    writer.tensor("token_embd.weight", 1, {256, 100}, 51'200);
    for (const char *name : {"blk.0.ffn_up.weight", "blk.1.ffn_up.weight"})
        writer.tensor(name, 12, {512, 256}, 73'728);
    writer.tensor("output.weight", 1, {256, 100}, 51'200);
    return writer;
}

const WeightFilePage &inside(const DocumentPage &page)
{
    return *qobject_cast<const WeightFilePage *>(&page);
}

} // namespace

void WeightFilePageTest::init()
{
    Test::init();
    m_folder.emplace();
}

void WeightFilePageTest::aFileOpensWithItsBytes()
{
    const auto page = pageOf(file(sample()));
    QVERIFY(page);
    QVERIFY2(page->statusText().startsWith(u"4 tensors, "_s), qPrintable(page->statusText()));
    const Table table = page->table(100);
    QCOMPARE(table.rows.size(), std::size_t(5)); // two types, two layers, what is beside them
    QCOMPARE(table.rows[0][0].text, u"Q4_K"_s);
    QCOMPARE(*table.rows[0][1].exact, qint64(2 * 73'728));
    QCOMPARE(*table.rows[2][1].exact, qint64(73'728));
    QCOMPARE(*table.rows[4][1].exact, qint64(102'400));
}

void WeightFilePageTest::barsFollowWhatIsChosen()
{
    const auto page = pageOf(file(sample()));
    QVERIFY(page);
    const SegmentBars *bars = inside(*page).deviceBars();
    QVERIFY(bars);
    QCOMPARE(bars->bars().size(), std::size_t(2)); // a device and the host
    QCOMPARE(bars->bars()[0].segments[0].bytes, Bytes(2 * 73'728 + 51'200));
    QVERIFY(!bars->bars()[0].isBad);
    QVERIFY(bars->bars()[0].note.contains(u"fits"_s));
    auto *machine = page->findChild<QLineEdit *>();
    machine->setText(u"1MiB, 1MiB"_s);
    QCOMPARE(bars->bars().size(), std::size_t(3));
    QVERIFY(bars->bars()[0].isBad && !bars->bars()[1].isBad); // the first has the layers
    machine->setText(u"nothing"_s);
    QVERIFY(bars->bars().empty());
    machine->setText(u"8GiB"_s);
    for (auto *spin : page->findChildren<QSpinBox *>())
        if (spin->accessibleName() == u"Layers on the devices"_s)
            spin->setValue(0);
    QCOMPARE(bars->bars()[0].total(), Bytes(0));
    QVERIFY(!bars->bars()[1].capacity); // the host's memory is not stated
}

void WeightFilePageTest::aPlanIsMadeOfIt()
{
    const auto page = pageOf(file(sample()));
    QVERIFY(page);
    QSignalSpy wanted(page.get(), &DocumentPage::planWanted);
    page->findChild<QPushButton *>()->click();
    QCOMPARE(wanted.size(), 1);
    const Plan plan = wanted[0][0].value<Plan>();
    QVERIFY(plan.model.checkpoint && plan.inference.engine == Engine::LlamaCpp);
}

void WeightFilePageTest::whatIsNoModelSaysSo()
{
    const auto page = pageOf(file(test::smallModel("llama", 2, 256, 8, 2)));
    QVERIFY(page);
    QVERIFY(!inside(*page).deviceBars());
    QVERIFY(!page->findChild<QPushButton *>()->isEnabled());
    const QString broken = m_folder->filePath(u"broken.gguf"_s);
    QFile out(broken);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("GGUF");
    out.close();
    const auto read = readDocument(broken, {});
    QVERIFY(!read.ok());
    QVERIFY(read.error().text().find("ends within its header") != std::string::npos);
}

void WeightFilePageTest::whatWasChosenComesBack()
{
    const QString path = file(sample());
    const auto page = pageOf(path);
    page->findChild<QLineEdit *>()->setText(u"3GiB"_s);
    page->findChild<QCheckBox *>()->setChecked(true);
    const QVariantMap state = page->chosen(nullptr);
    const auto document = readDocument(path, {});
    QWidget parent;
    const auto other = (*document)->makePage(u"model"_s, path, &parent);
    other->restore(state);
    QCOMPARE(other->findChild<QLineEdit *>()->text(), u"3GiB"_s);
    QVERIFY(other->findChild<QCheckBox *>()->isChecked());
    QCOMPARE(inside(*other).deviceBars()->bars().size(), std::size_t(2));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::WeightFilePageTest)
#include "tst_weight_file_page.moc"
