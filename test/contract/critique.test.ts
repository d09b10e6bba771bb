import { afterAll, beforeAll, expect, test } from 'vitest';
import { Critique } from '../../src/model/critique.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';
import { configureClis, headOf } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** A plan in prose by claude, of which rules make no steps. */
const prose = `The list command should print JSON where somebody passes --json, as scripts have to read it.

First listTodos in src/commands/list.js looks for the flag among its arguments. Nothing else of the
command changes, and the text form stays the default.

Then a case in test/list.test.js parses what was printed, with todos and without any.
`;

const claim = {
  statement: 'The command hands over the rest of its arguments.',
  path: 'src/cli.js',
  line: 6,
  quote: "if (command === 'list') listTodos(args);",
};

/** The words of each model against the plan, and the quote in which it saw them. */
const objections: Readonly<Partial<Record<LoggedRequest['dialect'], readonly [string, string]>>> = {
  'openai-responses': ['The flag is cut off before it gets there.', claim.quote],
  gemini: ['The flags are parsed twice.', 'parseFlags(process.argv)'],
};

function examined(asked: LoggedRequest): Reply {
  const { session, phase, round } = headOf(asked);
  const [reason, quote] = objections[asked.dialect] ?? ['', ''];
  const stance = { solution: 'A', stance: 'oppose', reasons: [reason] };
  const stances = [{ ...stance, evidence: [{ ...claim, quote }] }];
  const rest = { preferred: null, adopt: [], revision: null, search_terms: [], questions: [] };
  const value = { session, phase, round, stances, ...rest };
  return { kind: 'structured', value };
}

async function rigWithPlan(): Promise<Rig> {
  const rig = await todoRig();
  configureClis(rig, { url: server.url, more: models });
  rig.write('plan.md', prose);
  return rig;
}

const critique = (rig: Rig) => rig.conclave('critique', 'plan.md', '--host-vendor', 'anthropic');
const models = {
  codex: `model = "${realClis.codex.model}"\n`,
  gemini: `model = "${realClis.gemini.model}"\n`,
};

test('a plan in prose by claude is examined by both of the others', async () => {
  server.fallback(examined);
  const rig = await rigWithPlan();
  const { code, stdout, stderr } = await critique(rig);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'conclave: The plan is to be revised: 1 objection whose evidence was found.\n',
  });
  expect(stdout).toContain('✗ codex: The flag is cut off before it gets there.');
  expect(Critique.parse(rig.json('critique.json'))).toMatchObject({
    verdict: 'revise',
    objections: [
      { by: ['codex'], proven: true, places: ['src/cli.js:6'] },
      { by: ['gemini'], proven: false, places: [] },
    ],
  });
  // Whoever quotes what is not there is asked to correct that.
  const first = server.log.filter((one) => !headOf(one).repair);
  expect(first.map((one) => `${one.dialect} ${headOf(one).phase}`).toSorted()).toEqual([
    'gemini examine',
    'openai-responses examine',
  ]);
  for (const { prompt } of first) expect(prompt).toContain('Nothing else of the\ncommand');
}, 120_000);

test('a model that does not answer is named, and the other one examines the plan alone', async () => {
  server.fallback((asked) =>
    asked.dialect === 'gemini' && headOf(asked).phase === 'examine'
      ? { kind: 'status', status: 401, message: 'Unknown key.' }
      : examined(asked),
  );
  const rig = await rigWithPlan();
  const { code, stdout } = await critique(rig);
  expect(code).toBe(4);
  expect(stdout).toMatch(/examined by +gemini did not answer: Unknown key/);
  expect(Critique.parse(rig.json('critique.json'))).toMatchObject({
    verdict: 'revise',
    objections: [{ by: ['codex'], proven: true }],
  });
}, 120_000);
