// Declares the command `critique`.
import type { Setting } from '../../model/setting.ts';
import { type CommandEntry, workingFolderOption } from './shared-options.ts';
import { events, inFace, settingOptions } from './planning.ts';

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
