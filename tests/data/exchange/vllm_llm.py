from vllm import LLM, SamplingParams

llm = LLM(
    model="Qwen/Qwen2.5-32B-Instruct",
    tensor_parallel_size=2,
    max_model_len=16384,  # the prompts are short
    dtype="bfloat16",
    enforce_eager=True,
)
