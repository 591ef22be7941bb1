// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/examples.h"

#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct Line
{
    QStringView name;
    QStringView shows;
};

// clang-format off
constexpr Line kLines[] = {
    {u"dense-4b-8xa100.vramplan", u"Large vocabulary: logits are half the peak."},
    {u"flux-dev-24gb.vramplan", u"Encode, denoise, decode: one part at a time."},
    {u"gpt-oss-8-experts-8xh100.vramplan", u"Experts; no_sync keeps whole gradients."},
    {u"gpt2-large-2xh100.vramplan", u"Activations decide: sweep the batch."},
    {u"gpt2-small-h100.vramplan", u"Small: activations and logits, little else."},
    {u"llama-70b-4xa100.vramplan", u"Its fp32 states alone outgrow four GPUs."},
    {u"llama-70b-8xh200.vramplan", u"Does not fit: see where, and the ways to fit."},
    {u"llama-70b-serving-2xh200.vramplan", u"Fits: the weights, and a cache that fills up."},
    {u"qwen2.5-vl-7b-8xh100.vramplan", u"Images: more patches than tokens of text."},
    {u"qwen3-next-80b-drafting-4xh100.vramplan", u"Speculates: drafts, states and checks."},
    {u"training-out-of-memory-as-planned.vramplan", u"Fits as planned, and yet the run failed."},
    {u"training-expandable-segments.pickle", u"Segments that grow: What if tells the gain."},
    {u"training-out-of-memory.pickle", u"An allocation fails: who held the memory."},
};
// clang-format on

QString lineOf(const QString &name)
{
    const auto line = std::ranges::find(kLines, name, &Line::name);
    return line == std::end(kLines) ? QString() : line->shows.toString();
}

/// The title from the plan's name, else "training-out-of-memory" as "Training out of memory".
QString titleOf(const QFileInfo &info)
{
    if (info.suffix() == u"vramplan") {
        QFile file(info.filePath());
        if (file.open(QIODevice::ReadOnly)) {
            QString name =
                QJsonDocument::fromJson(file.readAll()).object().value("name"_L1).toString();
            if (!name.isEmpty())
                return name;
        }
    }
    return capitalized(info.completeBaseName().replace(u'-', u' '));
}

std::vector<Example> listExamples()
{
    std::vector<Example> list;
    for (const bool plan : {true, false}) {
        const QString pattern = plan ? u"*.vramplan"_s : u"*.pickle"_s;
        for (const QFileInfo &info :
             QDir(u":/examples"_s).entryInfoList({pattern}, QDir::Files, QDir::Name))
            list.push_back({info.filePath(), titleOf(info), lineOf(info.fileName()), plan});
    }
    return list;
}

} // namespace

const std::vector<Example> &examples()
{
    static const std::vector<Example> list = listExamples();
    return list;
}

const std::vector<ExamplePair> &examplePairs()
{
    const QString failed = u":/examples/training-out-of-memory.pickle"_s;
    static const std::vector<ExamplePair> pairs = {
        {u"A plan compared with its recording"_s, u"Predicted beside recorded, and what differs."_s,
         u":/examples/training-out-of-memory-as-planned.vramplan"_s, failed},
        {u"Two recordings compared"_s, u"On one axis, with the sites that differ."_s, failed,
         u":/examples/training-expandable-segments.pickle"_s},
    };
    return pairs;
}

QString trustPath()
{
    return u":/trust"_s;
}

QString wholePath(const QString &path)
{
    return isExample(path) ? path : absolutePath(path);
}

QString documentTitle(const QString &path)
{
    if (path == trustPath())
        return u"How far to trust it"_s;
    for (const Example &example : examples()) {
        if (example.path == path)
            return example.title;
    }
    return shownPath(QFileInfo(path).fileName());
}

} // namespace vramscope
