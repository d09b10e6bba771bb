import { describe, expect, test } from 'vitest';
import { faults, gateTerminal, replaceHook, right, wrong } from './gate-rig.ts';

test('claude sends a plan with a wrong place back before its dialog, which then shows the second one to the person', async () => {
  const { server, run } = await gateTerminal('claude');
  const terminal = await run(wrong, right);
  const screen = await terminal.shows(/Ready to code\?[^]*notes\.md/);
  expect(screen).toContain('src/nothing/at.js:4 (line 3 of the plan)');
  const results = () => server.log.flatMap(({ toolResults }) => toolResults).join('\n');
  expect(results()).not.toContain('approved');
  terminal.press('2');
  await expect.poll(results).toContain('approved');
});

test('codex sends a plan with a wrong place back, and asks the person about the second one', async () => {
  const { run } = await gateTerminal('codex');
  const screen = await (await run(wrong, right)).shows(/notes\.md[^]*Implement this plan\?/);
  expect(screen).toContain('Blocked by hook');
  expect(screen).toContain('src/nothing/at.js:4 (line 3 of the plan)');
});

describe.each([
  ['claude', /Ready to code\?[^]*src\/nothing\/at\.js:4/],
  ['codex', /src\/nothing\/at\.js:4[^]*Implement this plan\?/],
] as const)('%s shows its plan to the person', (host, shown) => {
  test.each(faults)('where our program %s', async (fault, programFor) => {
    const gate = await gateTerminal(host);
    const other = programFor(gate.rig.home);
    expect(replaceHook(gate.rig.home, other, 3)).toBeGreaterThan(0);
    const terminal = await gate.run(wrong);
    expect(await terminal.shows(shown)).not.toContain('Conclave checked');
    expect(other.wasStarted()).toBe(fault !== 'is gone');
  });
});
