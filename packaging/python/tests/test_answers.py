# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package against the command line that it brings: what it says is what the command says."""

import dataclasses
import json
import subprocess

import pytest
import vramscope
from vramscope import _program


def said(*words, stdin=None):
    done = subprocess.run([_program.program("vramscope-cli"), *map(str, words)], input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[0])


def test_a_plan_in_words_answers_with_exact_figures():
    plan = vramscope.plan("llama 3.1 8b lora on a 4090")
    answer = said("plan", "--json", "llama 3.1 8b lora on a 4090")
    assert plan.json == answer
    assert plan.fits is answer["fits"]
    assert plan.peak.device == answer["peak"]["device"] and isinstance(plan.peak.device, int)
    assert sum(one.bytes for one in plan.components) == plan.peak.allocated
    assert any(one["meaning"].startswith("rank") for one in plan.asked.assumed), "what was assumed stands in the answer"


def test_every_field_of_a_value_is_what_the_json_says(examples):
    for answer in (vramscope.plan(examples / "llama-70b-serving-2xh200.vramplan"),
                   vramscope.trace(examples / "training-out-of-memory.pickle"),
                   vramscope.project(examples / "llama-70b-8xh200.vramplan")):
        for one in dataclasses.fields(answer):
            name = one.metadata.get("name", one.name)
            if name in answer.json and isinstance(answer.json[name], (str, int, float, bool)):
                assert getattr(answer, one.name) == answer.json[name]


def test_a_document_round_trips():
    plan = vramscope.plan("qwen3 8b full fine-tune on 8xh100", seq=4096)
    again = vramscope.plan(plan.document())
    assert again.peak.device == plan.peak.device
    assert vramscope.plan(again).peak.device == plan.peak.device


def test_options_reach_the_command(examples):
    small = vramscope.plan("llama 3.1 8b lora on a 4090", set={"batch.micro_batch": 1})
    large = vramscope.plan("llama 3.1 8b lora on a 4090", set={"batch.micro_batch": 8})
    assert large.peak.allocated > small.peak.allocated
    with pytest.raises(vramscope.VramscopeError) as refused:
        vramscope.plan("llama 3.1 8b", nothing_like_it=True)
    assert "--nothing-like-it" in str(refused.value) and refused.value.status == 2


def test_a_plan_that_does_not_fit_is_no_error():
    plan = vramscope.plan("llama 3.1 70b full on one 4090", must_fit=True)
    assert plan.fits is False


def test_fit_and_project(examples):
    largest = vramscope.fit("llama 3.1 8b qlora on a 4090", vary="batch.sequence_length")
    assert largest.answer.value >= 512 and largest.answer.fits
    ways = vramscope.fit(examples / "llama-70b-8xh200.vramplan")
    assert ways.ways and all(way.title for way in ways.ways)
    scales = vramscope.project(examples / "llama-70b-8xh200.vramplan", gpus=[8, 16])
    assert [one.gpus for one in scales.strong] == [8, 16]


def test_recordings(examples):
    trace = vramscope.trace(examples / "training-out-of-memory.pickle")
    assert trace.devices[0].peak_active == said("trace", "--json", examples / "training-out-of-memory.pickle")["devices"][0][
        "peak_active"]
    assert trace.devices[0].oom
    difference = vramscope.diff(examples / "training-out-of-memory.pickle", examples / "training-expandable-segments.pickle")
    assert difference.delta["peak_active"] == difference.b["peak_active"] - difference.a["peak_active"]


def test_a_refusal_is_the_sentence_of_the_command(tmp_path):
    missing = tmp_path / "none.pickle"
    with pytest.raises(vramscope.VramscopeError, match="There is no such file"):
        vramscope.trace(missing)


def test_a_notebook_shows_the_answer_and_escapes_what_a_file_says(tmp_path):
    shown = vramscope.plan("llama 3.1 8b lora on a 4090")._repr_html_()
    assert "Llama 3.1 8B, LoRA on 1" in shown and "Frozen weights" in shown
    plan = vramscope.plan("llama 3.1 8b lora on a 4090").document()
    plan["name"] = "<script>alert(1)</script>"
    hostile = vramscope.plan(plan)
    assert "<script>" not in hostile._repr_html_().replace((hostile._repr_svg_() or "\0"), "")


def test_pandas_has_a_row_each():
    pandas = pytest.importorskip("pandas")
    plan = vramscope.plan("llama 3.1 8b lora on a 4090")
    frame = plan.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["bytes"].sum() == plan.peak.allocated
    with pytest.raises(KeyError):
        plan.to_pandas("nothing")


def test_validation_has_the_rows_that_ship():
    assert vramscope.validate(family="gradients").rows
