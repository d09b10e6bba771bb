// Runs `conclave sessions cost`.
import { listSessions } from '../app/list-sessions.ts';
import { wholeSessionId } from '../app/session-names.ts';
import { costText } from '../faces/short-forms.ts';
import { parseStep } from '../model/steps.ts';
import { type RecordedCall, recordedCalls } from '../phases/asking/fold-bill.ts';
import { readJournal } from '../store/journal.ts';
import { openSessionFolder } from '../store/session-folder.ts';
import { printTable } from './columns.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Shows what sessions used, by session, agent, phase and day. */
export async function costCommand(
  wanted: string | undefined,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const ids =
    wanted === undefined
      ? (await listSessions({ root, environment })).flatMap((one) => (one.fault ? [] : one.id))
      : [await wholeSessionId(root, wanted)];
  const uses = (await Promise.all(ids.map((id) => usesOf(root, id)))).flat();
  if (json) printJson(uses);
  else if (uses.length === 0) printLines('No agent was asked in a session here.');
  else {
    const head = ['SESSION', 'AGENT', 'PHASE', 'DAY', 'CALLS', 'TOKENS IN', 'OUT', 'COST'];
    const total = { session: 'all', agent: '', phase: '', day: '', ...sumOf(uses) };
    const rows = [...uses, total].map(({ session, agent, phase, day, ...used }) => [
      session,
      agent,
      phase,
      day,
      String(used.calls),
      ...[used.input_tokens, used.output_tokens].map((count) => count.toLocaleString('en')),
      costText(used.cost_usd),
    ]);
    printTable({ head, rows });
  }
  return 0;
}

/** The use of one agent in one phase of one session on one day, in universal time: `2026-11-27`. */
async function usesOf(root: string, session: string) {
  const { records } = await readJournal(await openSessionFolder(root, session));
  const calls = recordedCalls(records).filter(({ isProgram }) => isProgram);
  return Object.entries(Object.groupBy(calls, placeOf))
    .flatMap(([place, some = []]) => {
      const [day = '', agent = '', phase = ''] = place.split('\n');
      return { session, agent, phase, day, ...sumOf(some.map(usedBy)) };
    })
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

function placeOf({ key, agent, startedAt }: RecordedCall): string {
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return [day, agent, parseStep(key)?.phase ?? '-'].join('\n');
}

const usedBy = (call: RecordedCall) => ({
  calls: 1,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  cost_usd: call.costUsd,
});

function sumOf(all: readonly ReturnType<typeof usedBy>[]): ReturnType<typeof usedBy> {
  const total = (name: keyof ReturnType<typeof usedBy>) =>
    all.reduce((sum, one) => sum + one[name], 0);
  return {
    calls: total('calls'),
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cost_usd: total('cost_usd'),
  };
}
