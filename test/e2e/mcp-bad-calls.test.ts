import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { connect, eras, hostRig } from '../helpers/mcp-host.ts';
import { short } from '../helpers/short-form.ts';

const task = { agent: 'alpha', task: 'Do it.' };
const question = { model: 'alpha', question: 'What?' };
const none = { session: 'MCP-no' };

/** Calls that cannot be carried out, each with what its answer has to name. */
const badCalls = [
  ['plan_start', { task: 'x', folder: '.' }, /give the folder of the project/],
  ['plan_start', { task: 'x', folder: '/no/such' }, /give the folder of the project/],
  ['plan_start', { task: '' }, /task: Too small/],
  ['plan_start', {}, /task: Invalid input: expected string/],
  [
    'plan_start',
    { task: 'x', agents: ['nobody'] },
    /agents names "nobody", and there is no such agent/,
  ],
  ['plan_start', { task: 'x', agents: 'alpha' }, /agents: Invalid input: expected array/],
  ['plan_start', { task: 'x', wait_s: 171 }, /wait_s: Too big: expected number to be <=170/],
  [
    'group_think',
    { topic: 'x', models: ['alpha'] },
    /models: Too small: expected array to have >=2 items/,
  ],
  [
    'group_think',
    { topic: 'x', models: ['a', 'b', 'c', 'd', 'e', 'f'] },
    /models: Too big: expected array to have <=5 items/,
  ],
  ['group_think', { topic: 'x', models: ['alpha', 'beta'], rounds: 0 }, /rounds: Too small/],
  ['plan_options', none, /list_sessions shows the saved ones/],
  ['plan_options', { session: '../x' }, /is not valid: it takes 1 to 128 letters/],
  ['plan_get', none, /list_sessions shows the saved ones/],
  ['plan_get', { ...none, part: 0 }, /part: Too small/],
  ['plan_decide', none, /Give solution, feedback or answers/],
  ['plan_decide', { ...none, solution: 0 }, /solution: Too small/],
  ['plan_decide', { ...none, solution: 1 }, /list_sessions shows/],
  ['plan_review', none, /Give either comments or approve: true/],
  [
    'plan_review',
    { ...none, approve: true, comments: ['x'] },
    /Give either comments or approve: true/,
  ],
  ['plan_review', { ...none, approve: true }, /list_sessions shows/],
  ['plan_execute', none, /list_sessions shows/],
  ['work_with', { ...task, agent: 'nobody' }, /There is no agent "nobody"\. Known agents: claude/],
  [
    'work_with',
    { ...task, cli_flags: ['--yolo'] },
    /cli_flags: alpha takes "--yolo" from a host only where your own settings allow it: \[agents\.alpha\] allow_flags = \["--yolo"\]/,
  ],
  ['work_with', { ...task, session_id: '../x' }, /is not valid: it takes 1 to 128 letters/],
  [
    'consult_with',
    { ...question, session_id: 'talk-2026-01-01-abcd' },
    /There is no session talk-2026-01-01-abcd in this project/,
  ],
  [
    'work_with',
    { ...task, role: 'nobody' },
    /There is no role "nobody"\. Known roles: codereviewer/,
  ],
  [
    'consult_with',
    { ...question, model: 'nobody' },
    /There is no agent "nobody"\. Known agents: claude/,
  ],
  ['consult_with', { ...question, context: ['no.txt'] }, /context: there is no file no\.txt/],
  ['consult_with', { model: 'alpha' }, /question: Invalid input: expected string/],
  ['critique_plan', { plan: '' }, /plan: Too small/],
  ['job_status', { job: '../x' }, /job ids look like job-k3f9x2ab/],
  ['job_status', { job: 'job-aaaaaaaa' }, /There is no job "job-aaaaaaaa"/],
  ['job_cancel', { job: 'job-aaaaaaaa' }, /There is no job "job-aaaaaaaa"/],
  [
    'consult_with',
    { ...question, session: 'talk-1' },
    /this tool has no argument session; it takes model, question, folder, role, session_id, context, output_format and wait_s/,
  ],
  [
    'job_status',
    { job: 'job-aaaaaaaa', bogus: 1 },
    /this tool has no argument bogus; it takes job/,
  ],
  ['list_sessions', { constructor: 1 }, /this tool has no argument constructor; it takes folder/],
  ['describe_session', none, /list_sessions shows/],
  ['list_sessions', { kind: 'both' }, /kind: Invalid option: expected one of/],
  ['list_sessions', { limit: 51 }, /limit: Too big: expected number to be <=50/],
  ['search_project_history', { query: '' }, /query: Too small/],
  ['count_project_tokens', { paths: [] }, /paths: Too small/],
  ['count_project_tokens', { paths: ['no.txt'] }, /paths: there is no file no\.txt/],
] as const;

test.each(eras)(
  'each bad call is answered by what is wrong and what to do, in the protocol era %s',
  async (era) => {
    const rig = await hostRig('[mcp]\nmay = ["write", "decide", "execute"]\n');
    const { call } = await connect(rig, { era });
    expect(badCalls.length).toBeGreaterThan(30);
    for (const [tool, input, said] of badCalls) {
      const { text, isError } = await call(tool, input);
      expect({ tool, input, isError, text }).toMatchObject({ isError: true });
      expect(text).toMatch(said);
      expect(text).not.toContain('""');
    }
    await expect(call('plan_everything')).rejects.toThrow('plan_everything');
  },
);

test.each([
  ['is a file', 'README.md', /README\.md\/conclave\/.* a file is where a folder should be/],
  ['cannot be made', '/proc/1/none', /none\/conclave\/.* a folder above it is missing/],
])(
  'where the data folder %s, the server starts and each call that needs it says so',
  short,
  async (_, folder, said) => {
    const rig = await hostRig('[mcp]\nmay = ["write"]\n');
    const environment = { XDG_DATA_HOME: resolve(rig.repo, folder) };
    const { call } = await connect(rig, { environment });
    const calls = [
      ['plan_start', { task: 'x' }],
      ['work_with', task],
      ['consult_with', question],
      ['list_sessions', {}],
      ['describe_session', none],
      ['search_project_history', { query: 'x' }],
    ] as const;
    for (const [name, input] of calls) {
      const { text, isError } = await call(name, input);
      expect({ name, isError, text }).toMatchObject({ isError: true });
      expect(text).toMatch(said);
    }
    const counted = await call('count_project_tokens', { paths: ['README.md'] });
    expect(counted.facts['total']).toBeGreaterThan(0);
  },
);
