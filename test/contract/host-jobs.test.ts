import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { planning, proposing } from '../helpers/planned-rig.ts';
import { todoProject, todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution, witnessed } from '../helpers/vendors.ts';
import { isFull } from './extent.ts';
import { playMarker, playTools, type ToolStep } from './host-model.ts';
import { hostRig } from './host-rig.ts';
import { clis } from './install.ts';
import { startModelServer } from './model-server/server.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';

/** How each host is started without a person, so that it may call our tools. */
const unattended: Readonly<Record<CliName, readonly string[]>> = {
  claude: ['-p', playMarker, '--allowedTools=mcp__plugin_conclave_conclave'],
  codex: [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    playMarker,
  ],
  gemini: ['-p', playMarker, '--approval-mode', 'yolo'],
  copilot: ['-p', playMarker, '--allow-tool=conclave'],
  opencode: ['run', playMarker],
};

const allowed = '[mcp]\nmay = ["write", "decide"]\n';

/** A fresh home with one host, our package, and two agents that plan and answer. */
async function installedHost(
  name: CliName,
  answerMs: number,
  answer = 'The answer of another agent.',
) {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const rig = hostRig(name, server.url);
  const { args = [], env = {} } = realClis[name].settings(server.url);
  Object.assign(rig.environment, env);
  await todoProject(rig.rig);
  const vendor = {
    propose: proposing(listSolution()),
    plan: planning,
    else: { answer, delay_ms: answerMs },
  };
  configureVendors(rig.rig, { alpha: vendor, beta: vendor }, allowed);
  rig.logIn();
  await rig.conclave('install', name, '-y');
  const [first = '', ...others] = unattended[name];
  return { ...rig, server, command: [first, ...args, ...others] };
}

const jobIn = (results: string) => results.match(/job-[a-z0-9]{8}/g)?.at(-1) ?? '';
const sessionIn = (results: string) => /MCP-[\w-]+/.exec(results)?.[0] ?? '';
const answered = /The answer of another agent/;

const work = (folder: string): ToolStep => ({
  tool: 'work_with',
  given: () => ({ agent: 'alpha', task: 'Do it.', folder, wait_s: 1 }),
  until: /job-/,
});
const status = (until: RegExp): ToolStep => ({
  tool: 'job_status',
  given: (results) => ({
    job: jobIn(results),
    after: Number(/.* and after (\d+)/s.exec(results)?.[1] ?? 0),
    wait_s: isFull ? 45 : 5,
  }),
  until,
});

/** Plans up to the text of the plan. */
const plan = (folder: string): readonly ToolStep[] => [
  { tool: 'plan_start', given: () => ({ task: todoTask, folder, wait_s: 1 }), until: /job-/ },
  status(/plan_options/),
  {
    tool: 'plan_decide',
    given: (results) => ({ session: sessionIn(results), solution: 1, folder, wait_s: 1 }),
    until: /job-/,
  },
  status(/plan_review/),
  {
    tool: 'plan_get',
    given: (results) => ({ session: sessionIn(results), folder }),
    until: /TASK-001/,
  },
];

// In the full form it takes longer than any host waits for a silent call.
test.each(cliNames)(
  '%s hands a task to another agent and plans by jobs, and its model reads the answer and the plan',
  async (name) => {
    const host = await installedHost(name, isFull ? 240_000 : 8000);
    const { repo, server } = host;
    const play = playTools(server, name, [work(repo), status(answered), ...plan(repo)]);
    const said = await host.host(...host.command);
    expect(play.results()).toMatch(answered);
    expect(play.results()).toContain('TASK-001');
    expect(play.isOver()).toBe(true);
    expect(said).toContain('It is done.');
  },
  900_000,
);

test.each(cliNames)(
  '%s is killed during a job, which ends all the same, and the next one reads its answer',
  async (name) => {
    const host = await installedHost(name, 12_000);
    playTools(host.server, name, [work(host.repo), status(answered)]);
    const first = host.start(...host.command);
    const hasBegun = () => witnessed(host.rig, 'alpha').length > 0;
    await vi.waitUntil(hasBegun, { timeout: 120_000, interval: 200 });
    process.kill(-(first.pid ?? 0), 'SIGKILL');
    await once(first, 'exit');
    const [job = ''] = readdirSync(join(host.home, '.local/share/conclave/jobs'));
    const play = playTools(host.server, name, [
      { ...status(answered), given: () => ({ job, wait_s: 45 }) },
    ]);
    expect(await host.host(...host.command)).toContain('It is done.');
    expect(play.results()).toContain(job);
    expect(witnessed(host.rig, 'alpha').at(-1)).toMatch(/^end/);
  },
);

test.each(cliNames)(
  '%s shows its model a long answer whole, in the parts that it takes',
  async (name) => {
    const lines = Array.from({ length: 250 }, (_, n) => `line-${n} ${'some words '.repeat(4)}.`);
    const host = await installedHost(name, 0, `${lines.join('\n')}\n${'wide words '.repeat(100)}`);
    const { repo: folder, server } = host;
    const parts = name === 'codex' || name === 'copilot' ? 6 : 1;
    const asked = { model: 'alpha', question: 'All of it?', folder, wait_s: 45 };
    const play = playTools(server, name, [
      { tool: 'consult_with', given: () => asked, until: /job-/ },
      ...Array.from({ length: parts - 1 }, (_, at) => ({
        tool: 'job_status',
        given: (results: string) => ({ job: jobIn(results), part: at + 2 }),
        until: new RegExp(`"?part"?: ?${at + 2}\\b`),
      })),
    ]);
    await host.host(...host.command);
    expect(play.isOver()).toBe(true);
    const missing = lines.filter((line) => !play.results().includes(line.slice(0, -1).trim()));
    expect(missing).toEqual([]);
    expect(play.results()).not.toContain(`part ${parts} of ${parts + 1}`);
  },
  900_000,
);

const notInProject =
  /(?:This host cannot ask a person|The person did not agree)\. A person decides this/;

test.each(cliNames)(
  '%s without a person gets no file from outside of the project',
  async (name) => {
    const host = await installedHost(name, 0);
    const { repo: folder, server } = host;
    const context = [join(host.home, '.ssh/config')];
    mkdirSync(join(host.home, '.ssh'), { recursive: true });
    writeFileSync(join(host.home, '.ssh/config'), 'Host the-private-words\n');
    const asked = { model: 'alpha', question: 'What is it?', folder, context, wait_s: 45 };
    const play = playTools(server, name, [
      { tool: 'consult_with', given: () => asked, until: notInProject },
    ]);
    await host.host(...host.command);
    expect(play.results()).toMatch(notInProject);
    expect(play.results()).not.toContain('the-private-words');
    expect(witnessed(host.rig, 'alpha')).toEqual([]);
  },
);

/** Settings that let a real codex of ours load its user’s servers. */
const codexOfOurs = (url: string) => {
  const { args = [], env = {} } = realClis.codex.settings(url);
  const variables = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[agents.codex]
path = ${JSON.stringify(join(clis, 'codex'))}
isolation = "none"
args = ${JSON.stringify(args)}
env = { ${variables.join(', ')} }
${allowed}`;
};

test.each([
  ['which has the names of our variables', true],
  ['whose entry passes on none of our variables', false],
])('a codex that we started starts no second run by our server, %s', async (_, isNamed) => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const rig = hostRig('codex', server.url);
  rig.rig.config(codexOfOurs(server.url));
  await rig.conclave('mcp', 'install', 'codex', '-y');
  const file = join(rig.home, '.codex/config.toml');
  appendFileSync(file, 'default_tools_approval_mode = "approve"\n');
  const settings = readFileSync(file, 'utf8');
  expect(settings).toContain('"CONCLAVE_RUN"');
  if (!isNamed) writeFileSync(file, settings.replace(/^env_vars = .*\n/m, ''));
  const play = playTools(server, 'codex', [
    { tool: 'list_sessions', given: () => ({ folder: rig.repo }), until: /"total":/ },
    {
      tool: 'work_with',
      given: () => ({ agent: 'codex', task: 'Do it.', folder: rig.repo }),
      until: /is not a function|job-/,
    },
  ]);
  await rig.conclave('work', '--agent', 'codex', playMarker);
  expect(play.results()).toContain('"total":');
  expect(play.results()).toContain('is not a function');
  expect(existsSync(join(rig.home, '.local/share/conclave/jobs'))).toBe(false);
});
