import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Rig, fixture } from './rig.ts';
import { todoRig } from './test-rig.ts';

/** What each model session of the agents was sent, in order. */
export const sentTo = (rig: Rig, agent: string): readonly (readonly string[])[] =>
  Object.values(JSON.parse(readFileSync(join(rig.home, `${agent}.store`), 'utf8')));

/** Two agents: claude, which goes on with its own sessions, and a program that cannot. */
export async function talkRig(more = '', start: () => Promise<Rig> = todoRig) {
  const rig = await start();
  const store = join(rig.home, 'claude.store');
  const script = join(rig.home, 'beta.json');
  writeFileSync(store, '{}');
  writeFileSync(script, JSON.stringify({ model: 'beta-1', else: { answer: 'beta was here' } }));
  rig.config(`${more}
[agents.claude]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('talker'), store])}
[agents.beta]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('vendor'), script])}
`);
  return rig;
}

export const askJson = async (rig: Rig, ...words: readonly string[]) => {
  const { stdout, stderr, code } = await rig.conclave(...words, '--json');
  expect(stderr, stdout).not.toContain('bug in conclave');
  return { code, ...JSON.parse(stdout) };
};
