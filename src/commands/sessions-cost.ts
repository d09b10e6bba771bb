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
  const uses = Object.values(Object.groupBy(calls, ({ place }) => place.join('\n'))).flatMap(
    (some = []) => some.slice(0, 1).map(({ place }) => useOf(place, some)),
  );
  if (json) printJson(uses);
  else if (uses.length === 0) printLines('No agent was asked in a session here.');
  else {
    const head = ['SESSION', 'AGENT', 'PHASE', 'DAY', 'CALLS', 'TOKENS IN', 'OUT', 'COST'];
    const all = useOf(['all', '', '', ''], calls);
    const rows = [...uses, all].map(({ session, agent, phase, day, ...used }) => [
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

/** The session, agent, phase and day of a call, in universal time: `2026-11-27`. */
type Place = readonly [session: string, agent: string, phase: string, day: string];

interface PlacedCall extends RecordedCall {
  readonly place: Place;
}

/** The calls of programs in a session, by day. */
async function callsIn(root: string, session: string): Promise<readonly PlacedCall[]> {
  const { records } = await readJournal(await openSessionFolder(root, session));
  return recordedCalls(records)
    .filter(({ isProgram }) => isProgram)
    .map((call): PlacedCall => {
      const day = new Date(call.startedAt).toISOString().slice(0, 10);
      return { ...call, place: [session, call.agent, parseStep(call.key)?.phase ?? '-', day] };
    })
    .toSorted(({ place: [, , , one] }, { place: [, , , other] }) => one.localeCompare(other));
}

function useOf([session, agent, phase, day]: Place, calls: readonly RecordedCall[]) {
  const { input_tokens, output_tokens, cost_usd } = totalOf(calls);
  return { session, agent, phase, day, calls: calls.length, input_tokens, output_tokens, cost_usd };
}
