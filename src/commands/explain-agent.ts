import wrapAnsi from 'wrap-ansi';
import type { AgentAdapter, UserSide } from '../agents/agent.ts';
import { type Permission, permissions, toolsOf } from '../agents/permission.ts';
import { plainRequest } from '../agents/unknown-flags.ts';
import { pageWidth, printJson, printLines } from './output.ts';

/** How a CLI is called under one permission. */
interface Explained {
  readonly permission: Permission;
  readonly tools: readonly string[];
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the files that it is given for a run. */
  readonly files: readonly string[];
  readonly not_enforced: readonly string[];
}

/** `conclave agents NAME --explain`: what a CLI is called with for each permission, and what that does not enforce. */
export function explainAgent(
  adapter: AgentAdapter,
  { root, user, json }: { readonly root: string; readonly user: UserSide; readonly json: boolean },
): void {
  const told = permissions.map((permission) => explained(adapter, { permission, root, user }));
  if (json) return printJson(told);
  // What is the same for all of them is told once.
  const all = told.map((one) => [...one.argv, ...settingsOf(one)]);
  const always = (all[0] ?? []).filter((word) => all.every((words) => words.includes(word)));
  printLines(
    `How ${adapter.displayName} is called. Whoever changes a file, it is seen.`,
    '',
    ...columns('always', always.join(' ')),
    ...columns('its files', told[0]?.files.join(' ') || 'none'),
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
  adapter: AgentAdapter,
  { permission, root, user }: { permission: Permission; root: string; user: UserSide },
): Explained {
  const hidden = [`${root}/.workflow`];
  const request = { ...plainRequest(root), permission, hidden };
  return {
    permission,
    tools: [...toolsOf(request)],
    argv: paired(adapter.argv(request)),
    variables: adapter.env(request),
    files: Object.keys(adapter.files?.(request, user) ?? {}),
    not_enforced: adapter.unenforced?.(request) ?? [],
  };
}
