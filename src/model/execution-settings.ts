// Lists the settings of an execution.
import type { CommitStyle } from './commit-style.ts';
import { type ShapeParts, setting } from './setting.ts';

const seconds = ({ z }: ShapeParts) => z.number().positive().max(86_400);

/** Settings of an execution. Times in ms. */
export interface ExecutionSettings {
  /** The number of tasks that run at once. */
  readonly jobs: number;
  /** True where the phase does one task at a time, whatever `jobs` says. */
  readonly isDestructive: boolean;
  readonly taskMs: number;
  readonly checkMs: number;
  /** A program with its arguments; empty where there is nothing to prepare. */
  readonly setup: readonly string[];
  /** Paths in the user’s folder that are copied into each work tree, or linked from it. */
  readonly copy: readonly string[];
  readonly link: readonly string[];
  /** Variables that the set-up and checks get. */
  readonly env: Readonly<Record<string, string>>;
  /** True where the first checks run before anybody is asked. */
  readonly rehearses: boolean;
  /** The form in which the result comes to the branch that is checked out. */
  readonly apply: 'merge' | 'squash' | 'linear';
  /** True where hooks and signature of the user are for the commits that come home. */
  readonly applyHooks: boolean;
  /** The form of commit messages, or to go by the history; null where the user has not said. */
  readonly commitStyle: CommitStyle | 'project' | null;
  /** The branches of executions are named below it. */
  readonly branchPrefix: string;
  /** The commit that the work begins at: at what is checked out by then, or as it was when the plan was made. */
  readonly at: 'head' | 'plan';
  /** True where uncommitted files of the base are carried into the work; else they are in its way. */
  readonly carries: boolean;
  /** True where checks and the set-up are confined if the machine can do that. */
  readonly confine: boolean;
  /** Commands that checks may run although nobody looked at them, by the words that they begin with. */
  readonly mayRun: readonly string[];
}

/** The part of the table of settings that says how a plan is carried out. */
export const executionSettings = {
  autoExecute: setting('execution.auto', {
    about: 'carry the plan out as soon as it is approved, without asking',
    shape: ({ z }) => z.boolean(),
    default: false,
    flag: '--auto-execute',
  }),
  jobs: setting('execution.jobs', {
    about: 'carry out at most this many tasks at once (1 to 16)',
    shape: ({ z }) => z.int().min(1).max(16),
    default: 2,
    flag: '--jobs <N>',
    takenBy: ['execute'],
    untrusted: 'at-most',
  }),
  executionTimeout: setting('execution.timeout', {
    about: 'seconds that an agent may work on one task',
    shape: seconds,
    default: 3600,
    untrusted: 'at-most',
  }),
  checkTimeout: setting('execution.check_timeout', {
    about: 'seconds that one check, or the set-up, may take',
    shape: seconds,
    default: 600,
    untrusted: 'at-most',
  }),
  setUp: setting('execution.setup', {
    about: 'a command, as a list of words, that prepares the work tree of each task',
    shape: ({ z }) => z.array(z.string()),
    default: [],
    example: ['npm', 'ci'],
    variable: '',
  }),
  copied: setting('execution.copy', {
    about: 'ignored files and folders of yours that each work tree gets a copy of',
    shape: ({ z }) => z.array(z.string()),
    default: [],
    example: ['.env', 'node_modules'],
  }),
  linked: setting('execution.link', {
    about:
      'ignored files and folders of yours that each work tree gets a link to; what is written there is written in your folder',
    shape: ({ z }) => z.array(z.string()),
    default: [],
    example: ['models'],
  }),
  executionEnv: setting('execution.env', {
    about: 'variables that the set-up and checks get beside those that builds usually go by',
    shape: ({ z }) => z.record(z.string(), z.string()),
    example: { DATABASE_URL: 'postgres://localhost/test' },
    isSecret: true,
  }),
  rehearse: setting('execution.rehearse', {
    about: 'run the first checks before anybody is asked, and stop where they cannot run',
    shape: ({ z }) => z.boolean(),
    default: true,
  }),
  projectSetUp: setting('projects.*.setup', {
    about: 'its set-up, in place of execution.setup; --take-setup and the key s write it here',
    shape: ({ z }) => z.array(z.string()),
    example: ['npm', 'ci'],
  }),
  projectCommitStyle: setting('projects.*.commit_style', {
    about:
      'its form of commit messages, in place of execution.commit_style; the key m writes it here',
    shape: ({ z }) => z.enum(['plain', 'conventional', 'project']),
    example: 'conventional',
  }),
  applyHow: setting('execution.apply', {
    about:
      'how --apply brings the result home: "merge", "squash" as one commit, or "linear" as one commit a task without merges',
    shape: ({ z }) => z.enum(['merge', 'squash', 'linear']),
    default: 'merge',
  }),
  applyHooks: setting('execution.apply_hooks', {
    about: 'run your git hooks, and sign, for the commits that --apply brings home',
    shape: ({ z }) => z.boolean(),
    default: false,
  }),
  commitStyle: setting('execution.commit_style', {
    about:
      'form of commit messages: "plain", "conventional", or "project", as its history has them',
    shape: ({ z }) => z.enum(['plain', 'conventional', 'project']),
    example: 'project',
  }),
  branchPrefix: setting('execution.branch_prefix', {
    about: 'the branches of executions are named PREFIX/SESSION',
    shape: ({ z }) => z.string().min(1),
    default: 'conclave',
  }),
  confine: setting('execution.confine', {
    about:
      'confine checks and the set-up to their work tree and the caches of your tools, where the machine can do that (bubblewrap on Linux, sandbox-exec on macOS)',
    shape: ({ z }) => z.boolean(),
    default: true,
    untrusted: { only: true },
  }),
  mayRun: setting('execution.may_run', {
    about:
      'commands that checks may run under --auto-execute beside those that the repository names, by the words that they begin with',
    shape: ({ z }) => z.array(z.string()),
    default: [],
    example: ['node --test'],
    variable: '',
  }),
  begins: setting('execution.at', {
    about:
      'begin the work at "head", what is checked out by then, or at "plan", the code as it was when the plan was made',
    shape: ({ z }) => z.enum(['head', 'plan']),
    default: 'head',
    flag: '--at <WHERE>',
    takenBy: ['execute'],
  }),
  uncommitted: setting('execution.uncommitted', {
    about: '"carry" uncommitted files into the work, or "refuse" it',
    shape: ({ z }) => z.enum(['carry', 'refuse']),
    default: 'carry',
  }),
};
