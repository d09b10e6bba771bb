// Lists all settings: path, meaning, shape, default, variable, flag, trust.
import { agentTables } from './agent-settings.ts';
import { machineTables } from './machine-settings.ts';
import type { CommitStyle } from './commit-style.ts';
import {
  type Setting,
  type ValuesOf,
  amount,
  someText,
  modelName,
  textByName,
  oneOf,
  onOff,
  seconds,
  someTexts,
  text,
  texts,
  whole,
  words,
  setting,
} from './setting.ts';

/** What a host may do through the MCP server when no person can be asked. */
const permissions = ['decide', 'execute', 'write'] as const;
export type HostPermission = (typeof permissions)[number];

const commitStyles = ['plain', 'conventional', 'project'] as const satisfies readonly (
  | CommitStyle
  | 'project'
)[];

/** Every setting, by its table. Times are in seconds. Everything that knows settings is derived from here. */
export const settingsTable = {
  workflow: {
    autoYes: setting('workflow.auto_yes', {
      about: 'take the recommended answers, without asking',
      shape: onOff,
      default: false,
      variable: 'CONCLAVE_AUTO_YES',
      flag: '-y, --auto-yes',
      takenBy: ['plan', 'critique', 'execute'],
    }),
    tools: setting('workflow.tools', {
      about: 'the agents to ask; "local" stands for the built-in analysts',
      shape: someTexts,
      default: ['gemini', 'codex'],
      variable: 'CONCLAVE_TOOLS',
      flag: '--tools <A,B>',
      takenBy: ['plan', 'critique'],
      untrusted: 'among',
      names: 'agents',
      ofSession: 'always',
    }),
    fallbackChain: setting('workflow.fallback_chain', {
      about: 'who takes the place of an agent that is not ready or fails, best first',
      shape: texts,
      default: ['gemini', 'codex', 'claude', 'copilot', 'opencode'],
      untrusted: 'among',
      names: 'agents',
      ofSession: 'always',
    }),
    mode: setting('workflow.mode', {
      about: 'ask the agents in "parallel" or "serial"',
      shape: oneOf('parallel', 'serial'),
      default: 'parallel',
      variable: 'CONCLAVE_MODE',
      flag: '--mode <MODE>',
      untrusted: 'any',
      ofSession: 'always',
    }),
    maxRounds: setting('workflow.max_rounds', {
      about: 'stop discussing after this many rounds (1 to 20)',
      shape: whole(1, 20),
      default: 3,
      variable: 'CONCLAVE_MAX_ROUNDS',
      flag: '--max-rounds <N>',
      untrusted: 'at-most',
      ofSession: 'always',
    }),
    constraints: setting('workflow.constraints', {
      about: 'what the plan must respect; all sources count together',
      shape: texts,
      example: ['No new dependency'],
      variable: 'CONCLAVE_CONSTRAINTS',
      flag: '--constraint <TEXT>',
      untrusted: 'as-data',
      addsUp: true,
      ofSession: 'always',
    }),
    requireConvergence: setting('workflow.require_convergence', {
      about: 'end with 4, before any plan, if the agents do not converge',
      shape: onOff,
      default: false,
      flag: '--require-convergence',
      untrusted: { only: true },
      ofSession: 'always',
    }),
    role: setting('workflow.role', {
      about: 'the role in which agents plan and review: planner, codereviewer, or one of your own',
      shape: modelName,
      example: 'planner',
      flag: '--role <ROLE>',
      ofSession: 'always',
    }),
    depth: setting('workflow.depth', {
      about:
        '"quick": one round, and no other vendor reads the plan; "normal": up to three rounds, and one reads it; "deep": the same, and all read it',
      shape: oneOf('quick', 'normal', 'deep'),
      default: 'normal',
      variable: 'CONCLAVE_DEPTH',
      flag: '--depth <DEPTH>',
      ofSession: 'always',
    }),
    codeBeforeApproval: setting('workflow.code_before_approval', {
      about:
        'run tests that an agent wrote before you approve the plan, shut off from the network and your files: "ask" once a project, "on" or "off"; only your own file can turn it on',
      shape: oneOf('ask', 'on', 'off'),
      default: 'ask',
      untrusted: { only: 'off' },
      isOfUser: true,
    }),
    totalMs: setting('workflow.timeout', {
      about: 'seconds that one agent run may take',
      shape: seconds,
      default: 900,
      variable: 'CONCLAVE_TIMEOUT',
      flag: '--timeout <S>',
      untrusted: 'at-most',
      isTime: true,
      ofSession: 'by-flag',
    }),
    idleMs: setting('workflow.idle_timeout', {
      about: 'seconds that an agent may be silent; until its first output 120, unless you set this',
      shape: seconds,
      default: 300,
      untrusted: 'at-most',
      isTime: true,
    }),
    notify: setting('workflow.notify', {
      about: 'ring the bell, set the title and notify when an answer is needed and at the end',
      shape: onOff,
      default: true,
      variable: 'CONCLAVE_NOTIFY',
    }),
  },
  ...agentTables,
  ...machineTables,
  budget: {
    usd: setting('budget.usd', {
      about: 'US dollars for a session, as far as the CLIs report what they cost',
      shape: amount,
      variable: 'CONCLAVE_BUDGET_USD',
      flag: '--budget-usd <N>',
      takenBy: ['plan', 'critique', 'execute'],
      untrusted: 'at-most',
      ofSession: 'by-flag',
    }),
    tokens: setting('budget.tokens', {
      about: 'tokens for a session, in and out',
      shape: amount,
      variable: 'CONCLAVE_BUDGET_TOKENS',
      flag: '--budget-tokens <N>',
      takenBy: ['plan', 'execute'],
      untrusted: 'at-most',
      ofSession: 'by-flag',
    }),
    calls: setting('budget.calls', {
      about: 'calls of agents for a session',
      shape: amount,
      untrusted: 'at-most',
    }),
    window: setting('budget.window', {
      about:
        'the share of a plan’s window, e.g. 0.25, that a session may be seen to use; the call that passes it ends first',
      shape: ({ z }) => z.number().positive().max(1),
      untrusted: 'at-most',
    }),
  },
  notify: {
    command: setting('notify.command', {
      about:
        'a program that is run, with JSON on its standard input, when an answer is needed and at the end',
      shape: words,
      example: ['curl', '-d', '@-', 'https://ntfy.sh/MY-TOPIC'],
      holds: 'arguments',
      isOfUser: true,
    }),
    detail: setting('notify.detail', {
      about:
        'true also tells it what the choices mean, with texts of models and places in the code',
      shape: onOff,
      default: false,
      isOfUser: true,
    }),
  },
  execution: {
    auto: setting('execution.auto', {
      about: 'carry the plan out as soon as it is approved, without asking',
      shape: onOff,
      default: false,
      flag: '--auto-execute',
    }),
    jobs: setting('execution.jobs', {
      about: 'carry out at most this many tasks at once (1 to 16)',
      shape: whole(1, 16),
      default: 2,
      flag: '--jobs <N>',
      takenBy: ['execute'],
      untrusted: 'at-most',
    }),
    taskMs: setting('execution.timeout', {
      about: 'seconds that an agent may work on one task',
      shape: seconds,
      default: 3600,
      untrusted: 'at-most',
      isTime: true,
    }),
    checkMs: setting('execution.check_timeout', {
      about: 'seconds that one check, or the set-up, may take',
      shape: seconds,
      default: 600,
      untrusted: 'at-most',
      isTime: true,
    }),
    setup: setting('execution.setup', {
      about: 'a command, as a list of words, that prepares the work tree of each task',
      shape: texts,
      default: [],
      example: ['npm', 'ci'],
    }),
    copy: setting('execution.copy', {
      about: 'your ignored files and folders that each work tree gets a copy of',
      shape: texts,
      default: [],
      example: ['.env', 'node_modules'],
    }),
    link: setting('execution.link', {
      about:
        'your ignored files and folders that each work tree gets a link to; writing there writes in your folder',
      shape: texts,
      default: [],
      example: ['models'],
    }),
    env: setting('execution.env', {
      about: 'variables that the set-up and checks get, added to those that builds usually need',
      shape: textByName,
      example: { DATABASE_URL: 'postgres://localhost/test' },
      isSecret: true,
    }),
    rehearses: setting('execution.rehearse', {
      about: 'run the first checks before anybody is asked, and stop where they cannot run',
      shape: onOff,
      default: true,
    }),
    rechecks: setting('execution.recheck', {
      about: 'run what turned green on the start commit once more, where it has to be red',
      shape: onOff,
      default: true,
    }),
    apply: setting('execution.apply', {
      about:
        'how --apply applies the result: "merge", "squash" as one commit, or "linear" as one commit a task without merges',
      shape: oneOf('merge', 'squash', 'linear'),
      default: 'merge',
    }),
    applyHooks: setting('execution.apply_hooks', {
      about: 'run your git hooks, and sign, for the commits that --apply makes',
      shape: onOff,
      default: false,
    }),
    commitStyle: setting('execution.commit_style', {
      about:
        'form of commit messages: "plain", "conventional", or "project", as its history has them',
      shape: oneOf(...commitStyles),
      example: 'project',
    }),
    branchPrefix: setting('execution.branch_prefix', {
      about: 'the branches of executions are named PREFIX/SESSION',
      shape: someText,
      default: 'conclave',
    }),
    confine: setting('execution.confine', {
      about:
        'confine checks and the set-up to their work tree and the caches of your tools, where the machine can do that (bubblewrap on Linux, sandbox-exec on macOS)',
      shape: onOff,
      default: true,
      untrusted: { only: true },
    }),
    mayRun: setting('execution.may_run', {
      about:
        'further commands that checks may run under --auto-execute, by their first words; those that the repository names may run anyway',
      shape: texts,
      default: [],
      example: ['node --test'],
    }),
    at: setting('execution.at', {
      about:
        'begin the work at "head", what is checked out then, or at "plan", the code that the plan was made for',
      shape: oneOf('head', 'plan'),
      default: 'head',
      flag: '--at <WHERE>',
      takenBy: ['execute'],
    }),
  },
  projects: {
    setup: setting('projects.*.setup', {
      about: 'its set-up, instead of execution.setup; --take-setup and the key s write it here',
      shape: texts,
      example: ['npm', 'ci'],
    }),
    copy: setting('projects.*.copy', {
      about: 'the ignored files that its work trees get a copy of, instead of execution.copy',
      shape: texts,
      example: ['.env'],
    }),
    commitStyle: setting('projects.*.commit_style', {
      about:
        'its form of commit messages, instead of execution.commit_style; the key m writes it here',
      shape: oneOf(...commitStyles),
      example: 'conventional',
    }),
    codeBeforeApproval: setting('projects.*.code_before_approval', {
      about: 'the answer for it, instead of workflow.code_before_approval; your yes is kept here',
      shape: oneOf('ask', 'on', 'off'),
      example: 'on',
      isOfUser: true,
    }),
  },
  context: {
    providers: setting('context.providers', {
      about: 'who is asked for code, in order; mcp only where its server is configured',
      shape: someTexts,
      default: ['mcp', 'search'],
      untrusted: 'among',
    }),
  },
  server: {
    preset: setting('context.mcp.preset', {
      about: 'the kind of server: its tool, arguments and queries',
      shape: oneOf('ace', 'augment', 'claude-context'),
    }),
    command: setting('context.mcp.command', {
      about: 'the program to start, with its arguments; {root} is the repository',
      shape: words,
      holds: 'arguments',
      isSecret: true,
    }),
    env: setting('context.mcp.env', {
      about: 'variables added for it',
      shape: textByName,
      isSecret: true,
    }),
  },
  conversation: {
    handOffTokens: setting('conversation.hand_off_tokens', {
      about:
        'about how many tokens of earlier turns another agent gets in full; it gets only the gist of older ones',
      shape: whole(100, 1_000_000),
      default: 8000,
      untrusted: 'at-most',
    }),
    summarizer: setting('conversation.summarizer', {
      about:
        'who shortens long answers, and older turns for another agent: an agent or a model; without one they are cut',
      shape: modelName,
      example: 'haiku',
    }),
    summarize: setting('conversation.summarize', {
      about: 'which answers are shortened: those of more than 10,000 characters, all, or none',
      shape: oneOf('over-10000', 'always', 'never'),
      default: 'over-10000',
    }),
  },
  mcp: {
    may: setting('mcp.may', {
      about:
        'what an agent that uses the MCP server may do by itself: "decide" (choose an option, approve a plan), "execute" an approved plan, "write" (let other agents edit files and run commands)',
      shape: ({ z }) => z.array(z.enum(permissions)),
      default: [],
      example: ['decide'],
    }),
  },
  schemas: {
    plan: setting('schemas.plan', {
      about: 'your JSON Schema, which the plan must fit in addition to ours',
      shape: text,
      example: 'plan.extension.json',
      holds: 'file',
    }),
    task: setting('schemas.task', {
      about: 'the same for each task',
      shape: text,
      holds: 'file',
    }),
  },
};

/** All settings, in the order of their tables. */
export const settingsList: readonly Setting[] = Object.values(settingsTable).flatMap((part) =>
  Object.values<Setting>(part),
);

/** How a plan is executed. Times are in ms. */
export interface ExecutionSettings extends Omit<
  ValuesOf<typeof settingsTable.execution>,
  'auto' | 'commitStyle' | 'env'
> {
  readonly env: Readonly<Record<string, string>>;
  /** The style of commits; null if the user has not said. */
  readonly commitStyle: CommitStyle | 'project' | null;
  /** True if the phase does one task at a time, whatever `jobs` says. */
  readonly isDestructive: boolean;
  /** Whether code may run here before a plan is approved. */
  readonly codeBeforeApproval: 'ask' | 'on' | 'off';
}

export type ConversationSettings = ValuesOf<typeof settingsTable.conversation>;
export type McpSettings = ValuesOf<typeof settingsTable.mcp>;
/** The most that a session may use; a missing amount has no limit. */
export type BudgetLimits = Partial<ValuesOf<typeof settingsTable.budget>>;
