import { cleanText } from '../../model/clean-text.ts';
import type { Finding } from '../../model/finding.ts';
import type { Task } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { oneLine } from '../../model/wording.ts';

/** Whether the criteria of a task can be tested, and its checks can be run. */
export function checkCriteria(task: Task): readonly Finding[] {
  const { criteria } = task.convergence;
  const checks = (task.checks ?? []).flatMap((check, index) =>
    check.kind === 'command' ? commandFindings(task.id, check.argv, index) : [],
  );
  if (criteria.every((text) => text.trim() === '')) return [missing(task.id), ...checks];
  const vague = criteria.flatMap((text, index) => {
    const problem = vagueness(text);
    return problem === null ? [] : [untestable({ id: task.id, text, index, problem })];
  });
  return [...vague, ...checks];
}

/**
 * Why nobody could test a criterion; null for a good one. Vague are: fewer than two words that
 * say something once filler such as "the feature is done" is taken away; and a stock phrase
 * such as "works correctly" without a place, a name, a number or a quotation and two more words.
 */
export function vagueness(text: string): string | null {
  const line = oneLine(text);
  if (line === '') return 'is empty';
  const rest = line.replaceAll(stockPhrase, ' ');
  const telling = tellingWords(rest);
  if (rest !== line && (!concrete.test(rest) || telling < 3)) {
    return 'says that it works, not how one can see it';
  }
  return telling < 2 ? 'names nothing that one could look at' : null;
}

const stockPhrase = new RegExp(
  String.raw`\b(?:${[
    'work(?:s|ing)? (?:correctly|properly|fine|well|as (?:expected|intended|designed|specified))',
    '(?:behaves?|functions?|runs?) (?:correctly|properly|as (?:expected|intended))',
    '(?:is |are )?(?:implemented|handled|done|completed|integrated|configured) (?:correctly|properly|successfully)',
    '(?:correctly|properly|successfully) (?:implemented|handled|done|completed|integrated|configured)',
    '(?:good|better|high|acceptable|improved) (?:performance|quality|readability)',
    '(?:clean|good|readable|maintainable|robust|high-quality) code',
    '(?:follows?|adheres? to) (?:the )?(?:best practices|conventions|coding standards)',
    '(?:is |are )?(?:robust|maintainable|scalable|user[- ]friendly|intuitive|bug[- ]free|production[- ]ready)',
    'no (?:bugs|issues|problems|regressions)',
    '(?:is |are )?(?:fast|good|nice) enough',
  ].join('|')})\b`,
  'giu',
);

/** Backticks and quotation marks, paths and endings, calls, compound names, numbers. */
const concrete =
  /`[^`]+`|["“][^"“”]+["”]|[\p{L}\p{N}_-]+\/[\p{L}\p{N}_-]|\.[a-z]{1,4}\b|\w\(\)|\p{Ll}\p{Lu}|\w_\w|\p{N}|(?:^|\s)--?[a-z]/u;

const filler = new Set(
  (
    'a all an and any are as at be been by code complete completed correct correctly does done ' +
    'everything expected feature finished fine for functionality good has have implementation ' +
    'implemented in is it its must nicely no of ok okay on or properly ready should so successful ' +
    'successfully system task that the this to update updated well will with work working works'
  ).split(' '),
);

const words = new Intl.Segmenter('en', { granularity: 'word' });

function tellingWords(text: string): number {
  return [...words.segment(text)].filter(
    ({ segment, isWordLike }) => isWordLike === true && !filler.has(segment.toLowerCase()),
  ).length;
}

function missing(id: string): Finding {
  return {
    severity: 'blocking',
    rule: 'criteria-missing',
    file: taskFile(id),
    pointer: '/convergence/criteria',
    message: `${nameOf(id)} has no criterion, so nobody could tell when it is done; add one that can be tested.`,
  };
}

function untestable(vague: {
  readonly id: string;
  readonly text: string;
  readonly index: number;
  readonly problem: string;
}): Finding {
  const shown = oneLine(cleanText(vague.text)).slice(0, 120);
  return {
    severity: 'warning',
    rule: 'criterion-vague',
    file: taskFile(vague.id),
    pointer: `/convergence/criteria/${vague.index}`,
    message: `${nameOf(vague.id)} has the criterion "${shown}", which ${vague.problem}; name the file, command or result that shows it.`,
  };
}

/** Commands are started without a shell: a shell line as one argument could not run. */
function commandFindings(id: string, argv: readonly string[], index: number): readonly Finding[] {
  const [program = '', flag] = argv;
  const shell = /(?:^|[/\\])(?:ba|z|da|k|fi)?sh$|^(?:cmd|powershell|pwsh)(?:\.exe)?$/i.test(
    program,
  );
  const wrapped = shell && flag !== undefined && /^[-/]/.test(flag);
  const oneString = argv.length === 1 && /\s/.test(program.trim());
  if (!wrapped && !oneString && program.trim() !== '') return [];
  return [
    {
      severity: 'warning',
      rule: 'check-shell',
      file: taskFile(id),
      pointer: `/checks/${index}/argv`,
      message: `${nameOf(id)} has a check that hands a line to a shell or names no program; give program and arguments as separate entries of argv.`,
    },
  ];
}
