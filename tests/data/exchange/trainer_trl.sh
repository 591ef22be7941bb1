# After trl/scripts/sft.py of TRL (Apache-2.0), behind accelerate's launcher.
accelerate launch --num_processes 2 trl/scripts/sft.py \
    --model_name_or_path Qwen/Qwen2.5-0.5B \
    --dataset_name trl-lib/Capybara \
    --packing \
    --max_length 2048 \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 8 \
    --gradient_checkpointing \
    --bf16 --torch_dtype bfloat16 \
    --use_peft --lora_r 32 --lora_target_modules q_proj v_proj --load_in_4bit \
    --output_dir Qwen2-0.5B-SFT
