import { expect, onTestFinished, test, vi } from 'vitest';
import { steadyNow } from '../../../src/faces/tui/clock.ts';
import { startingState } from '../../../src/faces/tui/state.ts';
import { createStore } from '../../../src/faces/tui/store.ts';
import { tuiView } from '../../../src/faces/tui/view.ts';
import { at, started } from './progress/story.ts';

test('where the clock of the system is set, the clocks on the screens go on as before', () => {
  onTestFinished(() => void vi.useRealTimers());
  const before = steadyNow();
  const store = createStore(startingState({ kind: 'run' }, before));
  onTestFinished(() => store.close());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  const where = { session: 'MCP-x', folder: 'x', task: 'Paint it', version: '0' };
  const view = tuiView(store);
  view.show(at(0, { type: 'session.started', ...where }));
  view.show(at(7_200, started('alpha')));
  const { startedAt, panes } = store.get().progress;
  for (const moment of [startedAt, panes[0]?.since]) {
    expect(moment).toBeGreaterThanOrEqual(Math.floor(before));
    expect(moment).toBeLessThanOrEqual(steadyNow());
  }
});
