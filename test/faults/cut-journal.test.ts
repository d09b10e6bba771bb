import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { analysedRig } from '../helpers/planned-rig.ts';
import { trials } from './three-rounds.ts';

test('a journal cut at any byte of its last records resumes or says why, and loses nothing earlier', async () => {
  const rig = await analysedRig('--auto-yes');
  const journal = join(rig.session(), 'journal.jsonl');
  const whole = readFileSync(journal);
  const last = whole.toString('latin1').split('\n').slice(-4).join('\n').length;
  for (let at = whole.length - last; at < whole.length; at += Math.ceil(last / trials(120))) {
    writeFileSync(journal, whole);
    truncateSync(journal, at);
    const resumed = await rig.conclave('resume', basename(rig.session()), '--auto-yes');
    expect({ at, ...resumed }).toMatchObject({ at, code: 0, stderr: '' });
  }
});
