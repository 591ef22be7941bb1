// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_rules.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

constexpr std::size_t kLongestJudged = 2000; // characters of a name or path

enum class Match { Equals, StartsWith, Contains, EndsWith };
enum class Field {
    Name,
    Function, // the name without the C++ parts around it: result, template arguments, parameters
    File
};

// A frame that matches belongs to `origin`. The first matching rule decides.
struct Rule
{
    FrameOrigin origin;
    Field field;
    Match match;
    std::string_view text;
};

constexpr auto kPlumbing = FrameOrigin::Plumbing;
constexpr auto kFramework = FrameOrigin::Framework;
constexpr auto kLibrary = FrameOrigin::Library;

// Frames that the framework's own viewer hides, made exact where it only tests for a part of a
// word: a user's on_start() or Registry.py stays. Paths are always compared with '/'.
constexpr std::array kRules = {
    // The unwinder, the process's entry and the interpreter.
    Rule{kPlumbing, Field::Name, Match::Contains, "unwind::unwind"},
    Rule{kPlumbing, Field::Name, Match::Contains, "CapturedTraceback::gather"},
    Rule{kPlumbing, Field::Name, Match::Contains, "gather_with_cpp"},
    Rule{kPlumbing, Field::Name, Match::Equals, "_start"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "__libc_start"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "__libc_init"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "PyEval_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "_PyEval_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "PyObject_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "_PyObject_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "PyFunction_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "_PyFunction_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "PyRun_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "_PyRun_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "PyVectorcall_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "_PyVectorcall_"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "Py_RunMain"},
    Rule{kPlumbing, Field::Name, Match::StartsWith, "Py_BytesMain"},
    Rule{kPlumbing, Field::File, Match::EndsWith, "/pythonrun.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Modules/main.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Objects/call.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Objects/abstract.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Objects/methodobject.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Objects/typeobject.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "Objects/classobject.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "pycore_ceval.h"},
    Rule{kPlumbing, Field::File, Match::EndsWith, "/ceval.c"},
    Rule{kPlumbing, Field::File, Match::Contains, "cpython/abstract.h"},
    // The framework's dispatcher: generated files, and the boxing layer.
    Rule{kPlumbing, Field::File, Match::Contains, "core/boxing"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterCUDA"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterCPU"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterMeta"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterComposite"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterBackendSelect"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterFunctionalization"},
    Rule{kPlumbing, Field::File, Match::Contains, "/RegisterSchema"},
    Rule{kPlumbing, Field::File, Match::Contains, "/Redispatch"},
    // Passed by every allocation: the allocator itself and the dispatcher's typed entries.
    Rule{kPlumbing, Field::Function, Match::StartsWith, "c10::cuda::CUDACachingAllocator"},
    Rule{kPlumbing, Field::Function, Match::StartsWith, "c10::impl::"},
    Rule{kPlumbing, Field::Function, Match::StartsWith, "at::_ops::"},
    Rule{kPlumbing, Field::Function, Match::StartsWith, "at::detail::empty"},
    Rule{kPlumbing, Field::Function, Match::StartsWith, "at::detail::_empty"},
    Rule{kPlumbing, Field::Function, Match::StartsWith, "at::native::empty"},
    // PyTorch: installed, or the folders of its sources.
    Rule{kFramework, Field::File, Match::Contains, "-packages/torch/"},
    Rule{kFramework, Field::File, Match::StartsWith, "torch/"},
    Rule{kFramework, Field::File, Match::Contains, "/torch/csrc/"},
    Rule{kFramework, Field::File, Match::Contains, "/torch/include/"},
    Rule{kFramework, Field::File, Match::Contains, "/aten/src/"},
    Rule{kFramework, Field::File, Match::Contains, "/c10/"},
    Rule{kFramework, Field::Function, Match::StartsWith, "torch::"},
    Rule{kFramework, Field::Function, Match::StartsWith, "at::"},
    Rule{kFramework, Field::Function, Match::StartsWith, "c10::"},
    Rule{kFramework, Field::Function, Match::StartsWith, "THP"},
    Rule{kFramework, Field::Function, Match::StartsWith, "std::"},
    // A C++ frame without its source: a binary of the system.
    Rule{kFramework, Field::File, Match::Equals, "??"},
    Rule{kFramework, Field::File, Match::Equals, ""},
    Rule{kFramework, Field::File, Match::EndsWith, ".o"},
    Rule{kFramework, Field::File, Match::EndsWith, ".S"},
    Rule{kFramework, Field::File, Match::Contains, "/nptl/"},
    // Other packages, the language's own library, and code made at run time.
    Rule{kLibrary, Field::File, Match::Contains, "/site-packages/"},
    Rule{kLibrary, Field::File, Match::Contains, "/dist-packages/"},
    Rule{kLibrary, Field::File, Match::Contains, "/lib/python"},
    Rule{kLibrary, Field::File, Match::StartsWith, "<frozen"},
    Rule{kLibrary, Field::File, Match::StartsWith, "<eval_with_key>"},
    Rule{kLibrary, Field::File, Match::StartsWith, "<string>"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".c"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".cpp"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".cc"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".cu"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".h"},
    Rule{kLibrary, Field::File, Match::EndsWith, ".hpp"},
};

bool matches(const Rule &rule, std::string_view text)
{
    switch (rule.match) {
    case Match::Equals:
        return text == rule.text;
    case Match::StartsWith:
        return text.starts_with(rule.text);
    case Match::Contains:
        return text.find(rule.text) != text.npos;
    case Match::EndsWith:
        return text.ends_with(rule.text);
    }
    return false;
}

// "torch::autograd::apply" for "void torch::autograd::apply<int>(at::Tensor const&)".
std::string_view functionOf(std::string_view name)
{
    const std::string_view head = name.substr(0, name.find_first_of("<("));
    return head.substr(head.find_last_of(' ') + 1);
}

} // namespace

FrameOrigin frameOrigin(std::string_view name, std::string_view file)
{
    // Rules match the beginning of a name and the end of a path; frames share both, so that a long
    // one would be searched again and again.
    name = name.substr(0, kLongestJudged);
    file = file.substr(file.size() - std::min(file.size(), kLongestJudged));
    std::string path = '/' + std::string(file); // so that "/x" finds a bare file name x too
    std::ranges::replace(path, '\\', '/');
    const std::string_view function = functionOf(name);
    const auto rule = std::ranges::find_if(kRules, [&](const Rule &each) {
        const bool within = each.match == Match::Contains || each.match == Match::EndsWith;
        return matches(each, each.field == Field::Name ? name
                             : each.field == Field::Function
                                 ? function
                                 : std::string_view(path).substr(within ? 0 : 1));
    });
    return rule == kRules.end() ? FrameOrigin::User : rule->origin;
}

FrameOrigin frameOrigin(const Trace &trace, FrameId frame)
{
    const Frame &content = trace.frame(frame);
    return frameOrigin(trace.text(content.name), trace.text(content.file));
}

std::optional<FrameId> bestFrame(const Trace &trace, StackId stack)
{
    std::optional<FrameId> best;
    auto origin = FrameOrigin::Plumbing;
    for (const FrameId frame : trace.stack(stack)) {
        const FrameOrigin candidate = frameOrigin(trace, frame);
        if (!best || candidate < origin) {
            best = frame;
            origin = candidate;
        }
        if (origin == FrameOrigin::User)
            break;
    }
    return best;
}

std::string_view fileName(std::string_view path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

} // namespace vramscope
