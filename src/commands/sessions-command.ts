// Runs `conclave sessions list`, `show`, `fork`, `trust`, `repair` and `rm`.
import {
  describeSession,
  forkSaved,
  isForeign,
  readSession,
  removeSaved,
  type SavedSession,
  type SessionDescription,
} from '../app/saved-session.ts';
import { listSessions } from '../app/list-sessions.ts';
import {
  listConversations,
  type MeantSession,
  findSession,
  turnsOf,
} from '../app/conversation-history.ts';
import {
  conversationFacts,
  conversationRow,
  showConversation,
  turnDocument,
  turnLines,
} from './conversation-lines.ts';
import { refuseInside } from '../app/inside-agent.ts';
import { shortSessionIds, wholeSessionId } from '../app/session-names.ts';
import { byText, sessionStateText } from '../faces/session-words.ts';
import { ago, costText, momentText, shorten, usageText } from '../faces/short-forms.ts';
import { outcomeText } from '../model/execution-summary.ts';
import { rejectionText } from '../model/wording.ts';
import type { SessionState } from '../model/session.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { faultyReferences, opinionText, opinionsOn } from '../phases/opinions.ts';
import { printTable } from './columns.ts';
import { canAsk, confirm, printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Lists the sessions that are saved in this repository, the latest first. */
export async function list({ root, environment, json }: CommonOptions): Promise<number> {
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

/** Shows one session, planned or talked about. Throws `session-unknown` or `-unreadable`. */
export async function show(
  wanted: string | undefined,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const meant = wanted === undefined ? null : await findSession({ root, environment }, wanted);
  const turns = meant?.isTalk === true ? await turnsOf({ root, environment }, meant.id) : [];
  if (meant?.isPlanned === false) return showConversation(meant.id, turns, json);
  const session = await describeSession(root, meant?.id);
  const { folder, state, rounds, result: execution, notes } = session;
  if (json) {
    const facts = { folder: folder.relative, rounds: rounds.map(roundFacts), execution, notes };
    printJson({ ...state, ...facts, ...(turns.length > 0 && { turns: turns.map(turnDocument) }) });
    return 0;
  }
  const noted = notes.map((text) => `Note      ${text}`);
  printLines(
    ...stateLines(state, folder.relative),
    ...(await executionFacts(session)),
    ...noted,
    '',
  );
  if (rounds.length > 0) {
    printTable({ head: roundHead, rows: rounds.map(roundRow) });
    printLines('', ...optionFacts(rounds.at(-1)), '');
  }
  printLines('Files:', ...state.artifacts.map((file) => `  ${file}`));
  if (turns.length > 0) printLines('', ...turnLines(turns));
  return 0;
}

/** The outcome of the approved plan, and what can be done next. */
async function executionFacts({
  folder,
  result,
  isApproved,
}: SessionDescription): Promise<readonly string[]> {
  if (result === null) return isApproved ? [`Next      conclave execute ${folder.id}`] : [];
  const { nextCommands } = await import('../phases/planning/plan-text.ts');
  const branch = result.branch === null ? [] : [`Branch    ${result.branch}`];
  return [
    `Execution ${outcomeText(result)}`,
    ...(result.applied === null ? branch : [`Applied   ${result.applied}`]),
    ...nextCommands(result, folder.id).map(
      ({ command, about }) => `Next      ${command}  ${about}`,
    ),
  ];
}

/** Copies a session up to a decision, to make another decision there. */
export async function fork(
  wanted: string,
  { root, environment, json, at: decision }: CommonOptions,
): Promise<number> {
  const id = await wholeSessionId(root, wanted);
  const forking = { root, environment, id, at: decision, now: new Date() };
  const { session, folder, at } = await forkSaved(forking);
  if (json) printJson({ session, folder, forked_from: id, at });
  else {
    printLines(
      `Forked at ${at}: ${session}`,
      `Decide again with:     conclave resume ${session}`,
      `Or without a terminal: conclave resume ${session} --auto-yes --solution N`,
    );
  }
  return 0;
}

/** Makes another user's session the user's own, after they have seen what it would run. */
export async function trust(
  wanted: string,
  { root, environment, json, yes }: CommonOptions,
): Promise<number> {
  const { loadSession } = await import('../app/load-session.ts');
  const { loadSettings } = await import('../app/settings/load-settings.ts');
  const { wouldRun, wouldRunLines } = await import('../app/adoption.ts');
  const id = await wholeSessionId(root, wanted);
  const settings = await loadSettings({ root, environment });
  const session = await loadSession(id, { root, environment, settings }, []);
  const isOwn = session.foreign === null;
  const runs = await wouldRun(session);
  if (!json && !isOwn) printLines(...wouldRunLines(runs));
  const agreed = isOwn || yes || (await confirm(`Trust ${id} as it is now?`));
  if (agreed && !isOwn) {
    const { adoptSession } = await import('../app/trust.ts');
    await adoptSession(session.folder, session, new Date());
  }
  if (json) printJson({ session: id, trusted: agreed, runs });
  else if (isOwn) printLines(`${id} is yours already.`);
  else
    printLines(
      agreed ? `Trusted ${id}. To continue: conclave resume ${id}` : 'Nothing was trusted.',
    );
  return 0;
}

/** Repairs a session that cannot be read, or that ends with the same fault at each resume. */
export async function repair(
  wanted: string,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const { loadSettings } = await import('../app/settings/load-settings.ts');
  const { repairSession } = await import('../app/repair.ts');
  const id = await wholeSessionId(root, wanted);
  const settings = await loadSettings({ root, environment });
  const { lost, redone, copies } = await repairSession(
    id,
    { root, environment, settings },
    new Date(),
  );
  if (json) printJson({ session: id, lost, redone, copies });
  else if (lost.length === 0) printLines(`Nothing in ${id} needs repair.`);
  else {
    printLines(
      `Repaired ${id}.`,
      ...lost.map((loss) => `Lost: ${loss}`),
      ...redone.map((key) => `Done again: ${key}`),
      ...copies.map((copy) => `The journal as it was: ${copy}`),
      `To continue: conclave resume ${id}`,
    );
  }
  return 0;
}

/** Removes sessions that no process has open. */
export async function remove(
  wanted: readonly string[],
  { root, environment, json, yes }: CommonOptions,
): Promise<number> {
  await refuseInside(environment);
  const place = { root, environment };
  const named = await Promise.all(wanted.map((part) => findSession(place, part)));
  const meant = [...new Map(named.map((one) => [one.id, one])).values()];
  const ids = meant.map(({ id }) => id);
  const isNamed = !canAsk() && wanted.every((part) => ids.includes(part));
  const otherwise = 'There is no terminal to ask in; give whole ids, or add -y.';
  if (!yes && !isNamed && !(await confirm(await removalQuestion(root, meant), otherwise))) {
    printLines('Nothing was removed.');
    return 0;
  }
  const kept: string[] = [];
  for (const { id, isPlanned, isTalk } of meant) {
    const left = isPlanned ? await removeSaved({ ...place, id }) : [];
    if (isTalk) {
      const { removeConversation } = await import('../app/forget-conversation.ts');
      await removeConversation(place, id);
    }
    kept.push(...left);
    if (!json) printLines(`Removed ${id}.`, ...left);
  }
  if (json) printJson({ removed: ids, kept });
  return 0;
}

/** Names each task, because an id alone says little about what would be lost. */
async function removalQuestion(root: string, meant: readonly MeantSession[]): Promise<string> {
  const texts = await Promise.all(
    meant.map(async ({ id, isPlanned }) => {
      const state = isPlanned ? (await readSession(root, id)).state : null;
      const about = state === null ? null : shorten(state.task_description, 80);
      return about === null ? id : `${id} (${about})`;
    }),
  );
  return `Remove ${texts.join(', ')} with all files?`;
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
    const isOther = isForeign(fault);
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

function stateLines(state: SessionState, folder: string): readonly string[] {
  const { spent, user_decision: decision, plan_rejected: rejected } = state;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Session', state.session_id],
    ['Task', state.task_description],
    ['State', sessionStateText(state)],
    ['Rounds', `${state.current_round} of at most ${state.max_rounds}`],
    ['Failure', state.failure?.message ?? null],
    ['Score', state.score?.toFixed(2) ?? null],
    ['Agents', state.agents.join(', ') || null],
    ['Decision', decision === null ? null : `${decision.solution} (${byText(decision.by)})`],
    ['Plan', rejected === null ? null : `${rejectionText(rejected)} (${byText(rejected.by)})`],
    ['Spent', usageText(spent)],
    ['Started', momentText(state.created_at, Date.now())],
    ['Changed', momentText(state.updated_at, Date.now())],
    ['Fork of', state.forked_from],
    ['Folder', folder],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(10)}${value}`]));
}

/** The solutions of the last round, and who is for and against each. */
function optionFacts(last: Synthesis | undefined): readonly string[] {
  if (last === undefined) return [];
  const lines = last.solutions.flatMap((solution, at) => [
    `  ${at + 1}. ${shorten(solution.name, 90)} (from ${solution.source_cli.join(', ')})`,
    ...opinionsOn(solution, last).map((one) => `     ${shorten(opinionText(one, 1), 160)}`),
    ...faultyReferences(solution).map((text) => `     check failed: ${shorten(text, 160)}`),
  ]);
  return [`Options of round ${last.round}:`, ...lines];
}

const roundHead = ['ROUND', 'SOLUTIONS', 'SCORE', 'RECOMMENDATION', 'ANSWERED', 'DID NOT ANSWER'];

function roundFacts(round: Synthesis) {
  const answered = round.receipts.filter((receipt) => receipt.failure === null);
  return {
    round: round.round,
    solutions: round.solutions.map((solution) => solution.name),
    score: round.convergence.score,
    recommendation: round.convergence.recommendation,
    answered: answered.map((receipt) => receipt.agent),
    unanswered: round.unanswered,
  };
}

function roundRow(round: Synthesis): readonly string[] {
  const { answered, unanswered, score, recommendation, solutions } = roundFacts(round);
  return [
    String(round.round),
    String(solutions.length),
    score.toFixed(2),
    recommendation,
    answered.join(', '),
    unanswered
      .map(({ agent, category, reason }) =>
        category === 'cancelled' ? `${agent}: you skipped it` : `${agent}: ${reason}`,
      )
      .join('; '),
  ];
}

function agoNow(moment: string): string {
  return ago(moment, Date.now());
}
