import type { Command } from 'commander';
import { type Finish, type RawOptions, commandIn, commonOptions, examples } from './options.ts';

/** `sessions …`: what is saved in this repository. */
export function addSessions(program: Command, finish: Finish): void {
  const sessions = program
    .command('sessions')
    .summary('list, show, fork or remove saved sessions')
    .description('The sessions that are saved in this repository. Without a command: list.')
    .usage('[list|show|fork|rm] [OPTIONS]')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples('sessions', 'sessions show SESSION', 'sessions fork SESSION', 'sessions rm SESSION'),
    );
  commandIn(sessions, 'list')
    .description('Lists the saved sessions, the latest first.')
    .addHelpText('after', examples('sessions list', 'sessions list --json'))
    .action(async (values: RawOptions) => {
      const { list } = await import('../sessions.ts');
      finish(await list(await commonOptions(values)));
    });
  commandIn(sessions, 'show')
    .description('Shows the state of a session, its rounds and its files.')
    .argument('[SESSION]', 'its id; without it, the latest session')
    .addHelpText('after', examples('sessions show', 'sessions show SESSION --json'))
    .action(async (session: string | undefined, values: RawOptions) => {
      const { show } = await import('../sessions.ts');
      finish(await show(session, await commonOptions(values)));
    });
  commandIn(sessions, 'fork')
    .description('Copies a session up to a decision, so that you can decide differently.')
    .argument('<SESSION>', 'its id')
    .option('--at <DECISION>', 'the decision to copy up to; without it, the last one')
    .addHelpText(
      'after',
      examples('sessions fork SESSION', 'sessions fork SESSION --at decision-1'),
    )
    .action(async (session: string, values: RawOptions) => {
      const { fork } = await import('../sessions.ts');
      finish(await fork(session, { ...(await commonOptions(values)), at: values.at ?? null }));
    });
  commandIn(sessions, 'rm')
    .description('Removes sessions with all their files. Asks first, unless --yes is given.')
    .argument('<SESSION...>', 'one id or more')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('sessions rm SESSION', 'sessions rm --yes SESSION SESSION'))
    .action(async (ids: readonly string[], values: RawOptions) => {
      const { remove } = await import('../sessions.ts');
      finish(await remove(ids, { ...(await commonOptions(values)), yes: values.yes === true }));
    });
}
