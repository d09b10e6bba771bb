// Lists every CLI that we know, and the flags of each that only change how hard a model thinks.
import type { AgentAdapter } from '../agent.ts';
import { agy } from './agy.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/**
 * Every agent CLI that the program knows, one per line. Names, `--tools`, the fallback order’s
 * check and `conclave agents` all come from here; an agent’s name may not be written anywhere else.
 */
export const adapters: readonly AgentAdapter[] = [claude, codex, gemini, copilot, opencode, agy];

const harmless: Readonly<Record<string, RegExp>> = {
  claude: /^--effort=\w+$/,
  codex: /^--config=model_reasoning_effort=\w+$/,
  copilot: /^--reasoning-effort=\w+$/,
  opencode: /^--variant=\w+$/,
};

/** True for a flag of that CLI, in one argument, that gives its model no more to write or reach. */
export function isHarmlessFlag(cli: string, flag: string): boolean {
  return harmless[cli]?.test(flag) === true;
}
