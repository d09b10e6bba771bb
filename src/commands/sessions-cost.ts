// Runs `conclave sessions cost`.
import { listSessions } from '../app/list-sessions.ts';
import { wholeSessionId } from '../app/session-names.ts';
import { costText } from '../faces/short-forms.ts';
import { parseStep } from '../model/steps.ts';
import { type RecordedCall, recordedCalls, totalOf } from '../phases/asking/fold-bill.ts';
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
  const calls = (await Promise.all(ids.map((id) => callsIn(root, id)))).flat();
  const places = Map.groupBy(calls, ({ place }) => JSON.stringify(place));
  const uses = [...places.values()].flatMap((some) =>
    some.slice(0, 1).map(({ place }) => ({ ...place, ...sumOf(some) })),
  );
  if (json) printJson(uses);
  else if (uses.length === 0) printLines('No session here has asked an agent with a model.');
  else {
    const all = { session: 'all', agent: '', phase: '', day: '', ...sumOf(calls) };
    const rows = [...uses, all].map((use) => [
      use.session,
      use.agent,
      use.phase,
      use.day,
      ...[use.calls, use.input_tokens, use.output_tokens].map((count) =>
        count.toLocaleString('en'),
      ),
      costText(use.cost_usd),
    ]);
    const head = ['SESSION', 'AGENT', 'PHASE', 'DAY', 'CALLS', 'TOKENS IN', 'OUT', 'COST'];
    printTable({ head, rows });
  }
  return 0;
}

/** The calls of programs in a session, by day, each with its place; days are in universal time. */
async function callsIn(root: string, session: string) {
  const { records } = await readJournal(await openSessionFolder(root, session));
  return recordedCalls(records)
    .filter(({ isProgram }) => isProgram)
    .map((call) => {
      const day = new Date(call.startedAt).toISOString().slice(0, 10);
      const phase = parseStep(call.key)?.phase ?? '-';
      return { ...call, place: { session, agent: call.agent, phase, day } };
    })
    .toSorted((one, other) => one.place.day.localeCompare(other.place.day));
}

function sumOf(calls: readonly RecordedCall[]) {
  const { input_tokens, output_tokens, cost_usd } = totalOf(calls);
  return { calls: calls.length, input_tokens, output_tokens, cost_usd };
}
