// Runs `conclave sessions list`.
import { listConversations } from '../app/find-session.ts';
import { listSessions } from '../app/list-sessions.ts';
import type { SavedSession } from '../app/read-session.ts';
import { shortSessionIds } from '../app/session-names.ts';
import { sessionStateText } from '../faces/session-words.ts';
import { ago, costText, shorten } from '../faces/short-forms.ts';
import { cleanText } from '../model/clean-text.ts';
import { counted, oneLine } from '../model/wording.ts';
import type { ConversationEntry } from '../store/history-database.ts';
import { printTable } from './columns.ts';
import { printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Lists the sessions that are saved in this repository, here or on another machine, the latest first. */
export async function listCommand(options: CommonOptions): Promise<number> {
  const { root, environment, json, machine } = options;
  if (machine !== undefined) {
    const { askMachine } = await import('../app/own-machines.ts');
    const words = ['sessions', 'list', ...(json ? ['--json'] : [])];
    printLines(cleanText(await askMachine(machine, words, options)));
    return 0;
  }
  const sessions = await listSessions({ root, environment });
  const { entries, fault } = await listConversations({ root, environment });
  if (fault !== null) printWarnings([fault.message]);
  const planned = new Set(sessions.map(({ id }) => id));
  const talks = entries.filter((one) => !planned.has(one.session_id));
  if (json) printJson([...sessions.map(sessionFacts), ...talks.map(conversationFacts)]);
  else if (sessions.length + talks.length === 0) printLines('There are no saved sessions here.');
  else {
    const short = shortSessionIds([...planned, ...talks.map((one) => one.session_id)]);
    const rows = [
      ...sessions.map((one) => ({ at: one.state?.updated_at ?? '', row: sessionRow(one, short) })),
      ...talks.map((one) => ({ at: one.updated_at, row: conversationRow(one, short) })),
    ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
    printTable({ head: sessionHead, rows: rows.map(({ row }) => row) });
  }
  return 0;
}

const sessionHead = ['SESSION', 'STATE', 'STARTED', 'CHANGED', 'COST', 'TASK'];

function sessionFacts({ id, state, fault }: SavedSession) {
  return { id, state, unreadable: fault?.message ?? null };
}

type ShortIds = ReturnType<typeof shortSessionIds>;

function sessionRow({ id, state, fault }: SavedSession, short: ShortIds): readonly string[] {
  const name = short.get(id) ?? id;
  if (state === null) {
    if (fault === null) return [name, 'empty'];
    const isOther = fault.failure.reason === 'session-foreign';
    const why = isOther ? 'not made by Conclave' : fault.message;
    return [name, isOther ? 'other' : 'unreadable', '', '', '', why];
  }
  const { forked_from: origin, spent } = state;
  const forkText = origin === null ? '' : `, fork of ${short.get(origin) ?? origin}`;
  return [
    name,
    `${sessionStateText(state)}${forkText}`,
    agoNow(state.created_at),
    agoNow(state.updated_at),
    costText(spent.cost_usd),
    shorten(state.task_description, 160),
  ];
}

/** Puts a conversation into the columns of the session list. */
function conversationRow(
  { session_id: id, turns, created_at, updated_at, title }: ConversationEntry,
  short: ReadonlyMap<string, string>,
): readonly string[] {
  const times = [ago(created_at, Date.now()), ago(updated_at, Date.now())];
  const about = shorten(oneLine(title), 160);
  return [short.get(id) ?? id, counted(turns, 'turn'), ...times, '-', about];
}

/** Describes a conversation in the form of the listed sessions. */
function conversationFacts({ session_id: id, ...conversation }: ConversationEntry) {
  return { id, state: null, unreadable: null, conversation };
}

function agoNow(moment: string): string {
  return ago(moment, Date.now());
}
