import type { Command } from 'commander';
import { type Finish, collect } from './options.ts';
import { examples } from './help.ts';

/** With these flags nobody is asked. */
const unattended = ['approve', 'reject', 'comment', 'set', 'json'];

/** `review`: a person’s part in the plan. */
export function addReview(program: Command, finish: Finish): void {
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
    .option('--screen-reader', 'at a terminal, plain lines and typed answers instead of screens')
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
      const code = await behindFace({ values, unattended, opens }, async (face) => {
        const { run } = await import('../review.ts');
        return await run(session, { values, face });
      });
      finish(code);
    });
}
