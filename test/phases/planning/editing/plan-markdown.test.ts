import {
  array,
  assert,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  option,
  property,
  record,
  string,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  planToEdit,
  readEditedPlan,
} from '../../../../src/phases/planning/editing/plan-markdown.ts';
import { planOf, taskOf } from '../samples.ts';

const hard = constantFrom(
  '# Approved',
  '## Files',
  '- x: 1',
  '  indented',
  '```\n# a\n```',
  'a\n\n  - b: c\n\n\nd',
  '\\# x\n\\\\## y',
  'true',
  '12',
  '"quoted"',
  '[1]',
  'a: b',
  '1. one\n2. two',
  ' ',
  '',
  'a \n b',
  '\r\n',
  'null',
  'Replace `[^`]+` by ``a`b``, `\\*?`',
);
const text = oneof(hard, string({ unit: 'grapheme' }), string({ unit: 'binary' }));
const texts = array(text, { maxLength: 4 });
const maybe = <T>(one: Parameters<typeof option<T>>[0]) => option(one, { nil: undefined });
const entries = (main: string) =>
  array(record({ [main]: text, action: text, many: texts, argv: texts, deep: jsonValue() }), {
    maxLength: 3,
  });

const fields = record({
  title: text,
  description: text,
  depends_on: texts,
  files: maybe(entries('path')),
  implementation: maybe(oneof(texts, array(oneof(text, record({ step: text }))))),
  checks: maybe(entries('kind')),
  risks: maybe(entries('description')),
  convergence: record({ criteria: texts, verification: maybe(text) }),
  scope: maybe(text),
  meta: maybe(dictionary(string({ minLength: 1 }), jsonValue(), { noNullPrototype: true })),
});
const plans = record({
  summary: text,
  approach: text,
  constraints: maybe(texts),
  design_decisions: maybe(entries('decision')),
  complexity: maybe(constantFrom('Low', 'High')),
});

/** As JSON on disk has it: without what is undefined. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('whatever a plan says, its Markdown is read back as the same plan', () => {
  assert(
    property(plans, array(fields, { maxLength: 3 }), (plan, tasks) => {
      const ids = tasks.map((_, at) => `TASK-00${at + 1}`);
      const files = {
        plan: Object.assign(planOf(ids), plan),
        tasks: tasks.map((task, at) => Object.assign(taskOf(ids[at] ?? ''), task)),
      };
      const read = readEditedPlan(planToEdit(files));
      expect(read).toMatchObject({
        plan: stored(plan),
        tasks: tasks.map((task, at) => stored({ id: ids[at], ...task })),
      });
    }),
    { numRuns: 200 },
  );
});

const lineOf = (start: string, from: string) =>
  from.split('\n').findIndex((line) => line.startsWith(start)) + 1;

describe('what cannot be read is named by its line', () => {
  const markdown = planToEdit({ plan: planOf(['TASK-001']), tasks: [taskOf('TASK-001')] });
  const faultsIn = (change: (text: string) => string) => {
    const read = readEditedPlan(change(markdown));
    return 'faults' in read ? read.faults : [];
  };
  test('a heading that is no field', () => {
    const changed = markdown.replace('## Done when', '## Done if');
    expect(faultsIn(() => changed)).toEqual([
      expect.stringMatching(`^line ${lineOf('## Done if', changed)}: "Done if" is no field`),
    ]);
  });

  test('a line of a list without its mark, and text under no heading', () => {
    const changed = markdown
      .replace('- `src/load.ts`', '`src/load.ts`')
      .replace('## Description', 'Hello.\n\n## Description');
    const [mark, lead] = ['`src', 'Hello.'].map((start) => lineOf(start, changed));
    expect(faultsIn(() => changed)).toEqual([
      `line ${lead}: this stands under no heading`,
      expect.stringContaining(`line ${mark}: a line of this list begins with "- "`),
    ]);
  });

  test('JSON that is broken, and a text that is no plan at all', () => {
    const other = '## Other fields\n\n```json\n{"a": }\n```\n';
    expect(faultsIn((one) => one + other)).toEqual([
      expect.stringContaining('"Other fields" is no JSON object'),
    ]);
    expect(faultsIn(() => 'nonsense')).toEqual(['line 1: the first heading must be "# Plan"']);
  });
});

test('quotes inside a word of a command hold it together, as in a shell', () => {
  const argv = `npm test -- --name="adds two" -t='a b' it's "x y"`;
  const read = readEditedPlan(
    `# Plan\n\n# TASK-001: T\n\n## Checks\n\n- command\n  - argv: ${argv}\n`,
  );
  const words = ['npm', 'test', '--', '--name=adds two', '-t=a b', "it's", 'x y'];
  expect(read).toMatchObject({ tasks: [{ checks: [{ kind: 'command', argv: words }] }] });
});
