import type { Tools } from '../tools.ts';

/** Prepares, while the agents think, what the synthesis will need after the last of them. */
export function warmRound(tools: Tools, round: number): void {
  tools.schemas.warm([round === 1 ? 'proposal' : 'examination', 'synthesis']);
}
