// Runs each proof on the base, alone and twice, in a copy that it can spoil, and says what that showed.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { CheckRecord } from '../../model/check-record.ts';
import type { CopyFacts, Proof, ProofResult, ProofRuns } from '../../model/proof.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { commandsIn, setUpTool } from '../../context/package/set-up-tools.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { runSetUp } from '../execution/checks.ts';
import { holdsSecrets } from '../execution/prepare-tree.ts';
import { notRun, runCommand } from '../execution/run-command.ts';
import { type RunVerdict, cannotRun, classifyRun } from './classify-run.ts';
import { type ProofTools, proofReadiness } from './proof-consent.ts';
import { findDependencies } from './dependencies.ts';
import { strictTree } from './strict-tree.ts';

interface CopyRequest {
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
  readonly tools: ProofTools;
  readonly signal: AbortSignal;
}

/** The longest time of one run, of all runs, and of a first build, in ms. */
const most = { run: 60_000, all: 300_000, build: 300_000 };

/** Programs that build before they test; their first run is not counted. */
const builders = /(?:^|\/)(?:go|cargo|mvnw?|gradlew?|dotnet|sbt|swift)$/;

/** A copy of what an execution would start from; made when it is first needed, and removed at the end. */
export function proofCopy(request: CopyRequest) {
  let made: ReturnType<typeof makeCopy> | null = null;
  const open = () => (made ??= makeCopy(request));
  return {
    async look(): Promise<CopyFacts> {
      const { obstacle, copy } = await open();
      return { obstacle, installed: copy === null ? [] : installedIn(copy) };
    },
    /** Runs each proof alone and twice in the strict confinement; each run is a line of `proof/checks.jsonl`. */
    async run(proofs: readonly Proof[]): Promise<ProofRuns> {
      const { obstacle, copy } = await open();
      return { obstacle, results: copy === null ? [] : await runAll(proofs, copy, request) };
    },
    async [Symbol.asyncDispose]() {
      const room = await made?.then((one) => one.room).catch(() => null);
      if (typeof room === 'string') await removeFolder(room);
    },
  };
}

async function runAll(
  proofs: readonly Proof[],
  copy: MadeCopy,
  { tools }: CopyRequest,
): Promise<ProofResult[]> {
  const runIn = await copy.confined(proofs.flatMap(({ argv: [program] }) => program ?? []));
  const results: ProofResult[] = [];
  let left = most.all;
  const mostMs = () => Math.min(most.run, tools.execution.settings.checkMs, left);
  for (const [at, proof] of proofs.entries()) {
    const { id, argv } = proof;
    const isFirst = proofs.findIndex((one) => one.argv[0] === argv[0]) === at;
    if (isFirst && builders.test(argv[0] ?? '')) await runIn(proof, most.build);
    const runs: CheckRecord[] = [];
    const seen: RunVerdict[] = [];
    while (seen.length < 2 && seen[0]?.state !== 'cannot-run' && left > 0) {
      const run = { ...(await runIn(proof, mostMs())), round: seen.length };
      left -= run.ms;
      runs.push(run);
      await tools.folder.append('proof/checks.jsonl', `${JSON.stringify(run)}\n`);
      seen.push(classifyRun(run, proof));
    }
    const [first = cannotRun('our limit of 5 minutes for all proofs was reached'), last = first] =
      seen;
    const why = `it ended differently the second time: ${last.why || 'it passed'}`;
    const verdict = first.state === last.state ? last : ({ state: 'unsteady', why } as const);
    const shows = (verdict.state === 'fails' || verdict.state === 'holds') && left > 0;
    const without = shows ? await runIn({ ...proof, content: null }, mostMs()) : null;
    left -= without?.ms ?? 0;
    const others = without?.tests?.passed ?? 0;
    // A test that passes without the file of the proof is another one.
    const alone = others === 0 ? verdict : cannotRun(othersText(proof, others));
    results.push({ id, ...alone, runs });
  }
  return results;
}

function othersText({ path }: Pick<Proof, 'path'>, others: number): string {
  return `\`argv\` has to run ${path} alone, and ${counted(others, 'other test')} passed by it without this file`;
}

/** A proof as it runs: the content is null to see what its command runs besides. */
type Runnable = Omit<Proof, 'content'> & { readonly content: string | null };

type MadeCopy = NonNullable<Awaited<ReturnType<typeof makeCopy>>['copy']>;

/** Makes and sets up the copy, unless something stands in the way. */
async function makeCopy({ setUp, tools, signal }: CopyRequest) {
  const { repository, execution, markPrefix } = tools;
  const { environment, secrets, settings } = execution;
  const { obstacle, confinement } = await proofReadiness(tools, signal);
  if (obstacle !== null || confinement === null) return { obstacle, room: null, copy: null };
  const { root } = repository;
  const trees = await execution.worktrees(signal);
  const room = trees.top('proofs');
  const own = [...Object.keys(repository.base.dirty), ...settings.copy];
  const hold = await Promise.all(own.map((path) => holdsSecrets(root, path)));
  const secret = new Set(own.filter((_, at) => hold[at]));
  const copy = await trees.copyStart(room, (path) => !secret.has(path));
  const common = { cwd: root, home: root, buildFacts: [], environment, markPrefix, signal };
  const within = relative(copy.top, root);
  const more = settings.copy.flatMap((path) => (secret.has(path) ? [] : join(within, path)));
  const missing = () => findDependencies(copy.top, { copy: copy.files, more, signal });
  for (const argv of commandsIn(setUp)) {
    // What installs makes them itself; anything else, such as a build, reads those that are there.
    const read = setUpTool(argv) === null ? await missing() : [];
    const mounts = read.map((path) => ({ from: join(copy.top, path), at: join(copy.top, path) }));
    const moved = [{ from: copy.files, at: copy.top, isWritable: true }, ...mounts];
    const confine = { confinement, top: copy.top, moved, secrets };
    const why = await runSetUp(argv, { ...common, confine, mostMs: most.build });
    if (why !== null) return { obstacle: oneLine(why), room, copy: null };
  }
  const dependencies = await missing();
  const tree = { confinement, copy, root, dependencies, environment, secrets, folder: room };
  /** Confines what needs these programs; the result runs a proof once, without its file if it has no content. */
  const confined = async (programs: readonly string[]) => {
    const confine = await strictTree({ ...tree, programs });
    return async (
      { id, path, content, argv, folder, sentence }: Runnable,
      mostMs: number,
    ): Promise<CheckRecord> => {
      const from = join(room, 'proofs', id);
      await mkdir(dirname(join(from, path)), { recursive: true });
      if (content !== null) await writeFile(join(from, path), content);
      const laid = content === null ? [] : [path];
      // Nothing is written through a link that an earlier proof left.
      const why = await copyPaths({ from, to: join(copy.files, within) }, laid, signal);
      const since = performance.now();
      const seen =
        why === null
          ? await runCommand(argv, { ...common, confine, mostMs }, { folder })
          : notRun(why);
      await copy.restore();
      return {
        output: '',
        ...seen,
        check: `${id}: ${sentence}`,
        kind: 'test',
        criterion: null,
        ms: Math.round(performance.now() - since),
        moment: 'before',
        tree: 'base',
        commit: copy.commit,
        tasks: [],
        round: 0,
      };
    };
  };
  return { obstacle: null, room, copy: { ...tree, confined } };
}

/** The most folders that an author is told. */
const mostTold = 12;

/** Finds the folders with programs that only the project has, from the root. */
function installedIn({ root, copy, dependencies }: MadeCopy): string[] {
  const places = [join(copy.files, relative(copy.top, root)), root];
  const fromRoot = dependencies.map((path) => relative(root, join(copy.top, path)));
  return [...new Set([...fromRoot, 'node_modules', '.venv', 'venv'])]
    .flatMap((path) => [join(path, 'bin'), join(path, '.bin')])
    .filter((path) => !path.startsWith('..') && places.some((at) => existsSync(join(at, path))))
    .slice(0, mostTold);
}
