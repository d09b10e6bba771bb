// Says all that a person agrees to as plain blocks, the same at every door.
import { cleanText } from './clean-text.ts';

/** The names of the blocks, in the order in which they are shown: what is short stands first. */
const names = [
  'agent',
  'agents',
  'flags',
  'folder',
  'role',
  'conversation',
  'files sent along',
  'files outside of the project',
  'option',
  'feedback',
  'answers',
  'tasks',
  'files',
  'set-up',
  'checks',
  'limits',
  'task',
] as const;
type BlockName = (typeof names)[number];

/** What a person agrees to, as it was given: texts of models and hosts among it. */
export type Agreement = Readonly<Partial<Record<BlockName, string | readonly string[]>>>;

/** A part of it, safe to show. A text may have several lines. */
export interface AgreementBlock {
  readonly name: BlockName;
  readonly texts: readonly string[];
}

/** All that is agreed to. What is empty is left out. */
export function agreementBlocks(agreement: Agreement): readonly AgreementBlock[] {
  return names.flatMap((name) => {
    const texts = [agreement[name] ?? []]
      .flat()
      .map(plainly)
      .filter((text) => text !== '');
    return texts.length === 0 ? [] : [{ name, texts }];
  });
}

/** The lines of blocks. Text that somebody gave is always set in, so that it cannot pass for ours. */
export function blockLines(blocks: readonly AgreementBlock[]): readonly string[] {
  return blocks.flatMap(({ name, texts }) => {
    const [first = ''] = texts;
    if (texts.length === 1 && !first.includes('\n')) return [`${name}: ${first}`];
    const title = texts.length === 1 ? `${name}:` : `${name} (${texts.length}):`;
    return [
      title,
      ...texts.flatMap((text) => `  • ${text.replaceAll('\n', ' ⏎\n    ')}`.split('\n')),
    ];
  });
}

/** Runs of blanks or empty lines could push what follows out of sight, so they are told. */
function plainly(text: string): string {
  return cleanText(text)
    .trim()
    .replaceAll(/[^\S\n]{30,}/gu, (run) => ` [${run.length} blanks] `)
    .replaceAll(
      /\n(?:[^\S\n]*\n){3,}/gu,
      (run) => `\n[${run.split('\n').length - 2} empty lines]\n`,
    );
}

/** The work of an approved plan. */
export interface WorkAhead {
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  /** The files that the tasks name, each once. */
  readonly files: readonly string[];
  /** The commands that the checks of the tasks will run, as a person would type them. */
  readonly commands: readonly string[];
  /** The set-up that runs in the work trees before; empty where there is none. */
  readonly setup: readonly string[];
  /** Sentences on what holds these commands and the agents, and what does not. */
  readonly limits: readonly string[];
}

/** What somebody agrees to who has a plan carried out. */
export function workAgreement({ tasks, files, commands, setup, limits }: WorkAhead): Agreement {
  return {
    tasks: tasks.map(({ id, title }) => `${id} ${title}`),
    files,
    'set-up': setup.join(' '),
    checks: commands,
    limits,
  };
}
