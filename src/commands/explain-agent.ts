import { type CliSetup, isolated, isolationNotes, userSide } from '../agents/cli-setup.ts';
import { permissions, toolsOf } from '../agents/permission.ts';
import { plainRequest } from '../agents/probe.ts';
import { alignedLines, pageWidth, printJson, printLines } from './output.ts';

/**
 * `conclave agents NAME --explain`: how a CLI is called with each permission, and what that does not
 * enforce.
 */
export function explainAgent(
  setup: CliSetup,
  { root, json }: { readonly root: string; readonly json: boolean },
): void {
  const { adapter, settings } = setup;
  const calls = permissions.map((permission) => {
    const hidden = [`${root}/.workflow`];
    const request = isolated({ ...plainRequest(root), permission, hidden }, setup);
    return {
      permission,
      tools: [...toolsOf(request)],
      argv: adapter.argv(request),
      variables: adapter.env(request),
      /** The names of the files that it is given for a run. */
      files: Object.keys(adapter.files?.(request, userSide(setup)) ?? {}),
      isolation: request.isolation ?? null,
      not_enforced: adapter.unenforced?.(request) ?? [],
    };
  });
  if (json) return printJson(calls);
  const { isolations = [] } = adapter;
  const isolation = settings.isolation ?? isolations[0] ?? 'none that we know';
  const of = isolations.length < 2 ? '' : ` (of ${isolations.join(', ')})`;
  const rows = calls.flatMap(({ permission, tools, argv, variables, files, not_enforced }) => [
    ['', ''],
    [permission, tools.join(', ')],
    ['', argv.join(' ')],
    ...Object.entries(variables).map(([name, value]) => ['', `${name}=${value}`]),
    ...(files.length === 0 ? [] : [['', `files: ${files.join(', ')}`]]),
    ...not_enforced.map((sentence) => ['', `not enforced: ${sentence}`]),
  ]);
  const notes = isolationNotes(setup).map((note) => ['', note]);
  printLines(
    `How ${adapter.displayName} is called. A file that changes is noticed, whoever changes it.`,
    '',
    ...alignedLines([['isolation', isolation + of], ...notes, ...rows], pageWidth()),
  );
}
