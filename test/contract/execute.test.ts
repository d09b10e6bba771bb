import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ExecutionResult } from '../../src/model/execution.ts';
import { approvedRig } from '../helpers/executed-rig.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { cliNames } from './real-clis.ts';
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
  // The first task has to be put right.
  const isFirst = task === first;
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
function questionsIn(task: string, part: string, log: readonly LoggedRequest[]): readonly string[] {
  const conversations = log.map(({ prompt }) =>
    [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].map(([, json = '{}']) => {
      const head = Head.safeParse(JSON.parse(json)).data;
      return head === undefined ? '' : `${head.task} ${head.part}`;
    }),
  );
  return [...new Set(conversations.find((heads) => heads.at(-1) === `${task} ${part}`) ?? [])];
}

const [first, second] = ['TASK-001', 'TASK-002'] as const;

const tasks = [first, second].map((id, at) => ({
  id,
  source: { original_id: `T${at + 1}` },
  title: `Write the file of ${id}`,
  description: 'Write it.',
  depends_on: id === second ? [first] : [],
  files: [{ path: `${id}.txt`, action: 'create', change: 'Write it.' }],
  implementation: ['Write it.', 'Look at it.'],
  convergence: { criteria: ['It is right'] },
  checks: [{ kind: 'text', path: `${id}.txt`, contains: 'right', criterion: 0 }],
}));

test.each(cliNames)(
  '%s carries two tasks out with its own tools, each in its own work tree, and fixes a failing check',
  async (name) => {
    used.clear();
    const from = server.log.length;
    const plan = { phase: 'planning', plan: { summary: 'Files.', approach: 'Write.' }, tasks };
    const rig = await approvedRig({}, { plan });
    rig.config(`${rig.configured()}\n${cliSection(rig, { name, url: server.url })}\n`);
    const before = await rig.git('rev-parse', 'HEAD');
    const { code, stdout, stderr } = await rig.conclave('execute', '-y', '--execution', name);
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
      [first, second].map((id) => ({
        executor: name,
        status: 'completed',
        fix_rounds: id === first ? 1 : 0,
        files_modified: [`${id}.txt`],
      })),
    );
    // A fix goes on in the agent's session, so that it is sent what was said there; each task begins one of its own.
    const log = server.log.slice(from);
    expect(questionsIn(first, 'fix', log)).toEqual([`${first} work`, `${first} fix`]);
    expect(questionsIn(second, 'work', log)).toEqual([`${second} work`]);
    expect(await rig.git('status', '--short')).toBe('');
    expect(await rig.git('rev-parse', 'HEAD')).toBe(before);
    const subjects = await rig.git('log', '--format=%s', `${result.start}..${result.branch}`);
    expect(subjects).not.toContain('mine');
    expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
    for (const { id } of tasks) expect(existsSync(join(rig.repo, `${id}.txt`))).toBe(true);
  },
  300_000,
);
