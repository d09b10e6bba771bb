import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ExecutionResult } from '../../src/model/execution.ts';
import { approvedRig } from '../helpers/executed-rig.ts';
import { isBrief } from './extent.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { type CliName, cliNames } from './real-clis.ts';
import { cliSection } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.fallback(workOf);
});
afterAll(() => server.close());

const Head = z.object({ phase: z.literal('execute'), task: z.string(), part: z.string() });

/** How many tools each question has used: some CLIs send only the last result. */
const used = new Map<string, number>();

/** Writes the file of its task with the CLI’s own tool, tries to commit, and says that it is done. */
function workOf({ prompt, system, toolResults }: LoggedRequest): Reply {
  const head = [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].at(-1)?.[1] ?? '{}';
  const { task, part } = Head.parse(JSON.parse(head));
  const tree = /\/[\w./-]+\/trees\/TASK-\d+/.exec(`${system}\n${prompt}`)?.[0];
  const file = `${task}.txt`;
  const path = tree === undefined ? file : join(tree, file);
  const content = task === 'TASK-001' && part === 'work' ? 'wrong\n' : 'right\n';
  const uses: readonly Reply[] = [
    ...(part === 'work' ? [] : [{ kind: 'tool', tool: 'read', target: path } as const]),
    { kind: 'tool', tool: 'write', target: path, content },
    { kind: 'tool', tool: 'shell', target: `git commit -qam mine; cat ${file}` },
  ];
  const done = toolResults.length === 0 ? 0 : (used.get(`${task} ${part}`) ?? 0) + 1;
  used.set(`${task} ${part}`, done);
  return uses[done] ?? { kind: 'text', text: `Wrote ${file}.` };
}

const executors: readonly CliName[] = cliNames.filter((name) => !isBrief(name));

const tasks = executors.map((name, at) => {
  const id = `TASK-00${at + 1}`;
  return {
    id,
    ...(at < 2 ? { source: { original_id: `T${at + 1}` } } : {}),
    title: `Write a file with ${name}`,
    description: 'Write it.',
    depends_on: at === 1 ? ['TASK-001'] : [],
    files: [{ path: `${id}.txt`, action: 'create', change: 'Write it.' }],
    implementation: ['Write it.', 'Look at it.'],
    convergence: { criteria: ['It is right'] },
    checks: [{ kind: 'text', path: `${id}.txt`, contains: 'right', criterion: 0 }],
  };
});

test('the real CLIs carry tasks out with their own tools, each in its own work tree', async () => {
  const plan = { phase: 'planning', plan: { summary: 'Files.', approach: 'Write.' }, tasks };
  const rig = await approvedRig({}, { plan });
  const sections = executors.map((name) => cliSection(rig, { name, url: server.url }));
  rig.config(`${rig.configured()}\n${sections.join('\n')}\n`);
  const settings = executors.flatMap((name, at) => [
    '--set',
    `TASK-00${at + 1}.meta=${JSON.stringify({ execution_config: { cli_tool: name } })}`,
  ]);
  const reviewed = await rig.conclave('review', ...settings, '--approve');
  expect({ code: reviewed.code, stderr: reviewed.stderr }).toEqual({ code: 0, stderr: '' });
  const before = await rig.git('rev-parse', 'HEAD');
  const { code, stdout, stderr } = await rig.conclave('execute');
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: expect.any(String) });

  const result = ExecutionResult.parse(rig.json('execution-result.json'));
  expect(
    result.tasks.map(({ executor, status, fix_rounds, files_modified }) => ({
      executor,
      status,
      fix_rounds,
      files_modified,
    })),
  ).toEqual(
    executors.map((name, at) => ({
      executor: name,
      status: 'completed',
      fix_rounds: at === 0 ? 1 : 0,
      files_modified: [`TASK-00${at + 1}.txt`],
    })),
  );
  expect(await rig.git('status', '--short')).toBe('');
  expect(await rig.git('rev-parse', 'HEAD')).toBe(before);
  const log = await rig.git('log', '--format=%s', `${result.start}..${result.branch}`);
  expect(log).not.toContain('mine');
  expect((await rig.conclave('execute', '--apply')).code).toBe(0);
  for (const { id } of tasks) expect(existsSync(join(rig.repo, `${id}.txt`))).toBe(true);
}, 300_000);
