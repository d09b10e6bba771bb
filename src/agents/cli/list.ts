// Lists every CLI that we know.
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
