// Lists the commands `plan`, `resume`, `review`, `demo`, `critique`, `work` and `consult`.
import type { FlagCommand, Setting } from '../../model/setting.ts';
import type { FirstScreen } from '../../faces/tui/open-screens.tsx';
import type { SessionCall } from '../wiring/session-setup.ts';
import {
  type CommandEntry,
  type OptionEntry,
  inspection,
  workingFolderOption,
} from './shared-options.ts';

const events: OptionEntry = ['--json', 'print one event per line, as JSON, and nothing else'];
const executionAnswers: readonly OptionEntry[] = [
  ['--execution <HOW>', 'who carries the plan out: agent, auto, or the name of one that is ready'],
  [
    '--review <HOW>',
    'who reviews the code afterwards: skip, agent (of another vendor), or the name of one that is ready',
  ],
];

const page: readonly OptionEntry[] = [
  ['--web', 'show and ask everything in a browser on this machine as well'],
  ['--port <N>', 'the port of the page, e.g. to reach it through SSH; any free one otherwise'],
];

const plan = () => import('../plan-command.ts');

/** The commands that run a session, with the flags of these settings. */
export const planningCommands = (settings: readonly Setting[]): readonly CommandEntry[] => [
  {
    name: 'plan',
    summary: 'plan a change with your agents (the default)',
    about:
      'Finds the code that the task is about, asks the agents independently, checks what they ' +
      'claim, lets them examine each other, and writes plan.json and .task/*.json.',
    argument: ['[TASK...]', 'what you want done'],
    options: [
      [
        '--task-file <FILE>',
        'read the task from a file of UTF-8 text, at most 256 KB; - is standard input',
      ],
      [
        '--session <SESSION>',
        'plan what this conversation led to; without a task, its last question is the task',
      ],
      ...sessionOptions(settings),
      ...page,
    ],
    examples: [
      'plan "Add rate limiting to the login endpoint"',
      'plan -y --tools local "Split the settings module"',
      'plan --session talk-2026-11-25-k3f9 "Do what we agreed on"',
      'plan --task-file task.md --constraint "No new dependency" --json -y',
    ],
    topics: ['phases', 'settings', 'json'],
    run: inFace('start', async (task, call) => (await plan()).planCommand(task, call)),
  },
  {
    name: 'resume',
    summary: 'go on with a saved session',
    about:
      'Goes on where the session stopped. Nothing that was answered is asked or paid for again; ' +
      'flags take effect from the next round on.',
    argument: [
      '[SESSION]',
      'its id; without it, you pick one in a terminal, and elsewhere the latest unfinished one is taken',
    ],
    options: sessionOptions(settings),
    examples: ['resume', 'resume MCP-add-rate-limiting-2026-11-21-k3f9 --max-rounds 5'],
    topics: ['sessions', 'budget'],
    run: inFace('resume', async ([session], call) => (await plan()).resumeCommand(session, call)),
  },
  {
    name: 'review',
    summary: 'look at a plan, change it, approve it',
    about:
      'Shows the plan of a session: its tasks, what the plan check found, what changed, and ' +
      'whether it is approved. Flags change the plan, send it back to the planner or approve ' +
      'it. An approval covers the files as they are now; any later change needs a new one.',
    argument: [
      '[SESSION]',
      'its id; without it, you pick one in a terminal, and elsewhere the latest with a plan is taken',
    ],
    options: [
      [
        '--approve [HASH]',
        'approve the plan as it is; with the hash that "conclave review" prints, only that version',
      ],
      ['--despite-findings', 'with --approve: although a major finding of a reader is open'],
      ['--restore <VERSION>', 'make an earlier version the new one'],
      ['--reject', 'reject the plan; --comment says why'],
      [
        '--comment <TEXT>',
        'ask the planner for a new version; "TASK-001: text" is about that task',
        'repeatable',
      ],
      [
        '--set <TASK.FIELD=VALUE>',
        'set a field to text or JSON; "plan" as TASK means the plan itself; null removes the field',
        'repeatable',
      ],
      ...page,
      ['--json', 'print one JSON document; with other flags, one event per line'],
      workingFolderOption,
    ],
    examples: [
      'review',
      'review --set TASK-001.title="Add the flag" --set TASK-002.files.1.path=src/cli.ts',
      'review SESSION --comment "TASK-002: also test an empty list"',
      'review SESSION --approve',
    ],
    topics: ['review', 'keys'],
    run: inFace('review', async ([session], call) =>
      (await import('../review-command.ts')).reviewCommand(session, call),
    ),
  },
  {
    name: 'execute',
    summary: 'carry out an approved plan',
    about:
      'Carries the tasks out in git work trees of their own, runs their checks before and after ' +
      'the work, and joins the result on the branch conclave/SESSION. Your work tree stays as it ' +
      'is until --apply. Run it again to retry what failed. A terminal asks first; elsewhere give ' +
      'the whole id, or -y.',
    argument: [
      '[SESSION]',
      'its id; without it, you pick one in a terminal, and elsewhere -y takes the latest that fits',
    ],
    options: [
      ['--dry-run', 'show order, agents, work trees and checks, and do nothing'],
      [
        '--apply [HOW]',
        'bring the result to your work tree, as a merge, squash or linear; nothing uncommitted is overwritten',
      ],
      [
        '--resolve-with <AGENT>',
        'have this agent resolve a conflict with what is checked out; the checks then decide',
      ],
      ['--against-review', 'apply it although the code review blocks it or is missing'],
      [
        '--retry <TASK...>',
        'have these tasks done again, with all that builds on them; the others stay as they are',
      ],
      ['--note <TEXT>', 'your note to the agent that does them again'],
      [
        '--accept <TASK...>',
        'accept tasks that are unproven or have a manual check, after you have looked at them yourself',
      ],
      ['--because <TEXT>', 'why you accept them; it is kept with the result'],
      [
        '--unconfined <CHECK...>',
        'let these checks run without their confinement, for this plan only; what they run may read and write wherever you may',
      ],
      ['--take-setup', 'take the set-up that a file of the project proposes, and remember it'],
      ['--discard', 'remove the result with its branch and work trees'],
      ['--replan', 'have the tasks planned again whose files changed since the plan was made'],
      ['--force', 'accept the plan although files that it names changed since it was made'],
      ...settingOptions(settings, 'execute'),
      ...executionAnswers,
      events,
      workingFolderOption,
    ],
    examples: [
      'execute --dry-run',
      'execute -y --apply',
      'execute SESSION --take-setup',
      'execute SESSION --jobs 4',
      'execute SESSION --review gemini --apply',
      'execute SESSION --apply squash',
      'execute SESSION --apply --resolve-with claude',
      'execute SESSION --accept TASK-002 --because "I tried it by hand"',
      'execute SESSION --retry TASK-002 --note "Keep the old flag, too"',
      "execute SESSION --unconfined 'npm test'",
      'execute SESSION --discard',
    ],
    topics: ['execution', 'exit-codes'],
    run: inFace('execute', async ([session], call) =>
      (await import('../execute-command.ts')).executeCommand(session, call),
    ),
  },
  {
    name: 'demo',
    summary: 'see the whole workflow with scripted agents',
    about:
      'Plans a small change with two scripted agents that disagree at first, in a temporary ' +
      'repository of its own. No account is needed and no model is asked.',
    options: [
      ['-y, --auto-yes', 'take the recommended answers, without asking'],
      ['--fast', 'let the scripts answer at once'],
      events,
    ],
    examples: ['demo', 'demo --auto-yes'],
    topics: ['phases', 'keys'],
    run: async (_, values) => (await import('../demo-command.ts')).demoCommand(values),
  },
];

/**
 * Runs a command behind the face that its flags ask for; a person who named neither task nor session is asked
 * on the first screen.
 */
function inFace(
  first: FirstScreen,
  command: (words: readonly string[], call: SessionCall) => Promise<number>,
): NonNullable<CommandEntry['run']> {
  return async (words, values) => {
    const { behindFace } = await import('../wiring/choose-face.ts');
    const isNamed = [words[0], values.taskFile, values.session].some((one) => one !== undefined);
    const flags = { values, opens: isNamed ? 'run' : first };
    return await behindFace(flags, async (face) => {
      return await command(words, { values, face, environment: process.env });
    });
  };
}

/** The flags of the settings that a command takes. */
function settingOptions(
  settings: readonly Setting[],
  command: FlagCommand,
): readonly OptionEntry[] {
  return settings.flatMap(
    ({ path, flag, flagName, takenBy = ['plan'], about, addsUp }): OptionEntry[] => {
      if (flag === undefined || !takenBy.includes(command)) return [];
      const repeats = addsUp === true || (path.includes('*') && flagName === undefined);
      return [repeats ? [flag, about, 'repeatable'] : [flag, about]];
    },
  );
}

/** Lists the options of `plan` and `resume`. */
function sessionOptions(settings: readonly Setting[]): readonly OptionEntry[] {
  return [
    ...settingOptions(settings, 'plan'),
    events,
    [
      '--stdin-events',
      'with --json: take answers, skips and cancel as JSON lines on standard input',
    ],
    ['--no-proof', 'write no acceptance tests before the plan'],
    [
      '--feedback <TEXT>',
      'answers the agents’ questions; if there are none, it is what they analyse next (without a ' +
        'model, it goes into the plan)',
    ],
    ['--solution <N>', 'take solution N of the options'],
    ...executionAnswers,
    workingFolderOption,
  ];
}

/** The command that checks an existing plan, or has other vendors examine it. */
export const critiqueCommands = (settings: readonly Setting[]): readonly CommandEntry[] => [
  {
    name: 'critique',
    summary: 'have other agents examine an existing plan',
    about:
      'Has agents of other vendors examine a plan, and checks each place that it or they name against ' +
      'the code. Ends with 4 if a place is wrong or an objection is proven.',
    argument: [
      '[PLAN]',
      'a file of Markdown, then the task in words; without one, or with "-", standard input',
    ],
    takesMore: true,
    options: [
      ['--fast', 'check places only, without any model, and print them'],
      ['--hook', 'for a hook of a host: read its JSON on standard input, and answer in its form'],
      [
        '--host-vendor <VENDOR>',
        'the vendor whose model wrote the plan, such as anthropic; it is not asked',
      ],
      ['--revise', 'have a revised plan written if places are wrong or objections are proven'],
      ['--plan', 'go on to a plan with tasks'],
      ['--session <SESSION>', 'go on with a plan that was examined, with --revise or --plan'],
      ...settingOptions(settings, 'critique'),
      events,
      workingFolderOption,
    ],
    examples: [
      'critique plan.md --host-vendor anthropic',
      'critique --fast --json - < plan.md',
      'critique plan.md "Add rate limiting to the login endpoint"',
      'critique plan.md --revise',
      'critique --session SESSION --plan --auto-yes',
    ],
    topics: ['critique', 'phases'],
    async run(words, values, program) {
      if (values.hook === true) {
        return await (await import('../critique-hook.ts')).critiqueHook(process.env);
      }
      if (values.fast === true) return await checkPlaces(words, values);
      const examine = inFace('run', async (given, call) =>
        (await import('../examine.ts')).examineCommand(given, { ...call, values }),
      );
      return await examine(words, values, program);
    },
  },
];

async function checkPlaces(
  words: readonly string[],
  { cwd, json = false }: { readonly cwd?: string; readonly json?: boolean },
): Promise<number> {
  const { projectRoot, workingFolder } = await import('../../app/folders.ts');
  const root = await projectRoot(await workingFolder(cwd));
  return await (await import('../critique-command.ts')).checkPlaces(words, { root, json });
}

const common: readonly OptionEntry[] = [
  ['--session <SESSION>', 'go on with this conversation; without it, a new one begins'],
  ['--model <NAME>', 'the model of the agent; without it, its own'],
  ['--role <ROLE>', 'default, planner, codereviewer, or one of your own'],
  ['--context <PATH>', 'a file that is sent with the question', 'repeatable'],
];

/** The commands of conversations. */
export const conversationCommands: readonly CommandEntry[] = [
  inspection({
    name: 'work',
    summary: 'let an agent work on a task, in a conversation that other agents can continue',
    about:
      'Lets one agent act in this folder: it may edit files and run commands, as its own program ' +
      'allows. What it changed is listed, and --undo brings it back. Without a task, a terminal ' +
      'shows the conversation.',
    argument: ['[TASK...]', 'what it is to do; "-" reads it from standard input'],
    options: [
      ['--agent <AGENT>', 'the agent that works; without it, your default agent'],
      ...common,
      ['--read-only', 'it may read, and change nothing'],
      ['--undo', 'bring back the files as they were before the last turn that changed any'],
    ],
    examples: [
      'work --agent claude "Fix the failing test in test/login.test.ts"',
      'work --agent codex --session SESSION "Now write the changelog entry"',
      'work --undo --session SESSION',
    ],
    topics: ['conversations', 'agents'],
    run: async (words, options) => (await import('../converse.ts')).workCommand(words, options),
  }),
  inspection({
    name: 'consult',
    summary: 'ask one model for an opinion',
    about:
      'Asks one agent a question. It works in an empty folder and reads only what you add with ' +
      '--context. Without a question, a terminal shows the conversation.',
    argument: ['[QUESTION...]', 'the question; "-" reads it from standard input'],
    options: [
      ['--agent <AGENT>', 'the agent that is asked; without it, your default agent'],
      ...common,
      ['--format <FORMAT>', 'text, or a file with the JSON Schema of the answer'],
    ],
    examples: [
      'consult --agent gemini --context src/login.ts "Is this safe against timing attacks?"',
      'consult --agent claude --session SESSION "And what would you do instead?"',
      'consult --agent codex --format verdict.schema.json "Is this release ready?"',
    ],
    topics: ['conversations', 'agents'],
    run: async (words, options) => (await import('../converse.ts')).consultCommand(words, options),
  }),
];
