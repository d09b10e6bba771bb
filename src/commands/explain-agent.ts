import wrapAnsi from 'wrap-ansi';
import { type CliSetup, isolated, isolationNotes, userSide } from '../agents/cli-setup.ts';
import { type Permission, permissions, toolsOf } from '../agents/permission.ts';
import { plainRequest } from '../agents/probe.ts';
import { pageWidth, printJson, printLines } from './output.ts';

/** How a CLI is called under one permission. */
interface Explained {
  readonly permission: Permission;
  readonly tools: readonly string[];
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the files that it is given for a run. */
  readonly files: readonly string[];
  readonly isolation: string | null;
  readonly not_enforced: readonly string[];
}

/** `conclave agents NAME --explain`: what a CLI is called with for each permission, and what that does not enforce. */
export function explainAgent(
  setup: CliSetup,
  { root, json }: { readonly root: string; readonly json: boolean },
): void {
  const { adapter } = setup;
  const told = permissions.map((permission) => explained(setup, { permission, root }));
  if (json) return printJson(told);
  // What is the same for all of them is told once.
  const all = told.map((one) => [...one.argv, ...settingsOf(one)]);
  const always = (all[0] ?? []).filter((word) => all.every((words) => words.includes(word)));
  printLines(
    `How ${adapter.displayName} is called. Whoever changes a file, it is seen.`,
    '',
    ...columns('always', always.join(' ')),
    ...columns('its files', told[0]?.files.join(' ') || 'none'),
    ...columns('isolation', isolationLine(setup)),
    ...isolationNotes(setup).flatMap((note) => columns('', note)),
  );
  for (const one of told) {
    const own = [...one.argv, ...settingsOf(one)].filter((word) => !always.includes(word));
    printLines(
      ...columns(one.permission, one.tools.join(', ')),
      ...columns('', own.join(' ') || 'by the contents of its files'),
      ...one.not_enforced.flatMap((sentence) => columns('', `not enforced: ${sentence}`)),
    );
  }
}

function isolationLine({ adapter: { isolations = [] }, settings }: CliSetup): string {
  const [usual = 'none that we know'] = isolations;
  const { isolation = usual } = settings;
  return isolations.length < 2 ? isolation : `${isolation} (of ${isolations.join(', ')})`;
}

const gutter = 16;

/** A name and what belongs to it, in two columns. */
function columns(name: string, text: string): readonly string[] {
  const lines = wrapAnsi(text, pageWidth() - gutter, { hard: true }).split('\n');
  return lines.map((line, index) => (index === 0 ? name : '').padEnd(gutter) + line);
}

/** Each flag with the value after it, as one word. */
function paired(argv: readonly string[]): readonly string[] {
  return argv.reduce<readonly string[]>((words, word) => {
    const last = words.at(-1) ?? '';
    const isValue = /^--?[\w-]+$/.test(last) && !word.startsWith('-');
    return isValue ? [...words.slice(0, -1), `${last} ${word}`] : [...words, word];
  }, []);
}

function settingsOf({ variables }: Explained): readonly string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

function explained(
  setup: CliSetup,
  { permission, root }: { readonly permission: Permission; readonly root: string },
): Explained {
  const { adapter } = setup;
  const hidden = [`${root}/.workflow`];
  const request = isolated({ ...plainRequest(root), permission, hidden }, setup);
  return {
    permission,
    tools: [...toolsOf(request)],
    argv: paired(adapter.argv(request)),
    variables: adapter.env(request),
    files: Object.keys(adapter.files?.(request, userSide(setup)) ?? {}),
    isolation: request.isolation ?? null,
    not_enforced: adapter.unenforced?.(request) ?? [],
  };
}
