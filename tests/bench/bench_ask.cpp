// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a key takes in the line for words: reading it, the plan's figures, and the text under it.
#include "ui/planner/ask_box.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <vector>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// Of this thread: what a key takes where nobody else computes.
Milliseconds processorTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

constexpr const char *kSentences[] = {
    "Qwen3-32B full fine-tune on 8 H100, 8k",
    "serve deepseek v3.2 on 8x b200 with vllm at 128k context, fp8 kv cache",
    "qlora llama 3.1 70b unsloth 48 GB rank 64 all linear batch 2 accumulation 8",
    "Can I run Qwen3 32B Q4_K_M on a 3090 and a 4060 Ti 16GB with 32k context?",
    "gpt-oss-120b megatron 64 h100 tp 4 pp 4 ep 8 micro batch 1 global batch 512 seq 8192",
    "how many h200 to train llama 3.1 405b full with fsdp2 at 8192 tokens",
    "kann ich mistral small 24b mit 24 GB vram laufen lassen",
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    AskBox box;
    box.resize(900, 200);
    box.show();
    auto *line = box.findChild<QLineEdit *>(u"ask"_s);
    std::vector<double> all;
    for (const char *sentence : kSentences) {
        const QString text = QString::fromUtf8(sentence);
        std::vector<double> keys;
        for (qsizetype end = 1; end <= text.size(); ++end) {
            const Milliseconds before = processorTime();
            line->setText(text.first(end));
            Q_EMIT line->textEdited(line->text());
            QApplication::processEvents();
            keys.push_back((processorTime() - before).count());
        }
        std::ranges::sort(keys);
        std::cout << keys[keys.size() / 2] << " ms, worst " << keys.back() << " ms: " << sentence
                  << '\n';
        all.insert(all.end(), keys.begin(), keys.end());
    }
    std::ranges::sort(all);
    std::cout << "a key: " << all[all.size() / 2] << " ms in the middle, "
              << all[all.size() * 95 / 100] << " ms at 95 %, worst " << all.back() << " ms, "
              << std::ranges::count_if(all, [](double time) { return time > 16; }) << " of "
              << all.size() << " above 16 ms\n";
    return 0;
}
