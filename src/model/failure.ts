import type { AgentFailure } from './agent-failure.ts';
import { counted } from './wording.ts';

/** Every expected bad end of a command, apart from a single agent run. */
export type Failure =
  | { reason: 'usage'; message: string }
  | { reason: 'config'; file: string; message: string }
  | { reason: 'no-agent-answered'; failures: readonly { agent: string; reason: string }[] }
  | { reason: 'nothing-found' }
  | { reason: 'nobody-revises'; session: string; agents: readonly { agent: string; why: string }[] }
  | {
      reason: 'nobody-executes';
      session: string;
      failures: readonly { agent: string; reason: string }[];
    }
  | { reason: 'files-changed'; session: string; files: readonly string[] }
  | { reason: 'not-approved'; session: string }
  | { reason: 'execution-failed'; session: string; summary: string; first: string }
  | { reason: 'review-blocks'; session: string; findings: number; first: string }
  | { reason: 'not-applied'; session: string; why: string }
  | { reason: 'agent-not-ready'; agent: string; why: string; remedy: string }
  | {
      reason: 'budget-used-up';
      session: string;
      of: 'session' | 'round';
      /** The setting that limits it. */
      setting: string;
      /** E.g. `$2.03 of $2.00`. */
      used: string;
    }
  | { reason: 'not-converged'; score: number; rounds: number }
  | {
      reason: 'session-busy';
      session: string;
      pid: number | null;
      host: string | null;
      since: string | null;
    }
  | { reason: 'session-unknown'; session: string }
  | { reason: 'session-unreadable'; session: string; message: string }
  | { reason: 'newer-format'; session: string; found: number; known: number }
  | { reason: 'cannot-write'; path: string; code: string }
  | { reason: 'cannot-begin'; path: string; code: string }
  | { reason: 'output-unwritable'; why: string }
  | { reason: 'link-refused'; path: string }
  | { reason: 'diverged'; step: string; missing: readonly string[] }
  | { reason: 'base-gone'; commit: string }
  | { reason: 'plan-invalid'; findings: number; first: string }
  | { reason: 'plan-unreadable'; session: string; first: string }
  | { reason: 'plan-stale'; session: string }
  | { reason: 'session-foreign'; session: string }
  | { reason: 'unanswered'; question: string; flags: string }
  | { reason: 'cancelled'; session: string | null };

/** The one sentence for each failure: what is wrong, where, and what to do. */
export function failureText(failure: Failure): string {
  switch (failure.reason) {
    case 'usage':
      return failure.message;
    case 'config':
      return `${failure.file}: ${failure.message}`;
    case 'no-agent-answered':
      return `No agent could answer${whys(failure.failures)}; run "conclave doctor" to see what is missing.`;
    case 'nothing-found':
      return 'No file matches this task. Name one with @, or log in to an agent with a model: "conclave agents" shows how.';
    case 'nobody-revises':
      return `No planning agent can revise the plan of ${failure.session} (${failure.agents.map(({ agent, why }) => `${agent}: ${why}`).join('; ') || 'none is set up'}); "conclave doctor" says how to make one ready, or change the plan yourself: conclave review ${failure.session} --set TASK.field=value`;
    case 'nobody-executes':
      return `No agent with a model is ready to carry the plan out${whys(failure.failures)}; "conclave doctor" says how to make one ready, then: conclave execute ${failure.session}`;
    case 'files-changed':
      return `The plan of ${failure.session} was made for files that have changed since: ${failure.files.join(', ')}. Plan the affected tasks anew with: conclave execute ${failure.session} --replan, or carry it out on the code as it was with --force.`;
    case 'not-approved':
      return `The plan of ${failure.session} is not approved yet; read it and approve it with: conclave review ${failure.session}`;
    case 'execution-failed':
      return `${failure.summary}: ${failure.first}. To try again what failed: conclave execute ${failure.session}`;
    case 'review-blocks':
      return `The code review of ${failure.session} found ${counted(failure.findings, 'thing')} that should not be merged (see code-review.md): ${failure.first}`;
    case 'not-applied':
      return `Nothing was applied: ${failure.why}. To try again: conclave execute ${failure.session} --apply`;
    case 'agent-not-ready':
      return `The agent ${failure.agent} is not ready: ${failure.why}. ${failure.remedy}`;
    case 'budget-used-up':
      return budgetUsedUp(failure);
    case 'not-converged':
      return `The agents did not converge (score ${failure.score.toFixed(2)} after ${counted(failure.rounds, 'round')}) and --require-convergence was given; resume the session with more rounds or without the flag.`;
    case 'session-busy':
      return `Session ${failure.session} is in use by ${failure.pid === null ? 'another process' : `process ${failure.pid} on ${failure.host ?? 'an unknown host'} since ${failure.since ?? 'an unknown time'}`}; wait for it to end or stop it.`;
    case 'session-unknown':
      return `There is no session "${failure.session}" here; "conclave sessions list" shows the saved ones.`;
    case 'session-unreadable':
      return `Session ${failure.session} cannot be read: ${failure.message}`;
    case 'newer-format':
      return `Session ${failure.session} was written by a newer conclave (format ${failure.found}, this one knows ${failure.known}); update conclave to open it.`;
    case 'cannot-write':
      return `Cannot write ${failure.path} (${failure.code}); ${failure.code === 'ENOSPC' ? 'free some disk space' : 'check the permissions'} and resume the session.`;
    case 'cannot-begin':
      return `No session can be kept in ${failure.path} (${failure.code}); ${beginRemedy(failure.code)} and start again.`;
    case 'output-unwritable':
      return `The output could not be written: ${failure.why}; send it to another place.`;
    case 'link-refused':
      return `${failure.path} is a symbolic link, which is refused inside a session folder; remove it and try again.`;
    case 'diverged':
      return `The recorded session no longer fits this version: before step "${failure.step}" it expected ${failure.missing.join(', ')}; fork the session or start a new one.`;
    case 'base-gone':
      return `The commit ${failure.commit.slice(0, 12)} that the session started from is not in this repository any more; bring it back or start a new session.`;
    case 'plan-invalid':
      return `The plan is invalid (${counted(failure.findings, 'finding')}; "conclave review" shows them): ${failure.first}`;
    case 'plan-unreadable':
      return `The plan of ${failure.session} cannot be read, so fix its files in an editor first: ${failure.first}`;
    case 'plan-stale':
      return `The plan of ${failure.session} is not the one that was approved; look at it with: conclave review ${failure.session}, and approve it again with --approve.`;
    case 'session-foreign':
      return `Session ${failure.session} was not made by Conclave, which can only check its files: conclave validate ${failure.session}`;
    case 'unanswered':
      return `${failure.question} Use ${failure.flags}.`;
    case 'cancelled':
      return failure.session === null
        ? 'Interrupted.'
        : `Interrupted and saved. To continue: conclave resume ${failure.session}`;
  }
}

function beginRemedy(code: string): string {
  if (code === 'ENOSPC') return 'free some disk space';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'move away the file that is in its place';
  return 'see to it that you can write there';
}

function budgetUsedUp({
  session,
  of,
  setting,
  used,
}: Extract<Failure, { reason: 'budget-used-up' }>): string {
  const flag = { 'budget.usd': '--budget-usd', 'budget.tokens': '--budget-tokens' }[setting];
  const more =
    flag === undefined
      ? `raise ${setting} in your settings, then: conclave resume ${session}`
      : `conclave resume ${session} ${flag} N`;
  return `The budget of this ${of} is used up (${used}); every answer so far is saved. To continue with more: ${more}`;
}

function whys(failures: readonly { agent: string; reason: string }[]): string {
  const each = failures.map(({ agent, reason }) => `${agent}: ${reason}`);
  return each.length === 0 ? '' : ` (${each.join('; ')})`;
}

/** The documented exit code of each failure. */
export function exitCodeOf(failure: Failure): number {
  switch (failure.reason) {
    case 'usage':
    case 'config':
    case 'unanswered':
    case 'session-unknown':
      return 2;
    case 'no-agent-answered':
    case 'nothing-found':
    case 'nobody-revises':
    case 'nobody-executes':
    case 'agent-not-ready':
      return 3;
    case 'not-converged':
      return 4;
    case 'session-busy':
      return 5;
    case 'plan-invalid':
    case 'plan-unreadable':
    case 'plan-stale':
    case 'files-changed':
    case 'not-approved':
      return 6;
    case 'execution-failed':
    case 'review-blocks':
    case 'not-applied':
      return 7;
    case 'budget-used-up':
      return 8;
    case 'session-unreadable':
    case 'session-foreign':
    case 'newer-format':
    case 'cannot-write':
    case 'cannot-begin':
    case 'output-unwritable':
    case 'link-refused':
    case 'diverged':
    case 'base-gone':
      return 9;
    case 'cancelled':
      return 130;
  }
}

/**
 * Carries a failure from deep inside (a full disk, a damaged journal) to the command line,
 * where it becomes its sentence and exit code. It is thrown, but it is not a bug.
 */
export class Stopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failureText(failure));
    this.name = 'Stopped';
    this.failure = failure;
  }
}

/** What ends a command that was typed in a way that cannot be; `message` says what would be right. */
export function wrongUsage(message: string): Stopped {
  return new Stopped({ reason: 'usage', message });
}

export type Result<T, E = AgentFailure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: E };
