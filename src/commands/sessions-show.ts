// Runs `conclave sessions show`.
import { findSession } from '../app/find-session.ts';
import { describeSession, type SessionDescription } from '../app/saved-session.ts';
import { byText, sessionStateText } from '../faces/session-words.ts';
import { momentText, shorten, usageText } from '../faces/short-forms.ts';
import { outcomeText } from '../model/execution-summary.ts';
import { wrongUsage } from '../model/failure.ts';
import type { SessionState } from '../model/session.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { rejectionText } from '../model/wording.ts';
import { faultyReferences, opinionText, opinionsOn } from '../phases/opinions.ts';
import { printTable } from './columns.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Shows one session, planned or talked about. Throws `session-unknown` or `-unreadable`. */
export async function showCommand(
  wanted: string | undefined,
  { root, environment, json, anchors = false }: CommonOptions,
): Promise<number> {
  const meant = wanted === undefined ? null : await findSession({ root, environment }, wanted);
  const talk = meant?.isTalk === true ? await talkOf(meant.id, { root, environment }) : null;
  if (talk !== null && meant?.isPlanned === false) return talk.show(json);
  const session = await describeSession(root, meant?.id);
  const { folder, state, rounds, result: execution, notes } = session;
  if (anchors) return await printAnchors(session, json);
  if (json) {
    const facts = { folder: folder.relative, rounds: rounds.map(roundFacts), execution, notes };
    printJson({ ...state, ...facts, ...(talk !== null && { turns: talk.documents }) });
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
  if (talk !== null) printLines('', ...talk.lines);
  return 0;
}

/** Prints the lines of the plan, and of the result if there is one, each after its anchor. */
async function printAnchors(session: SessionDescription, json: boolean): Promise<number> {
  const { readReport } = await import('../app/read-report.ts');
  const { listAnchors } = await import('../model/document.ts');
  const { planDocument } = await import('../phases/documents/plan-document.ts');
  const { resultDocument } = await import('../phases/documents/result-document.ts');
  const { plan, tasks, contextPackage, reading, result, diff, codeReview } =
    await readReport(session);
  if (plan === null || contextPackage === null)
    throw wrongUsage(`Session ${session.folder.id} has no plan yet.`);
  const planned = planDocument({ plan, tasks, findings: [], contextPackage, reading });
  const told = { review: codeReview, tasks, changes: diff ?? '' };
  const all = {
    plan: listAnchors(planned.blocks),
    result: result === null ? [] : listAnchors(resultDocument({ result, ...told }).blocks),
  };
  if (json) printJson(all);
  else
    printLines(
      ...[...all.plan, ...all.result].map(({ anchor, text }) => `${anchor}  ${shorten(text, 120)}`),
    );
  return 0;
}

/** A conversation as it is shown; what reads and shows one is loaded only for it. */
async function talkOf(id: string, place: Pick<CommonOptions, 'root' | 'environment'>) {
  const { turnsOf } = await import('../app/conversation-history.ts');
  const { showConversation, turnDocument, turnLines } = await import('./conversation-lines.ts');
  const turns = await turnsOf(place, id);
  return {
    documents: turns.map(turnDocument),
    lines: turnLines(turns),
    show: (json: boolean) => showConversation(id, turns, json),
  };
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

const roundHead = ['ROUND', 'SOLUTIONS', 'SCORE', 'ANSWERED', 'DID NOT ANSWER'];

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
  const { answered, unanswered, score, solutions } = roundFacts(round);
  return [
    String(round.round),
    String(solutions.length),
    score.toFixed(2),
    answered.join(', '),
    unanswered
      .map(({ agent, category, reason }) =>
        category === 'cancelled' ? `${agent}: you skipped it` : `${agent}: ${reason}`,
      )
      .join('; '),
  ];
}
