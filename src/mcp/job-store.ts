// Keeps jobs in the user's data folder, where any later server finds them.
import { randomInt } from 'node:crypto';
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jobsFolder } from '../app/folders.ts';
import { wrongUsage } from '../model/failure.ts';
import { readAs } from '../model/json.ts';
import { type FolderFiles, filesIn } from '../store/folder-files.ts';
import { hasOwner, type LockedFolder } from '../store/lock.ts';
import { guardWrite, nullIfAbsent } from '../store/system-error.ts';
import { jobEnds, JobRequest, JobState } from './job-request.ts';
import { makeFolder } from '../store/make-folder.ts';

export interface JobFolder extends LockedFolder {
  readonly place: { readonly root: string; readonly existing: readonly string[] };
}

/** A job in its current state; it is also `failed` if its process died silently. */
export interface JobReport extends JobState {
  readonly job: string;
  readonly kind: JobRequest['kind'];
}

/**
 * Starts a job in a process that is not a descendant of this one, so that a host that ends us does not end the
 * job.
 */
export async function startJob(
  request: JobRequest,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const id = `job-${Array.from({ length: 8 }, () => randomInt(36).toString(36)).join('')}`;
  const folder = jobFolder(environment, id);
  await guardWrite(folder.path, () => makeFolder(folder.path, { mode: 0o700 }));
  await folder.writeJson('request.json', request);
  await folder.writeJson('state.json', startOf(new Date()));
  // The intermediate process ends at once, which makes the job a child of the system.
  await once(spawnSelf(['start-job', id], { env: environment }), 'exit');
  return id;
}

/** Starts the process of a job and detaches from it; called in the intermediate process. */
export function leaveJobRunning(id: string, env: NodeJS.ProcessEnv): void {
  spawnSelf(['run-job', id], { env, detached: true }).unref();
}

function spawnSelf(words: readonly string[], options: SpawnOptions): ChildProcess {
  const [, program = ''] = process.argv;
  const args = [program, 'mcp', 'serve', ...words];
  return spawn(process.execPath, args, { ...options, stdio: 'ignore' });
}

export function jobFolder(environment: NodeJS.ProcessEnv, id: string): JobFolder {
  if (!isJobId(id)) throw noJob(id);
  const path = join(jobsFolder(environment), id);
  const place = { root: path, existing: [] };
  const files: FolderFiles = filesIn(place, id);
  return { ...files, id, path, place };
}

const isJobId = (id: string): boolean => /^job-[a-z0-9]{8}$/.test(id);

function noJob(id: string) {
  return wrongUsage(
    `There is no job ${JSON.stringify(id).slice(0, 60)}; job ids look like job-k3f9x2ab.`,
  );
}

export async function readRequest(folder: JobFolder): Promise<JobRequest> {
  const text =
    (await nullIfAbsent(stat(folder.path))) === null ? null : await folder.read('request.json');
  if (text === null) throw noJob(folder.id);
  const request = readAs(JobRequest, text);
  if (request !== null) return request;
  throw wrongUsage(`The job ${folder.id} cannot be read: its request.json is damaged.`);
}

/** Reports on a job. Throws `usage` if it does not exist. */
export async function readJob(environment: NodeJS.ProcessEnv, id: string): Promise<JobReport> {
  const folder = jobFolder(environment, id);
  const { kind } = await readRequest(folder);
  // On a full disk, this request is not remembered.
  await folder.write('asked', new Date().toISOString()).catch(() => undefined);
  const saved = await stateIn(folder);
  const lives = saved.state === 'starting' ? isYoung(saved) : await hasOwner(folder);
  // The job may have ended between the two reads.
  const state = lives ? saved : await stateIn(folder);
  const job = { job: id, kind, ...state };
  return jobEnds.has(state.state) || lives ? job : { ...job, state: 'failed', message: died };
}

const died =
  'The process of this job has ended without a word: it was killed, or the disk was full.';

/** All jobs of the user that can be read. */
export async function listJobs(
  environment: NodeJS.ProcessEnv,
): Promise<readonly { readonly request: JobRequest; readonly state: JobState }[]> {
  const names = (await nullIfAbsent(readdir(jobsFolder(environment)))) ?? [];
  const jobs = await Promise.allSettled(
    names.filter(isJobId).map(async (id) => {
      const folder = jobFolder(environment, id);
      return { request: await readRequest(folder), state: await stateIn(folder) };
    }),
  );
  return jobs.flatMap((job) => (job.status === 'fulfilled' ? job.value : []));
}

async function stateIn(folder: JobFolder): Promise<JobState> {
  return readAs(JobState, await folder.read('state.json')) ?? startOf(new Date(0));
}

/** The time in which the process of a job must start, in ms; after that, it never will. */
const startLimit = 30_000;

function isYoung({ started_at: at }: JobState): boolean {
  return Date.now() - Date.parse(at) < startLimit;
}

export function startOf(now: Date): JobState {
  return {
    state: 'starting',
    session: null,
    doing: '',
    waits_for: null,
    message: null,
    result: null,
    started_at: now.toISOString(),
    ended_at: null,
  };
}

/** Waits until a job has ended or stopped at a question, but no longer than the given seconds. */
export async function waitForJob(
  environment: NodeJS.ProcessEnv,
  id: string,
  {
    seconds,
    signal,
    onWait,
  }: {
    readonly seconds: number;
    readonly signal: AbortSignal;
    /** Called every few seconds. */
    readonly onWait: (job: JobReport) => Promise<void>;
  },
): Promise<JobReport> {
  const end = Date.now() + seconds * 1000;
  for (let looks = 1; ; looks += 1) {
    const job = await readJob(environment, id);
    if (jobEnds.has(job.state) || Date.now() >= end || signal.aborted) return job;
    if (looks % 20 === 0) await onWait(job);
    await wait(Math.min(250, Math.max(1, end - Date.now())));
  }
}

/** Tells a job to stop at once; its work is saved. */
export async function cancelJob(environment: NodeJS.ProcessEnv, id: string): Promise<void> {
  const folder = jobFolder(environment, id);
  await readRequest(folder);
  await folder.write('cancel', '');
}
