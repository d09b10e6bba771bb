import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const doing = {
  'TASK-001': { edits: { 'a.txt': 'a\n' } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
};
const met = ['TASK-001', 'TASK-002'].map((id) => ({
  task: id,
  criterion: 0,
  verdict: 'met',
  file: 'a.txt',
  line: 1,
  quote: 'a',
  evidence: 'It is there.',
}));
const reviewed = {
  'code-review': {
    answer: { phase: 'code-review', summary: 'Read.', findings: [], criteria: met },
  },
};

test('who cannot do it ends with 2 and the reason, and nobody else does it', async () => {
  const rig = await approvedRig({ ...doing, ...reviewed }, { plan });
  const said = async (...words: readonly string[]) => {
    const { code, stderr } = await rig.conclave(...words);
    expect({ words, code }).toEqual({ words, code: 2 });
    return stderr;
  };
  expect(await said('execute', '-y', '--execution', 'alpa')).toContain(
    '--execution: there is no agent "alpa". Did you mean alpha?',
  );
  expect(await said('execute', '-y', '--execution', 'codex')).toContain(
    'the agent codex is not ready:',
  );
  expect(await said('execute', '-y', '--review', 'gemini')).toContain(
    'the agent gemini is not ready:',
  );
  expect(await said('execute', '-y', '--discard', '--review', 'alpha')).toContain(
    'leave out --review',
  );
  const planned = ['plan', '-y', '--execution', 'codex', 'Do it'];
  expect(await said(...planned)).toContain('--execution: the agent codex is not ready:');
  expect((await rig.conclave('execute', '-y', '--execution', 'beta')).code).toBe(0);
  expect(await said('execute', '-y', '--apply', '--execution', 'alpha')).toContain(
    '--retry TASK --execution NAME',
  );
});

test('a second execution is done by whom it names, and so is its review', async () => {
  const rig = await approvedRig({ 'TASK-002': doing['TASK-002'], ...reviewed }, { plan });
  const result = () => rig.json('execution-result.json');
  expect((await rig.conclave('execute', '-y', '--execution', 'alpha')).code).toBe(7);
  expect(result()).toMatchObject({ tasks: [{ status: 'failed' }, { executor: 'alpha' }] });

  workBy(rig, { ...doing, ...reviewed }, { plan });
  const named = ['--execution', 'beta', '--review', 'alpha'];
  const again = await rig.conclave('execute', '-y', ...named);
  expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
  expect(result()).toMatchObject({ tasks: [{ executor: 'beta' }, { executor: 'alpha' }] });
  expect(rig.json('code-review.json')).toMatchObject({ reviewer: 'alpha' });

  // Only another review is asked for.
  expect((await rig.conclave('execute', '-y', '--review', 'beta', '--apply')).code).toBe(0);
  expect(rig.json('code-review.json')).toMatchObject({ reviewer: 'beta' });
  expect(result()).toMatchObject({ tasks: [{ executor: 'beta' }, { executor: 'alpha' }] });
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['a\n', 'b\n']);
});

test(
  '--retry has a task done again by whom it names, and the others stay as they are',
  short,
  async () => {
    const rig = await approvedRig(doing, { plan });
    expect((await rig.conclave('execute', '-y', '--execution', 'alpha')).code).toBe(0);
    const again = ['execute', '-y', '--retry', 'TASK-001', '--execution', 'beta'];
    expect((await rig.conclave(...again)).code).toBe(0);
    expect(rig.json('execution-result.json')).toMatchObject({
      tasks: [{ executor: 'beta' }, { executor: 'alpha' }],
    });
  },
);

test('who does it in place of another is said in each face, of a review too', async () => {
  const more = '[phases.code-review]\nagent = "gemini"\n';
  const rig = await approvedRig({ ...doing, ...reviewed }, { plan, more });
  const config = JSON.stringify({ execution_config: { method: 'cli', cli_tool: 'codex' } });
  const set = ['review', '--set', `TASK-001.meta=${config}`, '--approve'];
  expect((await rig.conclave(...set)).code).toBe(0);
  const { code, stdout } = await rig.conclave('execute', '-y', '--json', '--review', 'agent');
  expect(code).toBe(0);
  expect(stdout).toMatch(/"agent.replaced","seat":"execution".*"instead_of":"codex"/);
  expect(stdout).toMatch(/"agent.replaced","seat":"code-review".*"instead_of":"gemini"/);
  expect(rig.json('execution-result.json')).toMatchObject({
    tasks: [{ instead_of: 'codex' }, {}],
    notes: [expect.stringMatching(/^TASK-001 was done by \w+ instead of codex$/)],
  });
  expect(rig.json('code-review.json')).toMatchObject({ instead_of: 'gemini' });
  await rig.conclave('report');
  const report = readFileSync(join(rig.session(), 'report.html'), 'utf8');
  expect(report).toMatch(/TASK-001 was done by \w+ instead of codex/);
  expect(report).toMatch(/by \w+, instead of gemini/);
});

/** A CLI that speaks like claude, notes its arguments, and writes the file that its task names. */
const claudeLike = (log: string) => `#!${process.execPath}
const fs = require('node:fs');
if (process.argv.includes('--version')) return console.log('2.1.331 (Claude Code)');
fs.appendFileSync(${JSON.stringify(log)}, process.argv.join(' ') + '\\n');
require('node:readline').createInterface(process.stdin).once('line', (input) => {
  const [file = 'a.txt'] = /\\b[ab]\\.txt\\b/.exec(input) ?? [];
  fs.writeFileSync(file, file[0] + '\\n');
  const usage = { input_tokens: 1, output_tokens: 1 };
  const end = { type: 'result', subtype: 'success', is_error: false, result: 'Done.', usage };
  console.log(JSON.stringify({ ...end, session_id: '6f1c1d5e-0000-4000-8000-000000000001' }));
  process.exit();
});
`;

test('a task that a model is named for is done by the CLI that carries it', async () => {
  const one = planOf([task(1, [], ['a.txt'])]);
  const rig = await approvedRig({}, { plan: one });
  const [program, log] = [join(rig.home, 'claude-like'), join(rig.home, 'claude-like.log')];
  writeFileSync(program, claudeLike(log), { mode: 0o755 });
  workBy(rig, {}, { plan: one, more: `[agents.claude]\npath = ${JSON.stringify(program)}\n` });
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply', '--execution', 'Sonnet');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.json('execution-result.json')).toMatchObject({ tasks: [{ executor: 'sonnet' }] });
  expect(rig.read('a.txt')).toBe('a\n');
  expect(readFileSync(log, 'utf8')).toContain('--model Sonnet');
});
