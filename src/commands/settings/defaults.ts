import { Stopped } from '../../model/failure.ts';
import { type Leaf, pathsOf } from './leaf.ts';

/** Who sits in a session where nobody chose: the two seats of the planning workflow. */
export const defaultSeats: readonly string[] = ['gemini', 'codex'];

/** Who takes the seat of an agent that is not ready or fails, in order. */
export const defaultChain: readonly string[] = ['gemini', 'codex', 'claude', 'copilot', 'opencode'];

/** The built-in analysts, which `local` stands for. */
export const analystNames: readonly string[] = ['structure', 'history'];

/** Everything else that holds where nobody says otherwise. Times in seconds. */
export const defaultLeaves: readonly Leaf[] = pathsOf({
  workflow: {
    mode: 'parallel',
    max_rounds: 3,
    require_convergence: false,
    auto_yes: false,
    timeout: 900,
    first_output_timeout: 120,
    idle_timeout: 300,
    kill_grace: 5,
  },
  context: {
    providers: ['mcp', 'local', 'ripgrep', 'scan'],
    max_files: 12,
    timeout: 15,
    rerank: 'off',
  },
}).map((leaf) => ({
  ...leaf,
  source: 'default',
  stop: (message) => new Stopped({ reason: 'config', file: 'the defaults', message }),
}));
