import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { short } from '../helpers/short-form.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';

const verdict = {
  type: 'object',
  properties: { ready: { type: 'boolean' }, year: { type: 'integer' } },
  required: ['ready', 'year'],
  additionalProperties: false,
};

async function formRig() {
  const rig = await talkRig();
  rig.write('verdict.json', JSON.stringify(verdict));
  return rig;
}

const consult = (agent: string, text: string) => [
  'consult',
  '--format',
  'verdict.json',
  '--session',
  'mine',
  '--agent',
  agent,
  text,
];

const good = '{"ready":true,"year":2026}';

test(
  'an answer in a form is printed as that JSON object alone, and its schema is given to a program that takes one',
  short,
  async () => {
    const rig = await formRig();
    const text = `json Here you are: ${good}`;
    const { stdout, code } = await rig.conclave(...consult('claude', text));
    expect(JSON.parse(stdout)).toEqual({ ready: true, year: 2026 });
    expect(code).toBe(0);
    const argv: string[] = JSON.parse(readFileSync(join(rig.home, 'claude.store.argv'), 'utf8'));
    const given = argv[argv.indexOf('--json-schema') + 1] ?? '{}';
    expect(Object.keys(JSON.parse(given).properties)).toEqual(['ready', 'year']);
    const [[prompt = ''] = []] = sentTo(rig, 'claude');
    expect(prompt).toContain('Answer by one call of the tool `StructuredOutput`');
    expect(prompt).not.toContain('"required"');
  },
);

test('a program that takes no schema is told it in its request', async () => {
  const rig = await formRig();
  const beta = { model: 'beta-1', else: { answer: `Sure! ${good}` } };
  writeFileSync(join(rig.home, 'beta.json'), JSON.stringify(beta));
  const end = await askJson(rig, ...consult('beta', 'Ready?'));
  expect(end).toMatchObject({ code: 0, state: 'answered' });
  expect(JSON.parse(end.text)).toEqual({ ready: true, year: 2026 });
  const prompt = readFileSync(join(String(end.raw_output), '../prompt.md'), 'utf8');
  expect(prompt).toContain(`JSON Schema of the answer:\n${JSON.stringify(verdict)}`);
  expect(prompt.endsWith('The user now says:\n\nReady?')).toBe(true);
});

test(
  'an answer that does not fit is sent back once, in the same session, with the field that is wrong',
  short,
  async () => {
    const rig = await formRig();
    const end = await askJson(rig, ...consult('claude', `json {"ready":true} | ${good}`));
    expect(end).toMatchObject({ code: 0, tokens: { input: 20, output: 4 } });
    expect(JSON.parse(end.text)).toEqual({ ready: true, year: 2026 });
    expect(end.notes.join()).toContain('did not fit the output format at first');
    const [[, repair = '', ...more] = []] = sentTo(rig, 'claude');
    expect(repair).toContain('- year is missing; it must be an integer');
    expect(more).toEqual([]);
    expect(await askJson(rig, 'consult', '--session', 'mine', 'say on')).toMatchObject({
      context_source: 'native',
      text: 'on',
    });
  },
);

test('an agent without sessions is sent its request and its answer again for the repair', async () => {
  const rig = await formRig();
  const beta = { model: 'beta-1', else: { answer: '{"ready":"yes","year":2026}' } };
  writeFileSync(join(rig.home, 'beta.json'), JSON.stringify(beta));
  const end = await askJson(rig, ...consult('beta', 'Ready?'));
  const prompt = readFileSync(join(String(end.raw_output), '../prompt-repair.md'), 'utf8');
  expect(prompt).toContain('The user now says:\n\nReady?');
  expect(prompt).toContain('data: your answer\n{"ready":"yes","year":2026}');
  expect(prompt).toContain('- ready must be true or false, not "yes"');
});

test('an answer that does not fit twice fails the turn, names the field and keeps what was said', async () => {
  const rig = await formRig();
  const words = consult('claude', 'json {"ready":true,"year":"soon"}');
  const { code, stdout, stderr } = await rig.conclave(...words);
  expect(code).toBe(3);
  expect(stderr).toContain(
    'its answer does not fit the output format, also when asked again: year must be an integer, not "soon"; what it said is above.',
  );
  expect(stdout).toBe('{"ready":true,"year":"soon"}\n');
  const again = await askJson(rig, ...words);
  expect(again).toMatchObject({ state: 'failed', failure: { category: 'invalid-answer' } });
});

test.each([
  ['no.json', /--format: there is no file no.json/],
  ['text.json', /--format: the file text.json is not valid JSON/],
  ['list.json', /the file list.json must say at its top that the answer is an object/],
  ['odd.json', /the file odd.json is not a usable JSON Schema/],
])('a form in %s is refused before anybody is asked', async (file, sentence) => {
  const rig = await talkRig();
  rig.write('text.json', 'no');
  rig.write('list.json', '{"type":"array"}');
  rig.write('odd.json', '{"type":"object","properties":{"a":{"type":"wrong"}}}');
  const asked = ['consult', '--agent', 'claude', '--format', file, 'x'];
  const { code, stderr } = await rig.conclave(...asked);
  expect(stderr).toMatch(sentence);
  expect(code).toBe(2);
  expect(sentTo(rig, 'claude')).toEqual([]);
});

test('a form whose pattern takes for ever ends the turn with the answer, and nobody is asked again', async () => {
  const rig = await talkRig();
  const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
  rig.write('verdict.json', JSON.stringify(schema));
  const answer = JSON.stringify({ name: `${'a'.repeat(40)}!` });
  const end = await askJson(rig, ...consult('claude', `json ${answer}`));
  expect(end).toMatchObject({ code: 3, state: 'failed', text: answer });
  expect(end.failure.reason).toBe(
    'the answer cannot be checked within 2 s; make the patterns of the schema simpler',
  );
  expect(sentTo(rig, 'claude').flat()).toHaveLength(1);
});
