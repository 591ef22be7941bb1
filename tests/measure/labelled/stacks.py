# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames that PyTorch notes for an event: Python's, and with stacks="all" those of C++ around them."""

import pathlib
import re
import sys

import torch

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")  # their result keeps the storage of one value an element
VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])

VARIABLES = "(std::vector<at::Tensor, std::allocator<at::Tensor> >&&)"
CUDA = "c10::cuda::CUDACachingAllocator::Native::"
GATHER = [("torch::unwind::unwind()", "??"), ("torch::CapturedTraceback::gather(bool, bool, bool)", "??"),
          ("torch::cuda::(anonymous namespace)::gather_with_cpp()", "memory_snapshot.cpp")]
MALLOC = [(CUDA + "DeviceCachingAllocator::malloc(" + ("signed char, " if VERSION < (2, 9) else "") + "unsigned long, CUstream_st*)",
           "CUDACachingAllocator.cpp"),
          (CUDA + "NativeCachingAllocator::malloc(void**, signed char, unsigned long, CUstream_st*)", ""),
          (CUDA + "NativeCachingAllocator::allocate(unsigned long)", "")]
EMPTY = [("at::detail::empty_generic(c10::ArrayRef<long>, c10::Allocator*, c10::DispatchKeySet, c10::ScalarType, "
          "std::optional<c10::MemoryFormat>)", "??"),
         ("at::detail::empty_cuda(c10::ArrayRef<long>, c10::ScalarType, std::optional<c10::Device>, std::optional<c10::MemoryFormat>)", "??")]
FREE = [(CUDA + "DeviceCachingAllocator::free(" + CUDA + "(anonymous namespace)::Block*)", "CUDACachingAllocator.cpp"),
        ("c10::intrusive_ptr<c10::StorageImpl, c10::detail::intrusive_target_default_null_type<c10::StorageImpl> >"
         "::reset_not_null_(c10::StorageImpl*)", ""),
        ("c10::TensorImpl::~TensorImpl()", "TensorImpl.cpp")]
DROPPED = [("THPVariable_clear(THPVariable*)", "python_variable.cpp"), ("THPVariable_dealloc(_object*)", "python_variable.cpp")]
WORKSPACE = [("at::cuda::getCUDABlasWorkspace()" if VERSION >= (2, 10) else "at::cuda::getNewWorkspace()", "CublasHandlePool.cpp"),
             ("at::cuda::getCurrentCUDABlasHandle()", "CublasHandlePool.cpp")]
ENGINE = [("torch::autograd::Node::operator()" + VARIABLES, ""),
          ("torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&, torch::autograd::Node*, "
           "torch::autograd::InputBuffer&, std::shared_ptr<torch::autograd::ReadyQueue> const&)", "??"),
          ("torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)", "??"),
          ("torch::autograd::Engine::thread_init(int, std::shared_ptr<torch::autograd::ReadyQueue> const&, bool)", "??"),
          ("torch::autograd::python::PythonEngine::thread_init(int, std::shared_ptr<torch::autograd::ReadyQueue> const&, bool)", ""),
          ("execute_native_thread_routine", "??"), ("start_thread", "??"), ("__clone", "??")]
START = [("PyEval_EvalCode", "??"), ("Py_RunMain", "??"), ("Py_BytesMain", "??"), ("__libc_start_main", "??"), ("_start", "??")]


class Stacks:
    """The frames that PyTorch would note at this place, each different stack made once."""

    HIDDEN = ("torch/utils/_python_dispatch.py", "torch/utils/_stats.py", str(pathlib.Path(__file__).with_name("recorder.py")))
    WRAPPERS = ("torch/_dynamo/eval_frame.py", "torch/_compile.py")  # of a dispatch mode's method

    def __init__(self, sources, native):
        self.sources, self.native, self.frames, self.known = sources, native, {}, {}

    def now(self):
        """The Python frames, innermost first, as (code, line), and whether a module runs forward."""
        shown, forward, wrapped, frame = [], False, False, sys._getframe(2)
        while frame:
            code = frame.f_code
            if code.co_name == "_engine_run_backward":
                return shown, forward  # on a GPU the engine has a thread of its own, which starts here
            wrapped = wrapped and code.co_filename.endswith(self.WRAPPERS)
            if code.co_name == "__torch_dispatch__":
                shown, wrapped = [], True
            elif not wrapped and not code.co_filename.endswith(self.HIDDEN):
                shown.append((code, frame.f_lineno))
                forward = forward or code.co_name in ("_call_impl", "cross_entropy", *LOSSES)
            if code.co_filename in self.sources and (code.co_name == "main" or self.is_module(code)):
                break
            frame = frame.f_back
        return shown, forward

    @staticmethod
    def is_module(code):
        """Whether the code is a program's function outside its main(): the top of a script."""
        return code.co_name.startswith("p_")

    def place(self, code, line):
        path = code.co_filename
        for first, shown in reversed(self.sources.get(path, [])):
            if line > first:
                return shown, line - first
        path = re.sub(r".*/site-packages/", "/venv/lib/python3.11/site-packages/", path)
        return re.sub(r".*/lib/python3\.11/(?!site-packages)", "/usr/lib/python3.11/", path), line

    def frame(self, name, path, line):
        return self.frames.setdefault((name, path, line), {"name": name, "filename": path, "line": line})

    def written(self, shown, cause, operator, engine):
        """The list of frames; cause is "alloc", "free" or "workspace"."""
        node = torch._C._current_autograd_node() if engine else None
        node = node.name() if node is not None else ""
        key = (tuple((id(code), line) for code, line in shown), cause, operator, engine, node, torch.is_grad_enabled())
        if key not in self.known:
            rows = []
            for code, line in shown:
                name = "<module>" if self.is_module(code) else code.co_name
                rows.append(self.frame(name, *self.place(code, line)))
                if self.native:
                    rows.append(self.frame("_PyEval_EvalFrameDefault", "??", 0))
            if not engine and not (shown and self.is_module(shown[-1][0])):
                path = rows[-2 if self.native else -1]["filename"] if rows else "/srv/run.py"
                rows.append(self.frame("<module>", path, 300))
            if self.native:
                around = lambda pairs: [self.frame(name, path, 0) for name, path in pairs]
                rows = around(self.head(cause, operator, engine)) + rows + around(self.tail(node, cause, bool(shown)) if engine else START)
            self.known[key] = rows
        return self.known[key]

    @staticmethod
    def head(cause, operator, engine):
        if cause == "free":
            return GATHER + FREE + ([] if engine else DROPPED)
        function, operator = operator.split(".")[0], operator.replace(".", "_")
        rows = GATHER + MALLOC + (WORKSPACE if cause == "workspace" else EMPTY)
        rows = rows + [(f"at::_ops::{operator}::redispatch(c10::DispatchKeySet)", "??")]
        if torch.is_grad_enabled() and not engine:
            rows = rows + [(f"torch::autograd::VariableType::(anonymous namespace)::{operator}(c10::DispatchKeySet)", "VariableType_0.cpp")]
        rows = rows + [(f"at::_ops::{operator}::call(at::Tensor const&)", "??")]
        if engine:
            return rows
        return rows + [(f"torch::autograd::THPVariable_{function}(_object*, _object*, _object*)", "python_torch_functions_0.cpp")]

    @staticmethod
    def tail(node, cause, python):
        if not node:
            return ENGINE[1:]
        if node.endswith("AccumulateGrad"):
            name = "torch::autograd::AccumulateGrad::apply"
        elif python:
            name = "torch::autograd::PyNode::apply"
        elif cause == "free":
            name = f"torch::autograd::generated::{node}::release_variables"
            return [(name + "()", "??")] + ENGINE[1:]
        else:
            name = f"torch::autograd::generated::{node}::apply"
        return [(name + VARIABLES, "??")] + ENGINE
