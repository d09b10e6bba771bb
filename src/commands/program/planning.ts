import type { Command } from 'commander';
import { settingsList } from '../../model/settings.ts';
import { type Finish, collect, examples } from './options.ts';

/** With these flags nobody is asked. */
const unattended = ['autoYes', 'json'];
const unattendedReview = ['approve', 'reject', 'comment', 'set', 'json'];

/** `plan`, `resume` and `review`: the commands that run a session. */
export function addPlanning(program: Command, finish: Finish): void {
  const plan = program
    .command('plan')
    .summary('plan a change with your agents (the default)')
    .description(
      'Finds the code that the task is about, asks the agents independently, checks what they ' +
        'claim, lets them examine each other, and writes plan.json and .task/*.json.',
    )
    .argument('[TASK...]', 'what you want done')
    .option(
      '--task-file <FILE>',
      'read the task from a file of UTF-8 text, at most 256 KB; - is standard input',
    )
    .addHelpText(
      'after',
      examples(
        'plan "Add rate limiting to the login endpoint"',
        'plan -y --tools local "Split the settings module"',
        'plan --task-file task.md --constraint "No new dependency" --json -y',
      ),
    )
    .action(async (task: readonly string[], values: { readonly taskFile?: string }) => {
      const isGiven = task.length > 0 || values.taskFile !== undefined;
      const opens = isGiven ? 'run' : 'start';
      const { behindFace } = await import('../wiring/face.ts');
      const code = await behindFace({ values, unattended, opens }, async (face) => {
        const { planCommand } = await import('../plan.ts');
        return await planCommand(task, { values, face });
      });
      finish(code);
    });
  const resume = program
    .command('resume')
    .summary('go on with a saved session')
    .description(
      'Goes on where the session stopped. Nothing that was answered is asked or paid for again; ' +
        'flags take effect from the next round on.',
    )
    .argument(
      '[SESSION]',
      'its id; without it, you pick one in a terminal, and elsewhere the latest unfinished one is taken',
    )
    .addHelpText(
      'after',
      examples('resume', 'resume MCP-add-rate-limiting-2026-11-21-k3f9 --max-rounds 5'),
    )
    .action(async (session: string | undefined, values: unknown) => {
      const opens = session === undefined ? 'resume' : 'run';
      const { behindFace } = await import('../wiring/face.ts');
      const code = await behindFace({ values, unattended, opens }, async (face) => {
        const { resumeCommand } = await import('../plan.ts');
        return await resumeCommand(session, { values, face });
      });
      finish(code);
    });
  for (const command of [plan, resume]) addSessionFlags(command);
  addReview(program, finish);
  addDemo(program, finish);
}

function addSessionFlags(command: Command): void {
  for (const { path, flag, about, addsUp } of settingsList) {
    if (flag === undefined) continue;
    if (addsUp !== true && !path.includes('*')) command.option(flag, about);
    else command.option(flag, `${about}; repeatable`, collect);
  }
  command
    .option('--json', 'print one event per line, as JSON, and nothing else')
    .option(
      '--screen-reader',
      'in a terminal, use plain lines and typed answers instead of screens',
    )
    .option(
      '--feedback <TEXT>',
      'answers the agents’ questions; if they ask none, it is what they analyse next (without a ' +
        'model, it goes into the plan)',
    )
    .option('--solution <N>', 'take solution N of the options')
    .option('--execution <HOW>', 'who carries the plan out: agent, codex or auto')
    .option('--review <HOW>', 'who reviews the code afterwards: skip, gemini, codex or agent')
    .option('-C, --cwd <DIR>', 'work in this folder');
}

function addReview(program: Command, finish: Finish): void {
  program
    .command('review')
    .summary('look at a plan, change it, approve it')
    .description(
      'Shows the plan of a session: its tasks, what the plan check found, what changed, and ' +
        'whether it is approved. Flags change the plan, send it back to the planner or approve ' +
        'it. An approval covers the files as they are now; any later change needs a new one.',
    )
    .argument(
      '[SESSION]',
      'its id; without it, you pick one in a terminal, and elsewhere the latest with a plan is taken',
    )
    .option('--approve', 'approve the plan as it is')
    .option('--reject', 'reject the plan; --comment says why')
    .option(
      '--comment <TEXT>',
      'ask the planner for a new version; "TASK-001: text" is about that task; repeatable',
      collect,
    )
    .option(
      '--set <TASK.FIELD=VALUE>',
      'set a field to text or JSON; "plan" as TASK means the plan itself; null removes the field; repeatable',
      collect,
    )
    .option('--json', 'print one JSON document; with other flags, one event per line')
    .option(
      '--screen-reader',
      'in a terminal, use plain lines and typed answers instead of screens',
    )
    .option('-C, --cwd <DIR>', 'work in this folder')
    .addHelpText(
      'after',
      examples(
        'review',
        'review --set TASK-001.title="Add the flag" --set TASK-002.files.0.path=src/cli.ts',
        'review SESSION --comment "TASK-002: also test an empty list"',
        'review SESSION --approve',
      ),
    )
    .action(async (session: string | undefined, values: unknown) => {
      const opens = session === undefined ? 'review' : 'run';
      const { behindFace } = await import('../wiring/face.ts');
      const code = await behindFace(
        { values, unattended: unattendedReview, opens },
        async (face) => {
          const { reviewCommand } = await import('../review.ts');
          return await reviewCommand(session, { values, face });
        },
      );
      finish(code);
    });
}

function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .summary('see the whole workflow with scripted agents')
    .description(
      'Plans a small change with two scripted agents that disagree at first, in a temporary ' +
        'repository of its own. No account is needed and no model is asked.',
    )
    .option('-y, --auto-yes', 'take the recommended answers, without asking')
    .option('--json', 'print one event per line, as JSON, and nothing else')
    .option(
      '--screen-reader',
      'in a terminal, use plain lines and typed answers instead of screens',
    )
    .addHelpText('after', examples('demo', 'demo --auto-yes'))
    .action(async (values: { readonly json?: true }) => {
      const { demoCommand } = await import('../demo.ts');
      finish(await demoCommand(values));
    });
}
