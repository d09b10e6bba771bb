import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Event } from '../../../src/model/event.ts';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { approvedRig, type Work, workBy } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const good = {
  'TASK-001': { edits: { 'a.txt': 'x\n' } },
  'TASK-002': { edits: { 'b.txt': 'x\n' } },
};

const resultOf = (rig: Rig): ExecutionResult =>
  ExecutionResult.parse(rig.json('execution-result.json'));

/** An approved plan whose first task is done by an agent that also writes those files of the user. */
async function straying(
  edits: (rig: Rig) => Promise<Readonly<Record<string, string>>>,
  eventsFor: (rig: Rig) => readonly object[] = () => [],
): Promise<Rig> {
  const rig = await approvedRig(good, { plan });
  const texts = Object.entries(await edits(rig));
  const all = Object.fromEntries(texts.map(([path, text]) => [join(rig.repo, path), text]));
  const own = { edits: { ...good['TASK-001'].edits, ...all }, events: eventsFor(rig) };
  const work: Work = { ...good, 'TASK-001': own };
  workBy(rig, work, { plan });
  return rig;
}

describe('what changes at home while an agent carries a task out', () => {
  test('is said at once, in the result and in the report, and is nobody’s fault unless proven', async () => {
    const rig = await straying(async (made) => {
      const head = await made.git('rev-parse', 'HEAD');
      return {
        'README.md': 'stray\n',
        'new.txt': 'stray\n',
        '.git/hooks/pre-push': '#!/bin/sh\n',
        '.git/config': `${made.read('.git/config')}[alias]\n\tx = !true\n`,
        '.git/refs/heads/other': head,
        '.git/refs/stash': head,
      };
    });
    const { code, stdout } = await rig.conclave('execute', '-y', '--jobs', '1');
    expect(code).toBe(0);
    const files =
      '.git/config, .git/hooks/pre-push, .git/refs/heads/other, .git/refs/stash, README.md, new.txt';
    const said = `changed in your own work tree or repository, while alpha worked; nothing proves by whom: ${files}`;
    expect(stdout).toMatch(
      /TASK-001 +given to[^]*warning +changed in your own[^]*TASK-001 +completed/,
    );
    expect(stdout).toContain(said);
    const result = resultOf(rig);
    expect(result.home_changes).toEqual([
      { files: files.split(', '), beside: 'alpha', proven: false },
    ]);
    expect(result.notes).toContain(said);
    await rig.conclave('report');
    const report = readFileSync(join(rig.session(), 'report.html'), 'utf8');
    expect(report).toContain('while alpha worked; nothing proves by whom');
  });

  test('fails its task where the events of the agent prove it, and no other', short, async () => {
    const strayed = 'src/store.js';
    const rig = await straying(
      async () => ({ [strayed]: 'stray\n', 'new.txt': 'stray\n' }),
      (made) => [{ kind: 'file-change', path: join(made.repo, strayed) }],
    );
    const { code, stdout } = await rig.conclave('execute', '-y', '--jobs', '1', '--json');
    expect(code).toBe(7);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => Event.parse(JSON.parse(line)));
    expect(events.filter(({ type }) => type === 'tree.changed')).toMatchObject([
      { files: [strayed], agent: 'alpha', beside: 'alpha' },
      { files: ['new.txt'], agent: null, beside: 'alpha' },
    ]);
    expect(resultOf(rig).tasks).toMatchObject([
      {
        status: 'failed',
        why: `it changed ${strayed} in your own work tree, although it works in one of its own`,
        commit: null,
        fix_rounds: 0,
      },
      { status: 'completed' },
    ]);
    expect(rig.read(strayed)).toBe('stray\n');
  });

  test('is not proven by a file that the agent names in its own work tree', async () => {
    const rig = await straying(
      async () => ({ 'README.md': 'mine\n' }),
      () => [{ kind: 'file-change', path: 'README.md' }],
    );
    expect((await rig.conclave('execute', '-y')).code).toBe(0);
    expect(resultOf(rig).home_changes).toMatchObject([{ files: ['README.md'], proven: false }]);
  });
});
