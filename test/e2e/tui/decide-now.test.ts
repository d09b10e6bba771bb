import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agreeing, planning, proposing, synthesisOf } from '../../helpers/planned-rig.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  witnessed,
} from '../../helpers/vendors.ts';

/** Alpha always answers at once; beta never answers in this phase. */
async function withSlowBeta(phase: 'propose' | 'examine') {
  const rig = await todoRig();
  const other = { propose: proposing(formatterSolution()), examine: agreeing, plan: planning };
  configureVendors(rig, {
    alpha: { propose: proposing(listSolution()), examine: agreeing, plan: planning },
    beta: { ...other, [phase]: { ...other[phase], delay_ms: 600_000 } },
  });
  return rig;
}

describe('deciding now', () => {
  test.each([
    ['propose', 1],
    ['examine', 2],
  ] as const)(
    'ends those who still run in the phase %s, keeps what others said, and a resume goes the same way',
    async (phase, round) => {
      const rig = await withSlowBeta(phase);
      const terminal = inTerminal(rig, [todoTask]);
      await terminal.shows(`Round ${round} of 3`);
      await terminal.shows('d decide now');
      await walk(terminal, ['d', 'd again to decide now'], ['d', 'enter choose']);
      expect(existsSync(join(rig.session(), `rounds/${round + 1}`))).toBe(false);
      const { receipts, unanswered } = synthesisOf(rig, round);
      const answered = receipts.filter(({ failure }) => failure === null);
      expect(answered.map(({ agent }) => agent)).toContain('alpha');
      expect(unanswered).toContainEqual(
        expect.objectContaining({ agent: 'beta', category: 'cancelled' }),
      );
      expect(terminal.screen()).toContain('you skipped beta');
      terminal.press('ctrl+c', 'enter');
      await terminal.shows('conclave resume');
      terminal.press('enter');
      await terminal.ended();
      const calls = witnessed(rig, 'alpha').length;
      const again = inTerminal(rig, ['resume', basename(rig.session())]);
      await again.shows('enter choose');
      expect(witnessed(rig, 'alpha')).toHaveLength(calls);
      again.pty.kill('SIGKILL');
      await again.ended();
    },
  );

  test('at a question shows the options as they stand, and no further round is held', async () => {
    const rig = await twoVendors(['Should the flag be short too?']);
    const terminal = inTerminal(rig, [todoTask]);
    await terminal.shows('▸ Should the flag be short too?');
    await walk(terminal, ['esc', 'd decide now'], ['d', 'enter choose']);
    expect(existsSync(join(rig.session(), 'rounds/2'))).toBe(false);
    terminal.pty.kill('SIGKILL');
    await terminal.ended();
  });
});
