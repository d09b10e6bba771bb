// Says everything that a person agrees to as plain blocks, the same in every user interface.
import { cleanText } from './clean-text.ts';

/** The order in which the blocks are shown: short ones come first. */
const order = [
  'agent',
  'agents',
  'flags',
  'folder',
  'role',
  'conversation',
  'context',
  'not in the project',
  'option',
  'feedback',
  'answers',
  'tasks',
  'files',
  'set-up',
  'checks',
  'unconfined',
  'limits',
  'task',
] as const;

/** Everything that a person agrees to, as it was given, including words of models and hosts. */
export type Agreement = Readonly<
  Partial<Record<(typeof order)[number], string | readonly string[]>>
>;

/** A part of the agreement, safe to display. A text may have several lines. */
export interface AgreementBlock {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Makes the blocks of an agreement. Empty ones are left out. */
export function agreementBlocks(agreement: Agreement): readonly AgreementBlock[] {
  return order.flatMap((name) => {
    const texts = [agreement[name] ?? []].flat().map(plainly);
    const said = texts.filter((text) => text !== '');
    return said.length === 0 ? [] : [{ name, texts: said }];
  });
}

/** Writes an agreement as lines. Each is indented, so that no line of a text can pass for a block. */
export function agreementLines(agreement: Agreement): readonly string[] {
  const blocks = agreementBlocks(agreement);
  const width = 2 + Math.max(0, ...blocks.map(({ name }) => name.length));
  return blocks.flatMap(({ name, texts }) => {
    const lines = texts.join('\n').split('\n');
    return lines.map((line, at) => (at === 0 ? name : '').padEnd(width) + line);
  });
}

/**
 * Keeps line breaks visible, and shows long runs of blanks and empty lines that could push text out
 * of sight.
 */
function plainly(text: string): string {
  return cleanText(text.replaceAll(lineBreak, '\n').replaceAll('\u2800', ' '))
    .trim()
    .replaceAll(/[^\S\n]{30,}/gu, (run) => ` [${run.length} blanks] `)
    .replaceAll(/\n\s*\n\s*\n/gu, (run) => `\n[${run.split('\n').length - 2} empty lines]\n`)
    .replaceAll('\n', ' ⏎\n');
}

/** Matches every break that a terminal, a host or a person may take for the end of a line. */
const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** The work of an approved plan. */
export interface WorkAhead {
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  /** The files that the tasks name, without duplicates. */
  readonly files: readonly string[];
  /** The commands that the checks of the tasks will run, as a person would type them. */
  readonly commands: readonly string[];
  /** The set-up that runs in the work trees beforehand; empty if there is none. */
  readonly setup: readonly string[];
  /** Sentences on what confines these commands and the agents, and what does not. */
  readonly limits: readonly string[];
}

/** Says what a person agrees to who has a plan executed. */
export function workAgreement({ tasks, files, commands, setup, limits }: WorkAhead) {
  return {
    tasks: tasks.map(({ id, title }) => `${id} ${title}`),
    files: `${files.length}: ${files.join(', ')}`,
    'set-up': setup.join(' '),
    checks: commands,
    limits,
  };
}
