// The entry `conclave/sessions`: starts and resumes planning sessions, and shows what happens in them.
import type { Agent } from '../agents/agent.ts';
import { analystNames } from '../model/agent-settings.ts';
import { answersFrom, nothingGiven } from '../app/flag-answers.ts';
import { homeFolder } from '../app/user-folders.ts';
import { listSessions as listSaved } from '../app/list-sessions.ts';
import { loadSession } from '../app/load-session.ts';
import { wholeSessionId } from '../app/session-names.ts';
import {
  type Door,
  resumeSession as resumeSaved,
  startSession as startNew,
} from '../app/sessions.ts';
import { leavesIn } from '../app/settings/checked-leaves.ts';
import { keyOf, type Leaf, programSource } from '../app/settings/leaf.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import { reachable } from '../faces/elsewhere.ts';
import { newWarning } from '../model/make-events.ts';
import { wrongUsage } from '../model/failure.ts';
import type { SessionEnd as Ended } from '../workflow/recorded.ts';
import type { Answers } from '../workflow/view-port.ts';
import { type ExecutorRegistry, folderAt } from './library-agents.ts';
import { answersOf } from './library-answers.ts';
import { executorAgent } from './executor-agent.ts';
import { openLog } from './agent-executor.ts';
import type { Answer, Question, SessionEvent } from './shapes.ts';

export type { Answer, Question, SessionEvent } from './shapes.ts';

/** The place, the settings and the answers of a session. */
export interface SessionOptions {
  /** The project, or a folder in it; by default the current folder. */
  readonly cwd?: string | undefined;
  /** The environment; by default that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Tables as in `conclave.toml`, e.g. `{ workflow: { max_rounds: 2 } }`; they override all other
   * settings.
   */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** A registry whose own executors take part: in the first seats, or where the settings name them. */
  readonly registry?: ExecutorRegistry | undefined;
  /**
   * Answers each question of the session. By default, the recommended option is taken and its plan
   * is approved, but not executed. An invalid answer ends the session as failed, saved.
   */
  readonly answer?: ((question: Question) => Answer | Promise<Answer>) | undefined;
  /** Aborted to interrupt the session, which is saved. */
  readonly signal?: AbortSignal | undefined;
}

/** A running session. Each iteration over it starts with its first event and stops at its end. */
export interface Session extends AsyncIterable<SessionEvent> {
  /** The id for `resumeSession` and the command line. */
  readonly id: string;
  /** The absolute path of its files. */
  readonly folder: string;
  /** The end of the session. Rejects only for a bug, of Conclave or in your answers. */
  readonly end: Promise<SessionEnd>;
  /** Interrupts and saves the session; resolves when nothing of it is running. */
  cancel(): Promise<SessionEnd>;
}

export interface SessionEnd {
  /** How the session ended; `failed` and `interrupted` ones can be resumed. */
  readonly end: 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** The exit code that `conclave help exit-codes` explains; 0 for `done`. */
  readonly exitCode: number;
  /** A sentence for people. */
  readonly message: string;
}

/** A saved session, as it appears in lists. */
export interface SavedSession {
  readonly id: string;
  readonly task: string;
  readonly status: 'running' | 'waiting' | 'interrupted' | 'done' | 'failed' | 'cancelled';
  /** The time of the last change, as ISO 8601 in UTC. */
  readonly updatedAt: string;
}

/**
 * Starts a session. Resolves when it is running; rejects with an `Error` whose message says what is
 * wrong with the settings, the folder or the agents that they name.
 */
export async function startSession(
  options: SessionOptions & { readonly task: string },
): Promise<Session> {
  const { task } = options;
  if (task.trim() === '') throw wrongUsage('startSession: the task must not be empty.');
  const workplace = await workplaceOf(options);
  return await follow(options, workplace, (door) => startNew({ ...workplace, ...door, task }));
}

/**
 * Resumes a saved session: nothing is asked or paid for twice. `session` is its id, or any part of
 * at least four letters that only one id contains. Rejects like `startSession`, and also if it is
 * in use.
 */
export async function resumeSession(
  options: SessionOptions & { readonly session: string },
): Promise<Session> {
  const workplace = await workplaceOf(options);
  const id = await wholeSessionId(workplace.root, options.session);
  const session = await loadSession(id, workplace, workplace.said);
  const stalePlan = options.answer === undefined ? 'refuse' : 'review';
  return await follow(options, session, (door) => resumeSaved({ ...session, ...door, stalePlan }));
}

/** The saved sessions of a project, the latest first; those that cannot be read are left out. */
export async function listSessions({
  cwd,
  environment,
}: Pick<SessionOptions, 'cwd' | 'environment'> = {}): Promise<readonly SavedSession[]> {
  const saved = await listSaved(await workplaceOf({ cwd, environment }));
  return saved.flatMap(({ id, state }) =>
    state === null
      ? []
      : [{ id, task: state.task_description, status: state.status, updatedAt: state.updated_at }],
  );
}

async function workplaceOf({
  cwd,
  environment = process.env,
  settings = {},
  registry,
}: SessionOptions): Promise<Workplace & { readonly said: readonly Leaf[] }> {
  const folder = await folderAt(cwd);
  const said = settingsOf(settings, { folder, home: homeFolder(environment) });
  const guests: readonly Agent[] = (registry?.own ?? []).map((one) =>
    executorAgent(one, environment),
  );
  const workplace = await openWorkplace({ cwd: folder, environment, flags: said, guests });
  return { ...workplace, said };
}

function settingsOf(
  settings: object,
  base: { readonly folder: string; readonly home: string },
): readonly Leaf[] {
  return leavesIn(settings, [], {
    name: programSource,
    base,
    stop: (path, demand) => wrongUsage(`settings: ${keyOf(path) || 'they'} ${demand}.`),
  });
}

/** Runs a session; resolves as soon as its folder is known. */
async function follow(
  options: SessionOptions,
  { settings }: Workplace,
  run: (door: Door) => Promise<Ended>,
): Promise<Session> {
  const stop = new AbortController();
  const { signal = stop.signal } = options;
  const log = openLog<SessionEvent>();
  const show = (event: SessionEvent) => log.add(event);
  const opened = Promise.withResolvers<{ readonly id: string; readonly path: string }>();
  const door: Door = {
    signal: AbortSignal.any([stop.signal, signal]),
    now: () => new Date(),
    tell: (text) => show(newWarning(text)),
    view(folder, reach) {
      opened.resolve(folder);
      const { session } = reach;
      const { answer } = options;
      const answers =
        answer === undefined
          ? recommendedAnswers(session)
          : reachable(answersOf(answer, session), reach);
      return { ...answers, takesConsent: answer !== undefined, show };
    },
  };
  const end = run(door)
    .then(async ({ end: how, exitCode, message, notify }): Promise<SessionEnd> => {
      await notify?.();
      return { end: how, exitCode, message };
    })
    .finally(() => log.close());
  end.catch(opened.reject);
  const { id, path: folder } = await opened.promise;
  const cancel = async () => {
    stop.abort();
    return await end;
  };
  return { id, folder, end, cancel, [Symbol.asyncIterator]: () => log.read() };

  /** Answers like `--auto-yes`, because nobody answers. */
  function recommendedAnswers(session: string): Answers {
    const approvesDrafts = settings.run.tools.every((name) => analystNames.includes(name));
    return answersFrom({ ...nothingGiven, autoYes: true, approvesDrafts }, session);
  }
}
