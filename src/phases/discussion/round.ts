import { z } from 'zod';
import type { CodebaseContext } from '../../model/context.ts';
import { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';
import { askRound } from './ask-round.ts';
import { joinAnswers } from './join-answers.ts';
import { NextMove, nextMove } from './next.ts';
import { searchAgain } from './search-again.ts';
import { leftBy, modelNeeded, seatsFor, somebodyReady } from './seats.ts';
import { warmRound } from './warm.ts';

export interface RoundInput {
  readonly number: number;
  readonly task: string;
  readonly context: CodebaseContext;
  /** The settings as they are now; what a round used is recorded. */
  readonly settings: RunSettings;
  /** A "need more analysis" of the user allows at least this many rounds. */
  readonly atLeastRounds: number;
  readonly previous: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly feedback: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
}

export type RoundOutput =
  | {
      readonly kind: 'synthesized';
      readonly synthesis: Synthesis;
      readonly settings: RunSettings;
      readonly context: CodebaseContext;
      readonly next: NextMove;
    }
  /** Nobody was asked: only analysts answered before, and no agent with a model is ready. */
  | { readonly kind: 'nobody-seated' }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
    };

const Opened = z.object({
  seats: z.array(z.string()),
  chain: z.array(z.string()),
  settings: RunSettings,
});

/** One round of the discussion: ask every seat, check what was claimed, join, judge. */
export async function discussRound(
  input: RoundInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<RoundOutput> {
  const group = `round-${input.number}`;
  const opened = await openRound({ input, tools, signal, group });
  const { seats, chain, settings } = opened;
  if (seats.length === 0 && input.previous !== null) {
    tools.emit({ type: 'warning.raised', text: `${modelNeeded} The options stay as they are.` });
    return { kind: 'nobody-seated' };
  }
  tools.emit({
    type: 'round.started',
    round: input.number,
    max_rounds: Math.max(settings.max_rounds, input.atLeastRounds),
    mode: settings.mode,
    seats,
  });
  if (!tools.steps.replaying) warmUp(tools, input.context);
  const asked = { ...input, settings, group, seats, chain };
  const results = await askRound(asked, tools, signal);
  const failures = results.flatMap((result) => result.failed);
  if (results.every((result) => result.answer === null)) {
    return {
      kind: 'nobody-answered',
      failures: failures.map(({ failure }) => ({ agent: failure.agent, reason: failure.detail })),
    };
  }
  const synthesis = await joinAnswers({ asked, results, tools, signal });
  const next = await judgeRound({ input, settings, synthesis, tools, signal, group });
  const context =
    next === 'another-round' || next === 'ask-user'
      ? await searchAgain({ context: input.context, synthesis, tools, signal, group })
      : input.context;
  return { kind: 'synthesized', synthesis, settings, context, next };
}

function warmUp(tools: Tools, context: CodebaseContext): void {
  warmRound(tools, context).catch(() => {
    // Whatever it is will come again with the first real answer, where it is reported.
  });
}

/** Limits and seats of a round are recorded, so that later flags never change a past round. */
async function openRound(open: {
  input: RoundInput;
  tools: Tools;
  signal: AbortSignal;
  group: string;
}): Promise<z.infer<typeof Opened>> {
  const { input, tools, signal, group } = open;
  const { value } = await tools.steps.run(
    { key: `${group}/open`, group, kind: 'calculation', input: {}, shape: Opened, signal },
    async () => {
      const { number, previous, settings } = input;
      const { agents } = tools;
      const before = previous === null ? null : leftBy(previous);
      const seated = seatsFor({ number, settings, agents, before });
      const names = agents.analysts.map(({ name }) => name);
      const isLost =
        before !== null &&
        before.answered.every((name) => names.includes(name)) &&
        !(await somebodyReady(seated, agents, signal));
      return { seats: isLost ? [] : [...seated.seats], chain: [...seated.chain], settings };
    },
  );
  return value;
}

async function judgeRound(judge: {
  input: RoundInput;
  settings: RunSettings;
  synthesis: Synthesis;
  tools: Tools;
  signal: AbortSignal;
  group: string;
}): Promise<NextMove> {
  const { input, synthesis, tools, signal, group } = judge;
  const { value } = await tools.steps.run(
    { key: `${group}/next`, group, kind: 'calculation', input: {}, shape: NextMove, signal },
    async () =>
      nextMove({
        synthesis,
        maxRounds: Math.max(input.settings.max_rounds, input.atLeastRounds),
        requireConvergence: input.settings.require_convergence,
        models: synthesis.receipts.filter(({ agent }) => tools.agents.get(agent)?.kind === 'model')
          .length,
      }),
  );
  return value;
}
