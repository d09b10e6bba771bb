// Runs the whole workflow with the scripted agents of `templates/demo/`, in a temporary repository.
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../git/git.ts';
import { wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { quoteForShell } from '../model/wording.ts';
import { isSystemError } from '../store/system-error.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { planCommand } from './plan-command.ts';
import { calledAsVariable } from './wiring/called-as.ts';
import { behindFace } from './wiring/choose-face.ts';
import { makeFolder } from '../store/make-folder.ts';

const task =
  'Add a --json flag to the list command (a demo: both agents are scripts, no model is asked)';

interface DemoFlags {
  readonly json?: boolean;
  readonly autoYes?: boolean;
  readonly fast?: boolean;
}

/**
 * `conclave demo`: runs the whole workflow with two scripted agents on a small repository in a temporary
 * folder, which is kept so that people can look at the plan. Returns the exit code.
 */
export async function demoCommand(values: DemoFlags): Promise<number> {
  const base = await temporaryFolder();
  const repository = await makeRepository(base);
  const environment = await demoEnvironment(base, values);
  const program = await makeProgram(base, repository);
  const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
  say(`This is a demo: its agents are scripts, and no model is asked. It works in ${repository}`);
  const code = await behindFace({ values, opens: 'run', program }, (face) => {
    // A person is asked who reviews it; without one, the demo shows this step, too.
    const answers =
      face.person === null ? { autoYes: true, autoExecute: true, review: 'agent' } : {};
    return planCommand([task], {
      values: { execution: 'agent', ...values, ...answers, cwd: repository },
      face,
      environment,
    });
  });
  say(`The whole session as one page: ${program} report`);
  say(`What it wrote is in ${repository}/.workflow; remove ${base} when you are done.`);
  return code;
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'conclave-demo-'));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw wrongUsage(
      `The demo cannot make its folder in ${tmpdir()} (${error.code}); set TMPDIR to a writable folder.`,
    );
  }
}

/** The path of a repository with two commits. Without git, it is a plain folder. */
async function makeRepository(base: string): Promise<string> {
  const root = join(base, 'todo');
  await cp(join(packageRoot(), 'templates/demo/repository'), root, { recursive: true });
  const place = { root, signal: neverAborted };
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid'];
  for (const args of [
    ['init', '--quiet'],
    ['add', 'package.json', 'README.md', 'src'],
    [...author, 'commit', '--quiet', '--message', 'Add the list and add commands'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'Test how a todo is printed'],
  ]) {
    await git(place, args);
  }
  return root;
}

/** A program that is called like this one, but with the repository and the settings of the demo. */
async function makeProgram(base: string, repository: string): Promise<string> {
  const path = join(base, 'conclave');
  const { config, data } = foldersIn(base);
  const words = [process.execPath, process.argv[1] ?? ''].map(quoteForShell).join(' ');
  const text = `#!/bin/sh
export XDG_CONFIG_HOME=${quoteForShell(config)} XDG_DATA_HOME=${quoteForShell(data)} ${calledAsVariable}=${quoteForShell(path)}
cd ${quoteForShell(repository)} && exec ${words} "$@"
`;
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

function foldersIn(base: string) {
  return { config: join(base, 'config'), data: join(base, 'data') };
}

/** The demo has its own settings, so that neither the user’s settings nor their agents take part. */
async function demoEnvironment(
  base: string,
  { fast = false }: DemoFlags,
): Promise<NodeJS.ProcessEnv> {
  const { config, data } = foldersIn(base);
  const folder = join(config, 'conclave');
  await makeFolder(folder);
  await writeFile(join(folder, 'config.toml'), settingsText(fast ? ['--fast'] : []));
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('CONCLAVE_'));
  return {
    ...Object.fromEntries(others),
    XDG_CONFIG_HOME: config,
    XDG_DATA_HOME: data,
  };
}

function settingsText(flags: readonly string[]): string {
  const folder = join(packageRoot(), 'templates/demo');
  const agent = (name: string, script: string) => `
[agents.${name}]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([join(folder, 'agent.mjs'), join(folder, script), ...flags])}
vendor = "${name}"
`;
  return `[agent]
cli = "script-one"
[workflow]
tools = ["script-one", "script-two"]
fallback_chain = ["script-one", "script-two"]
code_before_approval = "on"
[execution]
may_run = ["node --test"]
${agent('script-one', 'one.json')}${agent('script-two', 'two.json')}`;
}
