import type { Command } from 'commander';
import { settingsList } from '../../model/settings.ts';
import { type Finish, collect } from './options.ts';
import { examples } from './help.ts';

/** With these flags nobody is asked. */
const unattended = ['autoYes', 'json'];

/** `plan` and `resume`: the commands that run a session. */
export function addPlanning(program: Command, finish: Finish): void {
  const plan = program
    .command('plan')
    .summary('plan a change with your agents (the default)')
    .description(
      'Finds the code that the task is about, asks the agents independently, checks what they ' +
        'claim, lets them examine each other, and writes plan.json and .task/*.json.',
    )
    .argument('[TASK...]', 'what you want to have done')
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
        const { run } = await import('../plan.ts');
        return await run(task, { values, face });
      });
      finish(code);
    });
  const resume = program
    .command('resume')
    .summary('go on with a saved session')
    .description(
      'Goes on where the session stopped. Nothing that was answered is asked or paid for again; ' +
        'flags count from the next round on.',
    )
    .argument(
      '[SESSION]',
      'its id; without one, pick it at a terminal; elsewhere the latest unfinished one',
    )
    .addHelpText(
      'after',
      examples('resume', 'resume MCP-add-rate-limiting-2026-11-21-k3f9 --max-rounds 5'),
    )
    .action(async (session: string | undefined, values: unknown) => {
      const opens = session === undefined ? 'resume' : 'run';
      const { behindFace } = await import('../wiring/face.ts');
      const code = await behindFace({ values, unattended, opens }, async (face) => {
        const { run } = await import('../resume.ts');
        return await run(session, { values, face });
      });
      finish(code);
    });
  for (const command of [plan, resume]) addSessionFlags(command);
}

function addSessionFlags(command: Command): void {
  for (const { path, flag, about, addsUp } of settingsList) {
    if (flag === undefined) continue;
    if (addsUp !== true && !path.includes('*')) command.option(flag, about);
    else command.option(flag, `${about}; may be given again`, collect);
  }
  command
    .option('--json', 'print one event per line, as JSON, and nothing else')
    .option('--screen-reader', 'at a terminal, plain lines and typed answers instead of screens')
    .option(
      '--feedback <TEXT>',
      'the answer if the agents ask something; if not, what they analyse next (without a model, ' +
        'it goes to the plan)',
    )
    .option('--solution <N>', 'take solution N of the options')
    .option('--execution <HOW>', 'who carries the plan out: agent, codex or auto')
    .option('--review <HOW>', 'the code review afterwards: skip, gemini, codex or agent')
    .option('-C, --cwd <DIR>', 'work in this folder');
}
