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
  const git = async (...args: string[]) => (await runWords(place, ['git', ...args])).text;
  const remotes = (await git('remote')).split('\n');
  const current = await git('symbolic-ref', '--quiet', '--short', 'HEAD');
  const wanted = [
    await git('config', '--get', `branch.${current}.pushRemote`),
    await git('config', '--get', 'remote.pushDefault'),
    await git('config', '--get', `branch.${current}.remote`),
    'origin',
    ...remotes,
  ];
  const remote = wanted.find((name) => name !== '' && remotes.includes(name));
  if (remote === undefined) {
    throw wrongUsage(
      'This repository has no remote to push to; add one with: git remote add origin URL',
    );
  }
  const isKnown = current !== '' && (await hasRef(place, `remotes/${remote}/${current}`));
  return { branch, remote, base: isKnown ? current : null };
}

/** True if this branch exists in the repository. */
export async function isThere(place: Place, branch: string): Promise<boolean> {
  return await hasRef(place, `heads/${branch}`);
}

async function hasRef(place: Place, ref: string): Promise<boolean> {
  const words = ['git', 'rev-parse', '--verify', '--quiet', `refs/${ref}`];
  return (await runWords(place, words)).code === 0;
}

/** True if the branch has a commit with uncommitted files of the user. */
export async function holdsCarried(place: Place, branch: string): Promise<boolean> {
  const words = ['git', 'log', '--format=%s', `HEAD..refs/heads/${branch}`];
  return /^Conclave: uncommitted files at /m.test((await runWords(place, words)).text);
}

/** The arguments of the push, also as a person would type them. */
export function pushWords({ branch, remote }: Publication): readonly string[] {
  return ['git', 'push', remote, `refs/heads/${branch}:refs/heads/${branch}`];
}

/** The title of what gh opens, and the file with its text. */
interface Opened {
  readonly title: string;
  readonly bodyFile: string;
}

/** The arguments of gh for a pull request, also as a person would type them. */
export function requestWords(
  { branch, base }: Publication,
  { isDraft, ...text }: Opened & { readonly isDraft: boolean },
): readonly string[] {
  const target = base === null ? [] : ['--base', base];
  const words = ['gh', 'pr', 'create', '--head', branch, ...target, ...textWords(text)];
  return isDraft ? [...words, '--draft'] : words;
}

/** The arguments of gh for one issue, also as a person would type them. */
export function issueWords(text: Opened): readonly string[] {
  return ['gh', 'issue', 'create', ...textWords(text)];
}

function textWords({ title, bodyFile }: Opened): readonly string[] {
  return ['--title', title, '--body-file', bodyFile];
}

/** Pushes the branch; throws `not-published` with git’s message. */
export async function pushBranch(
  place: Place,
  session: string,
  publication: Publication,
): Promise<void> {
  const fail = (why: string) => new Stopped({ reason: 'not-published', session, why });
  await mustRun(place, pushWords(publication), fail);
}

/** Says why gh cannot open a pull request; null if it can. */
export async function whyNoGh(place: Place): Promise<string | null> {
  const { code, why } = await runWords(place, ['gh', 'auth', 'status']);
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
  const fail = (fault: string) => {
    const why = `the branch is pushed, but ${fault}`;
    return new Stopped({ reason: 'not-published', session, why });
  };
  const look = ['gh', 'pr', 'view', branch, '--json', 'url,state,isDraft'];
  const { data } = OpenRequest.safeParse(jsonIn((await runWords(place, look)).text));
  if (data === undefined) return await mustRun(place, words, fail);
  const text = words.slice(words.indexOf('--title')).filter((word) => word !== '--draft');
  await mustRun(place, ['gh', 'pr', 'edit', branch, ...text], fail);
  if (isReady && data.isDraft) await mustRun(place, ['gh', 'pr', 'ready', branch], fail);
  return data.url;
}

const OpenRequest = z.object({ url: z.string(), state: z.literal('OPEN'), isDraft: z.boolean() });

/** Opens an issue; returns the address that gh prints. Throws `not-exported`. */
export async function createIssue(
  place: Place,
  session: string,
  words: readonly string[],
): Promise<string> {
  const fail = (why: string) => new Stopped({ reason: 'not-exported', session, why });
  return await mustRun(place, words, fail);
}

/** Runs a program that has to succeed; returns what it prints. */
async function mustRun(
  place: Place,
  words: readonly string[],
  fail: (why: string) => Stopped,
): Promise<string> {
  const { code, text, why } = await runWords(place, words);
  if (code !== 0) throw fail(`${words.slice(0, 3).join(' ')}: ${why}`);
  return text;
}

/** Runs a program to its end; `code` is null if it cannot be started, and `text` empty if it fails. */
async function runWords({ root, environment }: Place, [command = '', ...args]: readonly string[]) {
  const end = await runProgram({
    command,
    args,
    cwd: root,
    // Nobody can enter a password here.
    env: { ...environment, GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
    maxOutput: 1_000_000,
    signal: neverAborted,
  });
  const errors = end.stderr.toString().trim().split('\n');
  const main = errors.find((line) => /^(?:fatal|error|remote): /.test(line)) ?? errors[0] ?? '';
  return {
    code: end.exitCode,
    text: end.exitCode === 0 ? end.stdout.toString().trim() : '',
    why: main.trim() || 'it failed',
  };
}
