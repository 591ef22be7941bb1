// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_questions.h"

#include "ui/window/commands.h"

namespace vramscope {

namespace {

// clang-format off
/// What the program is for, in the user's words, and how to begin.
constexpr StartQuestion kQuestions[] = {
    {u"plan", u"Will it fit?",
     u"Plan a run before it starts: the peak, the moment it occurs, and the formula behind every part.",
     {{{StartDeed::Run, u"plus", u"New plan", u"Begins with a small model on one GPU; every field can be changed.", Command::NewPlan},
       {StartDeed::Run, u"open", u"Import another tool's settings…", u"A Hugging Face config.json, a checkpoint, a DeepSpeed JSON, a torchtitan TOML, an axolotl YAML, arguments of Megatron-LM, transformers' Trainer, vLLM, SGLang, llama.cpp or TensorRT-LLM, or overrides of verl.", Command::ImportSettings},
       {StartDeed::Help, u"help", u"What the numbers of a plan mean", u"plan"}}},
     u"llama-70b-8xh200.vramplan"},
    {u"trace", u"Where did it go?",
     u"Open what a run recorded: every allocation over time, with its size, lifetime and stacks.",
     {{{StartDeed::Run, u"open", u"Open a recording…", u"A PyTorch memory snapshot in any of its forms, a profiler trace, an export of Nsight Systems, a log of nvidia-smi or of a serving engine.", Command::Open},
       {StartDeed::CopyRecipe, u"copy", u"Copy the lines that record PyTorch", {}},
       {StartDeed::Help, u"help", u"Record with other programs", u"recording"}}},
     u"training-out-of-memory.pickle"},
    {u"picture", u"How do I show my team?",
     u"Present it over the whole screen, send a report that is one file, or copy any view as a picture.",
     {{{StartDeed::RunOnExample, u"present", u"Present the example", u"One thing at a time, in large type: arrow keys step through, Esc ends.", Command::Present},
       {StartDeed::RunOnExample, u"report", u"Write its report…", u"One HTML page or PDF: the answer, pictures, tables, formulas, and the plan itself.", Command::Report},
       {StartDeed::RunOnExample, u"picture", u"Export a view of it…", u"PNG, SVG, PDF, or its table as CSV, Markdown or JSON.", Command::ExportPicture}}},
     u"llama-70b-serving-2xh200.vramplan"},
};
// clang-format on

} // namespace

std::span<const StartQuestion, 3> startQuestions()
{
    return kQuestions;
}

} // namespace vramscope
