// Has the real Droid and Qwen Code take every part of a session: proposer, examiner, planner, reader, executor.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ExecutionResult } from '../../src/model/execution.ts';
import { PlanReading } from '../../src/model/plan-reading.ts';
import { approvedRig } from '../helpers/executed-rig.ts';
import { synthesisOf } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { acpClis, droidFiles } from './acp-clis.ts';
import { acps, hasAcps } from './install.ts';
import type { Reply } from './model-server/reply.ts';
import { type LoggedRequest, type ModelServer, startModelServer } from './model-server/server.ts';
import { goodAnswer, writeAtHome } from './three-clis.ts';

const names = ['droid', 'qwen'] as const;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.fallback((asked) => workOf(asked) ?? goodAnswer(asked));
});
afterAll(() => server.close());

const Head = z.object({ phase: z.literal('execute'), task: z.string() });

/** Writes the file of a task with the program’s own tool; null for any other question. */
function workOf({ prompt, toolResults }: LoggedRequest): Reply | null {
  const head = [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].at(-1)?.[1] ?? '{}';
  const task = Head.safeParse(JSON.parse(head)).data?.task;
  if (task === undefined) return null;
  if (toolResults.length > 0) return { kind: 'text', text: 'Wrote it.' };
  const tree = new RegExp(`/[\\w./-]+/trees/${task}\\b`).exec(prompt)?.[0] ?? '';
  return { kind: 'tool', tool: 'write', target: join(tree, `${task}.txt`), content: 'right\n' };
}

/** Finds both programs by their names alone, each with the model server as its provider. */
function seat(rig: Rig): void {
  const sections = names.map((name) => {
    const values = Object.entries(acpClis[name].environment(server.url)).map(
      ([key, value]) => `${key} = ${JSON.stringify(value)}`,
    );
    return `[agents.${name}]\npath = ${JSON.stringify(join(acps, name))}\nvendor = "vendor-${name}"\nenv = { ${values.join(', ')} }\n`;
  });
  rig.config(
    `${existsSync(join(rig.home, 'config/conclave/config.toml')) ? rig.configured() : ''}\n${sections.join('\n')}`,
  );
  writeAtHome(rig, { ...acpClis.qwen.login, ...droidFiles(server.url) });
}

test.skipIf(!hasAcps).each(names)(
  'droid and qwen (installed by CONCLAVE_ACP=1) propose and examine; %s plans, and the other one reads',
  async (planner) => {
    const rig = await todoRig();
    seat(rig);
    rig.config(`${rig.configured()}\n[agent]\ncli = "${planner}"\n`);
    const args = ['plan', '--auto-yes', '--tools', 'droid,qwen', todoTask];
    const { code, stderr } = await rig.conclave(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const phases = (round: number) =>
      synthesisOf(rig, round).receipts.map(({ agent, transport }) => ({ agent, transport }));
    const both = names.map((agent) => ({ agent, transport: 'acp' }));
    expect(phases(1)).toEqual(both);
    expect(phases(2)).toEqual(both);
    const { readers } = PlanReading.parse(rig.json('plan-reading.json'));
    expect(JSON.stringify(rig.json('plan.json'))).toContain(`"planner":"${planner}"`);
    expect(readers.map(({ agent }) => agent)).toEqual(names.filter((name) => name !== planner));
    expect(await rig.git('status', '--short')).toBe('');
  },
  600_000,
);

test.skipIf(!hasAcps).each(names)(
  '%s (installed by CONCLAVE_ACP=1) carries a task out with its own tools',
  async (name) => {
    const id = 'TASK-001';
    const tasks = [
      {
        id,
        source: { original_id: 'T1' },
        title: 'Write the file',
        description: 'Write it.',
        depends_on: [],
        files: [{ path: `${id}.txt`, action: 'create', change: 'Write it.' }],
        implementation: ['Write it.', 'Look at it.'],
        convergence: { criteria: ['It is right'] },
        checks: [{ kind: 'text', path: `${id}.txt`, contains: 'right', criterion: 0 }],
      },
    ];
    const plan = { phase: 'planning', plan: { summary: 'A file.', approach: 'Write.' }, tasks };
    const rig = await approvedRig({}, { plan });
    seat(rig);
    const { code, stderr } = await rig.conclave('execute', '-y', '--execution', name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const result = ExecutionResult.parse(rig.json('execution-result.json'));
    expect(result.tasks).toMatchObject([{ executor: name, status: 'completed' }]);
  },
  300_000,
);
