// Gives every expected bad end its sentence and its exit code.
import type { AgentFailure } from './agent-event.ts';
import { counted } from './wording.ts';

interface InSession {
  session: string;
}
/** The owner of a session; unknown parts are null. */
interface Owner {
  pid: number | null;
  host: string | null;
  since: string | null;
}
interface UsedUp {
  /** The setting that limits it. */
  setting: string;
  /** The amounts, e.g. `$2.03 of $2.00`. */
  used: string;
}
interface At {
  path: string;
  code: string;
}
interface Unready {
  agent: string;
  why: string;
}
/** A failed task, and its work tree if that is kept. */
interface FailedTask {
  readonly task: string;
  readonly tree: string | null;
}
type Whys = readonly { readonly agent: string; readonly reason: string }[];

/** The sentences for each end, by exit code: what is wrong, where, and what to do. */
const ends = {
  2: {
    usage: ({ message }: { message: string }) => message,
    config: (at: { file: string; message: string }) => `${at.file}: ${at.message}`,
    unanswered: (asked: { question: string; flags: string }) =>
      `${asked.question} Use ${asked.flags}.`,
    'session-unknown': ({ session }: InSession) =>
      `There is no session "${session}" here; "conclave sessions list" shows the saved ones.`,
  },
  3: {
    'no-agent-answered': ({ failures }: { failures: Whys }) =>
      `No agent could answer${whys(failures)}; "conclave doctor" shows who is ready, and rounds/ in the session’s folder has what they wrote.`,
    'nothing-found': ({ closest }: { closest: readonly string[] }) =>
      `Your task names no file or function that is here, and no model takes part. Name one with @${closest.length === 0 ? '' : `, such as ${closest.map((path) => `@${path}`).join(' or ')}`}, or log in to an agent: "conclave agents" shows how.`,
    'nobody-revises': ({ session, agents }: InSession & { agents: readonly Unready[] }) =>
      `No planning agent can revise the plan of ${session} (${agents.map(({ agent, why }) => `${agent}: ${why}`).join('; ') || onlyAnalysts}); ${agents.length === 0 ? `name one: conclave resume ${session} --tools AGENT` : '"conclave doctor" says how to make one ready'}, or change the plan yourself: conclave review ${session} --set TASK.field=value`,
    'nobody-executes': ({ session, failures }: InSession & { failures: Whys }) =>
      failures.length === 0
        ? `No agent can carry the plan out (${onlyAnalysts}); name an agent: conclave execute ${session} --execution AGENT`
        : `No agent with a model is ready to carry the plan out${whys(failures)}; "conclave doctor" says how to make one ready, then: conclave execute ${session}`,
    'agent-not-ready': ({ agent, why, remedy }: Unready & { remedy: string }) =>
      `The agent ${agent} is not ready: ${why}. ${remedy}`,
  },
  4: {
    'not-converged': ({ score, rounds }: { score: number; rounds: number }) =>
      `The agents did not agree (score ${score.toFixed(2)} after ${counted(rounds, 'round')}), and --require-convergence was given; resume the session with more rounds or without the flag.`,
    'nobody-supports': ({ session, options }: InSession & { options: number }) =>
      `No agent supports ${options === 1 ? 'the only option' : `any of the ${options} options`}, so none is taken. Choose one yourself: conclave resume ${session} --auto-yes --solution N, or say what is wanted with --feedback.`,
  },
  5: {
    'session-busy': ({ session, ...owner }: InSession & Owner) =>
      `Session ${session} is in use by ${owner.pid === null ? 'another process' : `process ${owner.pid} on ${owner.host ?? 'an unknown host'} since ${owner.since ?? 'an unknown time'}`}; wait for it to end or stop it.`,
    'history-busy': ({ path }: { path: string }) =>
      `The history ${path} is in use by another program; try again when that program has ended.`,
  },
  6: {
    'plan-invalid': ({ findings, first }: { findings: number; first: string }) =>
      `The plan is invalid (${counted(findings, 'finding')}; "conclave review" shows them): ${first}`,
    'plan-open': ({ findings, first }: { findings: number; first: string }) =>
      `The plan is not approved, as ${counted(findings, 'blocking finding')} of its readers ${findings === 1 ? 'is' : 'are'} open ("conclave review" shows all): ${first}`,
    'plan-unreadable': ({ session, first }: InSession & { first: string }) =>
      `The plan of ${session} cannot be read, so fix its files in an editor first: ${first}`,
    'plan-stale': ({ session }: InSession) =>
      `The plan of ${session} is not the one that was approved; look at it with: conclave review ${session}, and approve it again with --approve.`,
    'plan-changed': ({ session }: InSession) =>
      `The plan of ${session} is not the one that was shown, so it is not approved; look at it with: conclave review ${session}`,
    'files-changed': ({ session, files }: InSession & { files: readonly string[] }) =>
      `The plan of ${session} was made for files that have changed since: ${files.join(', ')}. Plan the affected tasks again with: conclave execute ${session} --replan, or accept the plan as it is with --force.`,
    'not-approved': ({ session }: InSession) =>
      `The plan of ${session} is not approved yet; read it and approve it with: conclave review ${session}`,
  },
  7: {
    'execution-failed': (end: InSession & { summary: string; again: readonly FailedTask[] }) =>
      `${end.summary}. ${againText(end)}`,
    'execution-unproven': (end: InSession & { summary: string; first: string; task: string }) =>
      `${end.summary}; ${end.first}. If you have seen for yourself that it is done: conclave execute ${end.session} --accept ${end.task} --because "…"`,
    'review-blocks': (end: InSession & { findings: number; first: string; apply: string }) =>
      `The code review of ${end.session} found ${counted(end.findings, 'thing')} that should not be merged (see code-review.md): ${end.first}. To apply it all the same: ${end.apply}`,
    'review-missing': (end: InSession & { summary: string; first: string; apply: string }) =>
      `${end.summary}, but ${end.first}. To ask again: conclave execute ${end.session}; to apply it all the same: ${end.apply}`,
    'checks-cannot-run': (end: InSession & { why: string; remedy: string }) =>
      `Nothing was started, and no agent was asked: ${end.why}. ${end.remedy}. To try again: conclave execute ${end.session}. If a task itself adds what is missing, set rehearse = false in [execution] to begin anyway.`,
    'not-published': ({ session, why }: InSession & { why: string }) =>
      `No pull request was opened: ${why}. To see what would be done: conclave pr ${session} --dry-run`,
    'not-exported': ({ session, why }: InSession & { why: string }) =>
      `Not every issue was opened: ${why}. To go on with the others: conclave sessions export ${session} --format github-issues`,
    'not-applied': ({ why, ways }: { why: string; ways: string }) =>
      `Nothing was applied: ${why}. ${ways}`,
  },
  8: {
    'budget-used-up': ({ session, setting, used }: InSession & UsedUp) =>
      `The budget of this session is used up (${used}); every answer so far is saved. To continue with more: ${withMore(session, setting)}`,
  },
  9: {
    'session-unreadable': ({ session, message }: InSession & { message: string }) =>
      `Session ${session} cannot be read: ${message}`,
    'session-foreign': ({ session }: InSession) =>
      `Session ${session} was not made by Conclave, which can only check its files: conclave validate ${session}`,
    'session-untrusted': ({ session, why }: InSession & { why: string }) =>
      `Session ${session} is not known to be yours, so it can be looked at but runs nothing: ${why}. To see what it would run, and to adopt it: conclave sessions trust ${session}. In CI, set CONCLAVE_SESSION_KEY to the key that it was made with.`,
    'no-session-key': ({ session }: InSession) =>
      `Session ${session} can be looked at but runs nothing: the key that binds it to you cannot be kept in your data folder ($XDG_DATA_HOME, else ~/.local/share). Make that folder writable, or set CONCLAVE_SESSION_KEY.`,
    'history-unreadable': ({ path, why }: { path: string; why: string }) =>
      `The history ${path} cannot be read (${why}); move it away to begin a new one.`,
    'history-other': ({ path }: { path: string }) =>
      `The history ${path} was written by another version of conclave; update conclave, or move it away to begin a new one.`,
    'other-format': (read: InSession & { found: number; known: number }) =>
      `Session ${read.session} is of format ${read.found}, and this conclave reads format ${read.known} only: ${read.found > read.known ? 'update conclave to open it' : `start the task again with conclave plan, or remove the session: conclave sessions rm ${read.session}`}.`,
    'cannot-write': ({ path, code }: At) =>
      `Cannot write ${path} (${code}); ${writeRemedy(code)}, then ${isInSession(path) ? 'resume the session' : 'try again'}.`,
    'cannot-begin': ({ path, code }: At) =>
      `No session can be kept in ${path} (${code}); ${writeRemedy(code)}, then start again.`,
    'output-unwritable': ({ why }: { why: string }) =>
      `The output could not be written: ${why}; send it to another place.`,
    'link-refused': ({ path }: { path: string }) =>
      `${path} is a symbolic link, which is refused inside a session folder; remove it and try again.`,
    diverged: ({ step, missing }: { step: string; missing: readonly string[] }) =>
      `The recorded session no longer fits this version: before step "${step}" it expected ${missing.join(', ')}; fork the session or start a new one.`,
    'base-gone': ({ commit }: { commit: string }) =>
      `The commit ${commit.slice(0, 12)} that the session started from is no longer in this repository; bring it back or start a new session.`,
  },
  130: {
    cancelled: ({ session }: { session: string | null }) =>
      session === null
        ? 'Interrupted.'
        : `Interrupted and saved. To continue: conclave resume ${session}`,
  },
};

const sentences = {
  ...ends[2],
  ...ends[3],
  ...ends[4],
  ...ends[5],
  ...ends[6],
  ...ends[7],
  ...ends[8],
  ...ends[9],
  ...ends[130],
};

type Reason = keyof typeof sentences;

/** Every expected bad end of a command, except those of a single agent run. */
export type Failure<R extends Reason = Reason> = {
  [One in R]: { readonly reason: One } & FactsOf<(typeof sentences)[One]>;
}[R];

type FactsOf<Say> = Say extends (facts: infer Facts) => string ? Facts : never;

/** The one sentence for a failure. */
export function failureText<R extends Reason>(failure: Failure<R>): string {
  const say: { readonly [One in Reason]: (failure: Failure<One>) => string } = sentences;
  return say[failure.reason](failure);
}

/** The documented exit code of a failure. */
export function exitCodeOf({ reason }: Failure): number {
  return Number(Object.entries(ends).find(([, end]) => reason in end)?.[0] ?? 1);
}

/**
 * Carries a failure from deep inside (a full disk, a damaged journal) to the command line, where it
 * becomes its sentence and exit code. It is thrown, but it is not a bug.
 */
export class Stopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failureText(failure));
    this.name = 'Stopped';
    this.failure = failure;
  }
}

/** A usage error. `message` says what to type instead. */
export function wrongUsage(message: string): Stopped {
  return new Stopped({ reason: 'usage', message });
}

export type Result<T, E = AgentFailure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: E };

function writeRemedy(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'free some disk space';
  if (code === 'ENOENT')
    return 'a folder above it is missing and cannot be made: choose another place';
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return 'a file is where a folder should be: move it away';
  if (code === 'EISDIR') return 'a folder is where the file should be: move it away';
  if (code === 'EROFS') return 'the disk is mounted read-only: make it writable';
  return 'make sure you can write there';
}

const onlyAnalysts = 'the session asks only the built-in analysts';

/** Says how each failed task is done again; without one, what was not begun goes on. */
function againText({ session, again }: InSession & { again: readonly FailedTask[] }): string {
  const execute = `conclave execute ${session}`;
  if (again.length === 0) return `To go on with what was not begun: ${execute}`;
  const commands = again.map(({ task }) => `${execute} --retry ${task}`).join('; ');
  const trees = again.flatMap(({ tree }) => tree ?? []);
  const hand =
    trees.length === 0
      ? ''
      : `, or change it by hand in ${trees.join(', ')}, then with --execution hand`;
  return `To have it done again: ${commands} (by another agent with --execution NAME, told more with --note "…"${hand})`;
}

function isInSession(path: string): boolean {
  return path.includes('.multi-cli-plan');
}

function withMore(session: string, setting: string): string {
  const flag = { 'budget.usd': '--budget-usd', 'budget.tokens': '--budget-tokens' }[setting];
  return flag === undefined
    ? `raise ${setting} in your settings, then: conclave resume ${session}`
    : `conclave resume ${session} ${flag} N`;
}

function whys(failures: Whys): string {
  const each = failures.map(({ agent, reason }) => `${agent}: ${reason}`);
  return each.length === 0 ? '' : ` (${each.join('; ')})`;
}
