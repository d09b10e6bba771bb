import { Stopped } from '../../model/failure.ts';
import { defaultValues } from './default-values.ts';
import { type Leaf, pathsOf } from './leaf.ts';

/** Who sits in a session where nobody chose: the two seats of the planning workflow. */
export const defaultSeats: readonly string[] = ['gemini', 'codex'];

/** Who takes the seat of an agent that is not ready or fails, in order. */
export const defaultChain: readonly string[] = ['gemini', 'codex', 'claude'];

/** The built-in analysts, which `local` stands for. */
export const analystNames: readonly string[] = ['structure', 'history'];

/** Everything else that holds where nobody says otherwise. */
export const defaultLeaves: readonly Leaf[] = pathsOf(defaultValues).map((leaf) => ({
  ...leaf,
  source: 'default',
  stop: (message) => new Stopped({ reason: 'config', file: 'the defaults', message }),
}));
