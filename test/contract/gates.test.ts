import { describe, expect, test } from 'vitest';
import { faults, gateHosts, gateRig, replaceHook, right, wrong } from './gate-rig.ts';

test('claude -p in plan mode sends a plan with a wrong place back, and ends with the second one', async () => {
  const { server, run } = await gateRig('claude');
  const said = await run(wrong, right);
  expect(said).toContain('notes.md');
  expect(said).not.toContain('src/nothing');
  expect(server.log.at(-1)?.prompt).toContain('src/nothing/at.js:4 (line 3 of the plan)');
});

test('codex exec sends a plan with a wrong place back, and ends with the second one', async () => {
  const { server, run } = await gateRig('codex');
  expect(await run(wrong, right)).toContain('notes.md');
  expect(JSON.stringify(server.log)).toContain('src/nothing/at.js:4 (line 4 of the plan)');
});

test('gemini is denied the end of its plan mode with a wrong place, and gets it with the second version', async () => {
  const { server, run } = await gateRig('gemini');
  await run(wrong, right);
  const [, denied = '', , passed = ''] = server.log.at(-1)?.toolResults ?? [];
  expect(denied).toContain('src/nothing/at.js:4 (line 3 of the plan)');
  expect(passed).toContain('Plan approved');
});

describe.each(gateHosts)('%s goes on with its plan', (host) => {
  /** The plan reached the end: the person reads it, or plan mode is left. */
  async function expectPassed({ server, run }: Awaited<ReturnType<typeof gateRig>>) {
    const said = await run(wrong);
    const results = server.log.at(-1)?.toolResults ?? [];
    expect(host === 'gemini' ? results.join('\n') : said).toContain(
      host === 'gemini' ? 'Plan approved' : 'src/nothing/at.js:4',
    );
    expect(JSON.stringify(server.log)).not.toContain('Conclave checked');
  }

  test.each(faults)('where our program %s', async (fault, programFor) => {
    const gate = await gateRig(host);
    const other = programFor(gate.rig.home);
    expect(replaceHook(gate.rig.home, other, 3)).toBeGreaterThan(0);
    await expectPassed(gate);
    expect(other.wasStarted()).toBe(fault !== 'is gone');
  });
});
