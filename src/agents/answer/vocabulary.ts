// Lists models’ words for words and fields of a schema, and reads texts as words, numbers, paths or commands.
import { isObject } from '../../model/json.ts';
import { clip } from '../../model/wording.ts';

/** Reads lines of a word and, after a colon, what else models say for it. */
function wordsByMeaning(table: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(': '))
      .map(([word = '', others = '']) => [word, others.split(' ')]),
  );
}

/** The enum word that models mean by another word in lower case. */
const synonyms = wordsByMeaning(`
low: lo minor minimal small tiny trivial easy simple very_low
medium: med mid moderate average normal
high: hi hard large big major significant complex severe very_high
support: supports agree agrees approve accept endorse yes
oppose: opposes disagree disagrees reject object against no
unsure: neutral abstain undecided mixed uncertain
modify: update updated edit edited change changed modified extend refactor fix test
create: add added new created write
delete: remove removed deleted
`);

/** Other names that models use for a field, the likeliest first. */
const aliases = wordsByMeaning(`
name: title label heading
title: name label heading
summary: description overview abstract
approach: strategy method how
description: details detail text what
path: file filename filepath location source_file
file: path filename filepath location name
action: change_type operation change
line: line_number lineno line_no lines start_line line_start
statement: claim text fact description assertion
quote: snippet code excerpt evidence text
depends_on: dependencies requires needs after blocked_by prerequisites
key_point: note notes detail details description
claims: evidence facts references
evidence: claims facts references
solutions: proposals options alternatives candidates
solution: label option id letter name
stances: examinations evaluations assessments reviews votes verdicts
stance: verdict position vote opinion decision
reasons: reason rationale why arguments comments objections
technical_concerns: concerns edge_cases
tasks: steps task_list
implementation_plan: plan implementation
execution_flow: flow order sequence
feasibility: confidence feasibility_score probability
effort: complexity size estimate
questions: open_questions clarifications
criteria: acceptance_criteria done_when conditions
convergence: acceptance_criteria criteria definition_of_done
preferred: preference choice favourite favorite best
recommended: recommendation recommended_solution best choice
rationale: reason why because
argv: command cmd args run
describes: description text criterion what
`);

/** The values that replace missing required fields. */
export const defaults: Readonly<Record<string, unknown>> = {
  feasibility: 0.5,
  effort: 'medium',
  risk: 'medium',
  probability: 'medium',
  impact: 'medium',
  mitigation: 'none named',
  rationale: 'none named',
  action: 'modify',
  line: 1,
  quote: '',
  dependencies: { internal: [], external: [] },
  execution_flow: '',
  exists: true,
};

/**
 * Writes a name in lower case, with one `_` for whatever separates words: `keyPoint` and
 * `Key-point` are equal.
 */
export function fold(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+-]+|(?<=[a-z])-(?=[a-z])/gu, '_')
    .replace(/^_+|_+$/g, '');
}

/** Lists the field names that may mean a field, the likeliest first. */
export function aliasesOf(name: string): readonly string[] {
  return aliases.get(name) ?? [];
}

/** Finds the enum word that a text means, with or without a remark: "low (1 day)", "Medium: two files". */
export function wordFor(text: string, words: readonly string[]): string | null {
  const [head = ''] = text.split(/[(:]/, 1);
  for (const said of [text, head].map(fold)) {
    const word =
      words.find((one) => fold(one) === said) ??
      words.find((one) => synonyms.get(fold(one))?.includes(said));
    if (word !== undefined) return word;
  }
  return null;
}

const nothing = /^(?:none(?: of (?:them|these))?|neither|null|nil|n\/?a|no|nothing|-+|)\.?$/i;

/** True if a value says that there is nothing. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return nothing.test(value.trim());
  if (value === null || value === undefined || value === false) return true;
  return isObject(value)
    ? Object.values(value).every(isNothing)
    : Array.isArray(value) && value.length === 0;
}

/** Splits a command line; a text that needs a shell or quoting is returned unchanged. */
export function argvIn(text: string): readonly string[] | string {
  const line = text.trim();
  return /["'`|&;<>$\\\n]/.test(line) ? text : line.split(/\s+/);
}

type Schema = Readonly<Record<string, unknown>>;

/** Facts about an answer that are certain before it is read. */
export interface Facts {
  /** The absolute path of the repository: paths below it are made relative. */
  readonly root?: string;
}

/** Reads a text as its schema asks for it: a word of an enum, a label, a path, or shortened. */
export function fitString(
  text: string,
  schema: Schema,
  { name, known }: { readonly name: string; readonly known: Facts },
): string {
  const { enum: words, pattern, maxLength } = schema;
  if (Array.isArray(words)) return wordFor(text, words.map(String)) ?? text;
  if (pattern === '^[A-Z]$') return label.exec(text)?.[1]?.toUpperCase() ?? text;
  if (name === 'path' || name === 'file') return relativePath(text, known).replace(lineSuffix, '');
  if (name === 'files' || name === 'focus_paths') return relativePath(text, known);
  return typeof maxLength === 'number' ? clip(text, maxLength) : text;
}

/** Matches a label alone, or after a noun: `a`, `[A]`, `Solution A`. A name is never read as a label. */
const label = /^\W*(?:(?:solution|option|proposal|label)\s+)?([a-z])\W*$/i;

function relativePath(path: string, { root }: Facts): string {
  const plain = stripMarks(path).replace(/^file:\/\//, '');
  const inside =
    root !== undefined && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  return inside.replace(/^(?:\.\/)+/, '');
}

/** Strips the backticks, quotation marks or angle brackets around a path. */
function stripMarks(path: string): string {
  return path.trim().replace(/^[`"'<]+|[`"'>]+$/g, '');
}

const lineSuffix = /(?::|#L| ?\(lines? )(\d+)(?:[-–:,] ?L?\d+)*\)?$/;

/** Finds the line in `src/a.ts:12`, `src/a.ts#L12` or `src/a.ts (line 12)`. */
export function lineIn(path: unknown): number | null {
  const [, line] = lineSuffix.exec(stripMarks(String(path))) ?? [];
  return line === undefined ? null : Number(line);
}

/** Reads a number in a text: `0.8`, `95%` and, for integers, `L46` and `46-51`; else returns the text. */
export function fitNumber(text: string, schema: Schema): number | string {
  const [, number, mark] = /^\s*(-?\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? [];
  if (number !== undefined) return inRange(Number(number) / (mark === undefined ? 1 : 100), schema);
  const [, whole] = /^[a-z]{0,5}\s?(\d{1,9})(?:\s*[-–,].*)?$/i.exec(text.trim()) ?? [];
  return schema['type'] === 'integer' && whole !== undefined
    ? inRange(Number(whole), schema)
    : text;
}

/**
 * Brings a number into its range: a share above 1 can only be in tenths or percent; a line before
 * the first becomes the first.
 */
export function inRange(value: number, { minimum, maximum, type }: Schema): number {
  if (maximum === 1 && value > 1 && value <= 100) {
    return value <= 10 && Number.isInteger(value) ? value / 10 : value / 100;
  }
  if (type !== 'integer') return value;
  return typeof minimum === 'number' && value < minimum ? minimum : Math.trunc(value);
}
