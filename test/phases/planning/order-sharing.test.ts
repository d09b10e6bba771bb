import { expect, test } from 'vitest';
import { orderSharing } from '../../../src/phases/planning/split-answer.ts';
import { taskOf } from './samples.ts';

const touching = (id: string, path: string, ...needs: string[]) =>
  taskOf(id, { files: [{ path, action: 'modify' }], depends_on: needs });

test('tasks that touch one file wait for each other in the order in which they stand', () => {
  const given = [touching('A', 'src/x.ts'), touching('B', './src/x.ts'), touching('C', 'src/x.ts')];
  const { tasks, findings } = orderSharing(given);
  expect(tasks.map(({ depends_on: needs }) => needs)).toEqual([[], ['A'], ['B']]);
  expect(findings.map(({ message }) => message)).toEqual([
    'A and B both change src/x.ts and the planner named no order, so B now waits for A.',
    'B and C both change src/x.ts and the planner named no order, so C now waits for B.',
  ]);
});

test('tasks that wait already, directly or not, and those of other files stay as they are', () => {
  const given = [
    touching('A', 'src/x.ts'),
    taskOf('B', { depends_on: ['A'] }),
    touching('C', 'src/x.ts', 'B'),
    touching('D', 'src/y.ts'),
  ];
  expect(orderSharing(given)).toEqual({ tasks: given, findings: [] });
});
