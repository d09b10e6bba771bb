import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ExecutionResult } from '../../src/model/execution.ts';
import { approvedRig } from '../helpers/executed-rig.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';
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
function workOf({ prompt, system, toolResults, dialect }: LoggedRequest): Reply {
  const head = [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].at(-1)?.[1] ?? '{}';
  const { task, part } = Head.parse(JSON.parse(head));
  const tree = new RegExp(`/[\\w./-]+/trees/${task}\\b`).exec(`${system}\n${prompt}`)?.[0];
  const file = `${task}.txt`;
  const path = tree === undefined ? file : join(tree, file);
  // Whoever works first on a task of its own has to put it right.
  const isFirst = executors.some((_, at) => idOf(at) === task);
  const content = isFirst && part === 'work' ? 'wrong\n' : 'right\n';
  const write = { kind: 'tool', tool: 'write', target: path, content } as const;
  // One does not write over a file: it forgets to write it at first.
  const forgets = isFirst && part === 'work' && dialect === 'copilot';
  const uses: readonly Reply[] = [
    ...(part === 'work' ? [] : [{ kind: 'tool', tool: 'read', target: path } as const]),
    ...(forgets ? [] : [write]),
    { kind: 'tool', tool: 'shell', target: `git commit -qam mine; cat ${file}` },
  ];
  const done = toolResults.length === 0 ? 0 : (used.get(`${task} ${part}`) ?? 0) + 1;
  used.set(`${task} ${part}`, done);
  return uses[done] ?? { kind: 'text', text: `Wrote ${file}.` };
}

/** All questions in the conversation that ended in this one, as its model was sent them. */
function questionsIn(task: string, part: string): readonly string[] {
  const conversations = server.log.map(({ prompt }) =>
    [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].map(([, json = '{}']) => {
      const head = Head.safeParse(JSON.parse(json)).data;
      return head === undefined ? '' : `${head.task} ${head.part}`;
    }),
  );
  return [...new Set(conversations.find((heads) => heads.at(-1) === `${task} ${part}`) ?? [])];
}

const executors: readonly CliName[] = cliNames;

/** Those that go on with the session of the task before, each with a second task for that. */
const goOn = executors.filter((name) => realClis[name].adapter.resumes === 'anywhere');
const idOf = (at: number) => `TASK-00${at + 1}`;
const workers = [...executors, ...goOn];

const tasks = workers.map((name, at) => {
  const id = idOf(at);
  const before = at < executors.length ? null : idOf(executors.indexOf(name));
  return {
    id,
    ...(at < 2 ? { source: { original_id: `T${at + 1}` } } : {}),
    title: `Write a file with ${name}`,
    description: 'Write it.',
    depends_on: at === 1 ? ['TASK-001'] : before === null ? [] : [before],
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
  const settings = workers.flatMap((name, at) => [
    '--set',
    `${idOf(at)}.meta=${JSON.stringify({ execution_config: { cli_tool: name } })}`,
  ]);
  const reviewed = await rig.conclave('review', ...settings, '--approve');
  expect({ code: reviewed.code, stderr: reviewed.stderr }).toEqual({ code: 0, stderr: '' });
  const before = await rig.git('rev-parse', 'HEAD');
  const { code, stdout, stderr } = await rig.conclave('execute', '-y');
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
    workers.map((name, at) => ({
      executor: name,
      status: 'completed',
      fix_rounds: at < executors.length ? 1 : 0,
      files_modified: [`${idOf(at)}.txt`],
    })),
  );
  // Who goes on with a session is sent what was said in it; in a round of fixes that is everybody.
  for (const at of executors.keys()) {
    expect(questionsIn(idOf(at), 'fix')).toEqual([`${idOf(at)} work`, `${idOf(at)} fix`]);
  }
  expect(questionsIn('TASK-002', 'work')).toEqual(['TASK-002 work']);
  for (const [at, name] of goOn.entries()) {
    const id = idOf(executors.length + at);
    const first = idOf(executors.indexOf(name));
    expect(questionsIn(id, 'work')).toEqual([`${first} work`, `${first} fix`, `${id} work`]);
  }
  expect(await rig.git('status', '--short')).toBe('');
  expect(await rig.git('rev-parse', 'HEAD')).toBe(before);
  const log = await rig.git('log', '--format=%s', `${result.start}..${result.branch}`);
  expect(log).not.toContain('mine');
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  for (const { id } of tasks) expect(existsSync(join(rig.repo, `${id}.txt`))).toBe(true);
}, 300_000);
