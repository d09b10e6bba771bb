import type { Tools } from '../tools.ts';

/** No prompt is longer than this, in bytes, even where a CLI would take more. */
const longestPrompt = 1_000_000;

/** The longest prompt that an agent takes whole, in bytes. */
export function promptLimit({ agents }: Pick<Tools, 'agents'>, agent: string): number {
  return Math.min(agents.adapterOf(agent)?.maxPromptBytes ?? longestPrompt, longestPrompt);
}
