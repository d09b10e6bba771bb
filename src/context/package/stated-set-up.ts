// Reads the set-up that a project states for other tools: of work trees, of agents in the cloud, of containers.
import { join } from 'node:path';
import ignore from 'ignore';
import { parse } from 'jsonc-parser';
import { readPlainFile, textOf } from '../../git/disk.ts';
import { listUncommitted } from '../../git/made-files.ts';
import { plainWords } from '../../model/check.ts';
import { isObject } from '../../model/json.ts';

/** A set-up that a project states, with the files that say it. */
interface StatedSetUp {
  readonly argv: readonly string[];
  readonly copy: readonly string[];
  readonly sources: readonly string[];
}

/** The files, the first of which counts, each with the commands that its text states. */
const statements: readonly (readonly [file: string, read: (text: string) => readonly string[]])[] =
  [
    ['.cursor/worktrees.json', (text) => cursorCommands(parse(text))],
    ['.github/workflows/copilot-setup-steps.yml', workflowCommands],
    ['.github/workflows/copilot-setup-steps.yaml', workflowCommands],
    ['.devcontainer/devcontainer.json', (text) => containerCommands(parse(text))],
    ['.devcontainer.json', (text) => containerCommands(parse(text))],
  ];

const included = '.worktreeinclude';

/** Reads what a project states. It is only proposed: nothing runs or is copied before the user has agreed to it. */
export async function readStatedSetUp(root: string): Promise<StatedSetUp> {
  const read = async (file: string) => {
    const content = await readPlainFile(root, file);
    return (content === null ? null : textOf(content)) ?? '';
  };
  const copy = await includedFiles(root, await read(included));
  const copied = copy.length === 0 ? [] : [included];
  for (const [file, commandsOf] of statements) {
    const lines = commandsOf(await read(file)).flatMap((line) => line.trim() || []);
    if (lines.length > 0) return { argv: joinLines(lines), copy, sources: [file, ...copied] };
  }
  return { argv: [], copy, sources: copied };
}

/** The words of the commands, which a shell runs where one of them needs it. */
function joinLines(lines: readonly string[]): readonly string[] {
  const plain = lines.flatMap((line) => line.split(/\s*&&\s*/)).map(plainWords);
  const isPlain = plain.every(
    (words) => words !== null && !/^(?:cd|export|source|\.)$/.test(words[0] ?? ''),
  );
  if (!isPlain) return ['sh', '-ec', lines.join('\n')];
  return plain.flatMap((words, at) => (at === 0 ? (words ?? []) : ['&&', ...(words ?? [])]));
}

function texts(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

function cursorCommands(config: unknown): readonly string[] {
  if (!isObject(config)) return [];
  const stated = config['setup-worktree-unix'] ?? config['setup-worktree'];
  // A single text names a script beside the file.
  if (typeof stated === 'string') return [`sh ${join('.cursor', stated)}`];
  return texts(stated).map((line) => line.replaceAll('ROOT_WORKTREE_PATH', 'CONCLAVE_ROOT'));
}

/** A list there is one command with its arguments, and a table holds several commands. */
function containerCommands(config: unknown): readonly string[] {
  const stated = isObject(config) ? config['postCreateCommand'] : undefined;
  const each = isObject(stated) ? Object.values(stated) : [stated];
  return each.flatMap((one) => texts(one).join(' '));
}

/** The commands of the steps: `run: npm ci`, or a block of more deeply indented lines after `run: |`. */
function workflowCommands(text: string): readonly string[] {
  const steps = text.matchAll(
    /^( *)(?:- +)?run: *(?:([|>])[+-]?\n((?:\1 +.*\n|[ \t]*\n)+)|(.+))/gm,
  );
  return [...steps].flatMap(([, , , block, line = '']) => {
    if (block !== undefined) return block.split('\n').map((one) => one.trim());
    return line.trim().replace(/^(["'])(.*)\1$/, '$2');
  });
}

/** The ignored files and folders of the user that the patterns name. */
async function includedFiles(root: string, patterns: string): Promise<readonly string[]> {
  if (patterns.trim() === '') return [];
  const wanted = ignore().add(patterns);
  const { ignored } = await listUncommitted(root);
  return ignored.filter((path) => wanted.ignores(path)).map((path) => path.replace(/\/$/, ''));
}
