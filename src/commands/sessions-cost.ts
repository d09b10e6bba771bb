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

/** The use of one agent in one phase of one session on one day. */
interface Use {
  readonly session: string;
  readonly agent: string;
  readonly phase: string;
  /** `2026-11-27`, in universal time. */
  readonly day: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
}

/** Shows what sessions used, by session, agent, phase and day. */
export async function costCommand(
  wanted: string | undefined,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const all = await listSessions({ root, environment });
  const readable = all.filter(({ fault }) => fault === null).map(({ id }) => id);
  const ids = wanted === undefined ? readable : [await wholeSessionId(root, wanted)];
  const uses = (await Promise.all(ids.map((id) => usesOf(root, id)))).flat();
  if (json) printJson(uses);
  else if (uses.length === 0) printLines('No agent was asked in a session here.');
  else {
    const head = ['SESSION', 'AGENT', 'PHASE', 'DAY', 'CALLS', 'TOKENS IN', 'OUT', 'COST'];
    const total = uses.reduce((sum, use) => ({ ...sum, ...added(sum, use) }), emptyTotal);
    printTable({ head, rows: [...uses, total].map(rowOf) });
  }
  return 0;
}

const emptyTotal: Use = {
  session: 'all',
  agent: '',
  phase: '',
  day: '',
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
};

async function usesOf(root: string, session: string): Promise<readonly Use[]> {
  const { records } = await readJournal(await openSessionFolder(root, session));
  const uses = new Map<string, Use>();
  for (const call of recordedCalls(records).filter(({ isProgram }) => isProgram)) {
    const use = useOf(session, call);
    const key = [use.agent, use.phase, use.day].join(' ');
    const before = uses.get(key);
    uses.set(key, before === undefined ? use : { ...use, ...added(before, use) });
  }
  return [...uses.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function useOf(session: string, call: RecordedCall): Use {
  return {
    session,
    agent: call.agent,
    phase: parseStep(call.key)?.phase ?? '-',
    day: new Date(call.startedAt).toISOString().slice(0, 10),
    calls: 1,
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    cost_usd: call.costUsd,
  };
}

function added(one: Use, other: Use) {
  return {
    calls: one.calls + other.calls,
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cost_usd: one.cost_usd + other.cost_usd,
  };
}

function rowOf({ session, agent, phase, day, calls, ...used }: Use): readonly string[] {
  const [read, written] = [used.input_tokens, used.output_tokens].map((n) =>
    n.toLocaleString('en'),
  );
  return [
    session,
    agent,
    phase,
    day,
    String(calls),
    read ?? '',
    written ?? '',
    costText(used.cost_usd),
  ];
}
