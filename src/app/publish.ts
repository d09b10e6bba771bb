// Pushes the branch of a session, and opens a pull request for it with gh.
import { z } from 'zod';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import { neverAborted } from '../model/signal.ts';
import { runProgram } from '../store/run-program.ts';

interface Place {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The branch to push, and its destination. */
export interface Publication {
  readonly branch: string;
  readonly remote: string;
  /** The target branch on that remote; null for the default of its host. */
  readonly base: string | null;
}

/**
 * Finds the remote that git pushes to, otherwise origin, and the target branch there, which is the checked-out
 * one. Throws `usage` if there is no remote.
 */
export async function planPublication(place: Place, branch: string): Promise<Publication> {
  const git = (...args: string[]) => askProgram(place, 'git', args);
  const setting = async (key: string) => (await git('config', '--get', key)).text ?? '';
  const remotes = ((await git('remote')).text ?? '').split('\n').filter((name) => name !== '');
  const current = (await git('symbolic-ref', '--quiet', '--short', 'HEAD')).text ?? '';
  const wanted = [
    await setting(`branch.${current}.pushRemote`),
    await setting('remote.pushDefault'),
    await setting(`branch.${current}.remote`),
    'origin',
    ...remotes,
  ];
  const remote = wanted.find((name) => remotes.includes(name));
  if (remote === undefined) {
    throw wrongUsage(
      'This repository has no remote to push to; add one with: git remote add origin URL',
    );
  }
  const known = await git('rev-parse', '--verify', '--quiet', `refs/remotes/${remote}/${current}`);
  return { branch, remote, base: current !== '' && known.code === 0 ? current : null };
}

/** True if this branch exists in the repository. */
export async function isThere(place: Place, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  return (await askProgram(place, 'git', ['rev-parse', '--verify', '--quiet', ref])).code === 0;
}

/** True if the branch has a commit with uncommitted files of the user. */
export async function holdsCarried(place: Place, branch: string): Promise<boolean> {
  const args = ['log', '--format=%s', `HEAD..refs/heads/${branch}`];
  const { text } = await askProgram(place, 'git', args);
  return (text ?? '')
    .split('\n')
    .some((line) => line.startsWith('Conclave: uncommitted files at '));
}

/** The arguments of the push, also as a person would type them. */
export function pushWords({ branch, remote }: Publication): readonly string[] {
  return ['git', 'push', remote, `refs/heads/${branch}:refs/heads/${branch}`];
}

/** The arguments of gh, also as a person would type them. */
export function requestWords(
  { branch, base }: Publication,
  text: { readonly title: string; readonly bodyFile: string; readonly isDraft: boolean },
): readonly string[] {
  return [
    'gh',
    'pr',
    'create',
    '--head',
    branch,
    ...(base === null ? [] : ['--base', base]),
    '--title',
    text.title,
    '--body-file',
    text.bodyFile,
    ...(text.isDraft ? ['--draft'] : []),
  ];
}

/** Pushes the branch; throws `not-published` with git’s message. */
export async function pushBranch(
  place: Place,
  session: string,
  publication: Publication,
): Promise<void> {
  const words = pushWords(publication);
  const { code, why } = await runWords(place, words);
  if (code !== 0) throw notPublished(session, `${words.slice(0, 3).join(' ')}: ${why}`);
}

/** Says why gh cannot open a pull request; null if it can. */
export async function whyNoGh(place: Place): Promise<string | null> {
  const { code, why } = await askProgram(place, 'gh', ['auth', 'status']);
  if (code === 0) return null;
  return code === null ? 'gh is not installed' : `gh is not logged in (${why})`;
}

/**
 * Opens the pull request, or gives an open one its new text; with `isReady`, an open draft becomes ready. Returns
 * the address that gh prints. Throws `not-published`.
 */
export async function openRequest(
  place: Place,
  {
    session,
    words,
    branch,
    isReady,
  }: Publication & {
    readonly session: string;
    /** The arguments that open it. */
    readonly words: readonly string[];
    readonly isReady: boolean;
  },
): Promise<string> {
  const run = async (given: readonly string[]) => {
    const { code, text, why } = await runWords(place, given);
    const does = given.slice(0, 3).join(' ');
    if (code !== 0) throw notPublished(session, `the branch is pushed, but ${does}: ${why}`);
    return text ?? '';
  };
  const state = ['--json', 'url,state,isDraft'];
  const open = await runWords(place, ['gh', 'pr', 'view', branch, ...state]);
  const { data } = OpenRequest.safeParse(jsonIn(open.text ?? ''));
  if (data === undefined) return await run(words);
  const text = words.slice(words.indexOf('--title')).filter((word) => word !== '--draft');
  await run(['gh', 'pr', 'edit', branch, ...text]);
  if (isReady && data.isDraft) await run(['gh', 'pr', 'ready', branch]);
  return data.url;
}

const OpenRequest = z.object({ url: z.string(), state: z.literal('OPEN'), isDraft: z.boolean() });

/** The arguments of gh for one issue, also as a person would type them. */
export function issueWords(text: {
  readonly title: string;
  readonly bodyFile: string;
}): readonly string[] {
  return ['gh', 'issue', 'create', '--title', text.title, '--body-file', text.bodyFile];
}

/** Opens an issue; returns the address that gh prints. Throws `not-exported`. */
export async function createIssue(
  place: Place,
  session: string,
  words: readonly string[],
): Promise<string> {
  const { code, text, why } = await runWords(place, words);
  if (code !== 0)
    throw new Stopped({ reason: 'not-exported', session, why: `gh issue create: ${why}` });
  return text ?? '';
}

function notPublished(session: string, why: string): Stopped {
  return new Stopped({ reason: 'not-published', session, why });
}

function runWords(place: Place, [command = '', ...args]: readonly string[]) {
  return askProgram(place, command, args);
}

/** Runs a program to its end; `code` is null if it cannot be started. */
async function askProgram({ root, environment }: Place, command: string, args: readonly string[]) {
  const end = await runProgram({
    command,
    args,
    cwd: root,
    // Nobody can enter a password here.
    env: { ...environment, GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
    maxOutput: 1_000_000,
    signal: neverAborted,
  });
  const text = end.stdout.toString().trim();
  const errors = end.stderr.toString().trim().split('\n');
  const main = errors.find((line) => /^(?:fatal|error|remote): /.test(line)) ?? errors[0] ?? '';
  return {
    code: end.exitCode,
    text: end.exitCode === 0 ? text : null,
    why: main.trim() || 'it failed',
  };
}
