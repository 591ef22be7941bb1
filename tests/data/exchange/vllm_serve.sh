vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 4 --gpu-memory-utilization 0.92 \
  --max-model-len 32768 --max-num-seqs=128 --kv-cache-dtype fp8 --port 8000 --enable-prefix-caching \
  --speculative-config "{}"
