// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_table.h"
#include "tests/support/test.h"

using namespace vramscope;

class TestCheckpointTable : public test::Test
{
    Q_OBJECT

private slots:
    void namesThatDifferByNumbersMakeOneGroup();
    void layersThatHoldMoreMakeAGroupOfTheirOwn();
    void aTableIsReadAsItWasWritten();
    void hostileTablesAreRefused_data();
    void hostileTablesAreRefused();
    void tooManyKindsAreRefused();
};

namespace {

StoredTensor tensor(const std::string &name, const char *type = "BF16",
                    const std::vector<std::int64_t> &shape = {2, 2})
{
    return {name, *findTensorType(type), shape, bytesOf(*findTensorType(type), shape)->value()};
}

CheckpointTable sample()
{
    CheckpointTable table{2, 4000, 3000, {}};
    table.groups.push_back({"lm_head.weight", *findTensorType("BF16"), {10, 4}, {}, 1});
    table.groups.push_back({"model.layers.*.mlp.experts.*.w1.weight",
                            *findTensorType("F8_E4M3"),
                            {4, 4},
                            {{0, 2}, {5, 5}},
                            8});
    return table;
}

} // namespace

void TestCheckpointTable::namesThatDifferByNumbersMakeOneGroup()
{
    std::vector<StoredTensor> tensors;
    for (int layer : {0, 1, 2, 4})
        for (int expert = 0; expert < 3; ++expert)
            tensors.push_back(tensor("model.layers." + std::to_string(layer) + ".mlp.experts." +
                                     std::to_string(expert) + ".w1.weight"));
    tensors.push_back(tensor("model.norm.weight", "F32", {4}));
    const auto groups = groupTensors(tensors);
    QVERIFY(groups.ok());
    QCOMPARE(groups->size(), std::size_t(2));
    const TensorGroup &first = groups->front();
    QCOMPARE(first.name, std::string("model.layers.*.mlp.experts.*.w1.weight"));
    QCOMPARE(first.layers, (std::vector<LayerRange>{{0, 2}, {4, 4}}));
    QCOMPARE(first.each, std::int64_t(3));
    QCOMPARE(first.tensors(), std::int64_t(12));
    QCOMPARE(first.bytes(), Bytes(96));
    QCOMPARE(first.layersWithin(1, 3), std::int64_t(2));
    QCOMPARE(groups->back().tensors(), std::int64_t(1));
    QVERIFY(groups->back().layers.empty());
}

void TestCheckpointTable::layersThatHoldMoreMakeAGroupOfTheirOwn()
{
    const auto groups = groupTensors(std::vector<StoredTensor>{
        tensor("layers.0.experts.0.w"), tensor("layers.1.experts.0.w"),
        tensor("layers.1.experts.1.w"), tensor("layers.2.experts.0.w", "F16")});
    QVERIFY(groups.ok());
    QCOMPARE(groups->size(), std::size_t(3)); // one of each number, and one of another type
    QCOMPARE((*groups)[1].layers, (std::vector<LayerRange>{{1, 1}}));
    QCOMPARE((*groups)[1].each, std::int64_t(2));
}

void TestCheckpointTable::aTableIsReadAsItWasWritten()
{
    const CheckpointTable table = sample();
    const auto again = parseCheckpoint(checkpointJson(table));
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().detail.c_str());
    QVERIFY(*again == table);
    QCOMPARE(table.tensors(), std::int64_t(33));
    QCOMPARE(table.bytes(), Bytes(80 + 32 * 16));
    QCOMPARE(bytesByType(table).front().type.name, std::string_view("F8_E4M3"));
}

void TestCheckpointTable::hostileTablesAreRefused_data()
{
    QTest::addColumn<QByteArray>("from"); // in the sample
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *from, const char *to, const char *words) {
        QTest::newRow(to) << QByteArray(from) << QByteArray(to) << QByteArray(words);
    };
    row("\"files\":2", "\"files\":0", "files must be");
    row("\"files\":2", "\"files\":2.5", "files must be");
    row("\"files\":2", "\"file\":2", "file is not known");
    row("\"largest_file_bytes\":3000", "\"largest_file_bytes\":5000", "largest_file_bytes must");
    row("\"file_bytes\":4000", "\"file_bytes\":18446744073709551615", "file_bytes must");
    row("\"file_bytes\":4000,\"largest_file_bytes\":3000",
        "\"file_bytes\":500,\"largest_file_bytes\":400", "more than their files");
    row("\"BF16\"", "\"BF17\"", "tensors[0]: dtype");
    row("\"BF16\"", "16", "tensors[0]: dtype");
    row("[10,4]", "[10,-4]", "tensors[0]: shape");
    row("[10,4]", "[1,1,1,1,1,1,1,1,1]", "tensors[0]: shape");
    row("[10,4]", "[9000000000,9000000000]", "larger than can be counted");
    row("[[0,2],[5,5]]", "[[2,0]]", "tensors[1]: layers");
    row("[[0,2],[5,5]]", "[[0,2],[2,5]]", "tensors[1]: layers");
    row("[[0,2],[5,5]]", "[[0,99999999999]]", "tensors[1]: layers");
    row("[[0,2],[5,5]]", "[]", "tensors[1]: layers");
    row("[[0,2],[5,5]]", "[[-1,2]]", "tensors[1]: layers");
    row("\"each\":8", "\"each\":0", "tensors[1]: each");
    row("\"each\":8", "\"each\":99999999", "tensors[1]: each");
    row("\"each\":8", "\"many\":8", "many is not known");
    row("\"lm_head.weight\"", "\"\"", "tensors[0]: name");
    row("\"lm_head.weight\"", "7", "tensors[0]: name");
}

void TestCheckpointTable::hostileTablesAreRefused()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, words);
    QByteArray json = QByteArray::fromStdString(checkpointJson(sample()));
    QVERIFY(json.contains(from));
    json.replace(from, to);
    const auto table = parseCheckpoint(json.toStdString());
    QVERIFY(!table.ok());
    QVERIFY2(table.error().detail.find(words.toStdString()) != std::string::npos,
             table.error().detail.c_str());
}

void TestCheckpointTable::tooManyKindsAreRefused()
{
    std::vector<StoredTensor> tensors;
    for (std::size_t i = 0; i <= kMostGroups; ++i)
        tensors.push_back(tensor("name" + std::to_string(i)));
    const auto groups = groupTensors(tensors);
    QVERIFY(!groups.ok() && groups.error().detail.find("2,000") != std::string::npos);
    tensors.pop_back();
    QVERIFY(groupTensors(tensors).ok());
}

VRAMSCOPE_TEST(TestCheckpointTable)
#include "tst_checkpoint_table.moc"
