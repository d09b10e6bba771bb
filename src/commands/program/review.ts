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
        'whether it is approved. With flags it changes the plan, sends it back to the planner ' +
        'or approves it. An approval counts for the files as they are; each later change ' +
        'needs a new one.',
    )
    .argument(
      '[SESSION]',
      'its id; without one, pick it at a terminal; elsewhere the latest that has a plan',
    )
    .option('--approve', 'approve the plan as it stands')
    .option('--reject', 'take the approval back; --comment says why')
    .option(
      '--comment <TEXT>',
      'ask the planner for a new version; "TASK-001: text" is about that task; may be given again',
      collect,
    )
    .option(
      '--set <TASK.FIELD=VALUE>',
      'set a field, as text or JSON; "plan" stands for the plan; null takes out; may be given again',
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
