// Determines the family of a model on the user’s own server by its name.

/**
 * The family of a local model, which counts as its vendor: models of one family share what they
 * learned, whoever packaged them. Null if the name does not reveal it.
 */
export function familyOf(model: string | null): string | null {
  const name = (model ?? '').toLowerCase().replace(/^.*\//, '');
  return families.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

// The first match counts: "deepseek-r1-distill-llama" was trained by DeepSeek.
const families = [
  ['gpt-oss', /gpt-?oss/],
  ['deepseek', /deepseek/],
  ['qwen', /qwen|qwq/],
  ['mistral', /mistral|mixtral|codestral|devstral|magistral|ministral/],
  ['gemma', /gemma/],
  ['llama', /llama/],
  ['phi', /^phi/],
  ['granite', /granite/],
  ['glm', /^glm/],
  ['kimi', /kimi/],
] as const;
