// Checks what would show that a task is done: its criteria, and its checks as they are at the base.
import { posix } from 'node:path';
import { kindOf } from '../../context/file-kinds.ts';
import { outsideWord } from '../../git/outside-paths.ts';
import { type Check, checkName, checkTarget, isSaid } from '../../model/check.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { shortText } from '../../model/wording.ts';
import { evidenceFindings, unrunnableTests } from './check-evidence.ts';
import type { PlanAtBase } from './plan-base.ts';

/** Finds tasks without a criterion, and commands that no shell may run. Needs no base. */
export function formOfChecks({ id, convergence, checks = [] }: Task): readonly Finding[] {
  return [...criteriaFindings({ id, convergence }), ...shellFindings({ id, checks })];
}

function criteriaFindings({ id, convergence }: Pick<Task, 'id' | 'convergence'>) {
  if (convergence.criteria.some((text) => text.trim() !== '')) return [];
  return [
    blockingFinding(
      'criteria-missing',
      taskFile(id),
      '/convergence/criteria',
      `${nameOf(id)} has no criterion, so nobody could tell when it is done; add one that can be tested.`,
    ),
  ];
}

/** Finds shell lines in a single argument, which could not run because commands are started without a shell. */
function shellFindings({ id, checks = [] }: Pick<Task, 'id' | 'checks'>): readonly Finding[] {
  return checks.flatMap((check, index) => {
    if (check.kind !== 'command' || namesProgram(check.argv)) return [];
    return [
      warningFinding(
        'check-shell',
        taskFile(id),
        `/checks/${index}/argv`,
        `${nameOf(id)} has a check that passes a whole line to a shell or names no program; give the program and each argument as separate entries of argv.`,
      ),
    ];
  });
}

function namesProgram([program = '', ...rest]: readonly string[]): boolean {
  const isShell = /(?:^|[/\\])(?:ba|z|da)?sh$/.test(program) && rest[0]?.startsWith('-');
  const isLine = rest.length === 0 && /\s/.test(program.trim());
  return program.trim() !== '' && isShell !== true && !isLine;
}

/** Finds checks that already pass before the work, that show nothing of it, or that could not run. */
export async function checkFindings(judged: PlanAtBase): Promise<readonly Finding[]> {
  const states = await Promise.all(judged.tasks.map((task) => statesOf(task, judged)));
  const invented = await inventedWords(states.flat(), judged);
  // Plans drafted by rules leave the parts they cannot know to a person, and say so.
  const { _metadata: metadata } = judged.plan;
  const isByRules = metadata.source === 'direct-planning';
  const ofTasks = judged.tasks.map((task, at) =>
    taskFindings(task, { states: states[at] ?? [], invented, isByRules }),
  );
  return [
    ...ofTasks.flat(),
    ...(isByRules ? [] : await evidenceFindings(judged)),
    ...(await unrunnableTests(judged)),
    ...(await programFindings(judged)),
    ...(await outsideFindings(judged)),
  ];
}

/** A check of a task with what is known about it before the work. */
interface CheckState {
  readonly check: Check;
  /** The place of the check in the task file; null for one of `test.commands`. */
  readonly pointer: string | null;
  /** True if the check already passes; null if only a run or a person could tell. */
  readonly holds: boolean | null;
}

function statesOf(task: Task, judged: PlanAtBase): Promise<readonly CheckState[]> {
  const own = task.checks?.length ?? 0;
  return Promise.all(
    checksOf(task).map(async (check, index) => {
      const pointer = index < own ? `/checks/${index}` : null;
      return { check, pointer, holds: await holdsAtBase(task, check, judged) };
    }),
  );
}

async function holdsAtBase(
  { id }: Task,
  check: Check,
  { base, touches }: PlanAtBase,
): Promise<boolean | null> {
  if (!('path' in check) || touches.isChangedBefore(id, tidyPath(check.path))) return null;
  if (check.kind === 'test') return (await base.exists(check.path)) ? null : false;
  if (check.kind === 'file') {
    if (await base.exists(check.path)) return check.exists;
    // Folders are not among the files of the base; none is the file that a check wants.
    const folder = `${tidyPath(check.path)}/`;
    return !check.exists && !(await base.files()).some((path) => path.startsWith(folder));
  }
  const text = await base.text(check.path);
  return text !== null && isSaid(check, text);
}

function taskFindings(
  { id }: Task,
  {
    states,
    invented,
    isByRules,
  }: {
    readonly states: readonly CheckState[];
    readonly invented: ReadonlySet<string>;
    readonly isByRules: boolean;
  },
): readonly Finding[] {
  const file = taskFile(id);
  const held = states.filter(({ holds }) => holds === true);
  const open = states.filter(({ check, holds }) => holds !== true && check.kind !== 'manual');
  const already = held.map(({ check, pointer }) => {
    return warningFinding(
      'check-holds',
      file,
      pointer ?? '/test',
      `${nameOf(id)} has a check that already passes before the work, so it proves nothing: ${shortText(checkName(check))}; check something that only the work brings.`,
    );
  });
  if (open.length === 0) {
    if (isByRules) return already;
    const rule = held.length > 0 ? 'checks-hold' : 'check-none';
    const isLeft = states.some(({ check }) => check.kind === 'manual');
    const byHand = isLeft ? ', or let an agent review the result' : '';
    return [
      ...already,
      warningFinding(
        rule,
        file,
        '/checks',
        `${nameOf(id)} has no check that can fail before the work, so nothing would show that it is done; add a command, or a test, file, symbol or text that is not there yet${byHand}.`,
      ),
    ];
  }
  const isInvented = ({ check }: CheckState) => invented.has(wordOf(check) ?? '');
  const isWeak = (state: CheckState) => isInvented(state) || isMetByLittle(state.check);
  if (isByRules || !open.every(isWeak)) return already;
  const [rule, message] = open.every(isInvented)
    ? [
        'check-name-only',
        `${nameOf(id)} is only checked for what the plan invents (${open.map(({ check }) => shortText(wordOf(check) ?? '')).join(', ')}), which shows that it was written, not that it works; add a command or a test.`,
      ]
    : [
        'check-weak',
        `${nameOf(id)} is only checked in ways that an empty file, a comment or code that does nothing would pass (${open.map(({ check }) => shortText(checkTarget(check))).join('; ')}); add a test, or a command that runs the work.`,
      ];
  return [...already, warningFinding(rule, file, '/checks', message)];
}

/** True for a check that an empty file passes, or code that is never run. */
function isMetByLittle(check: Check): boolean {
  if (check.kind === 'file') return check.exists;
  return check.kind === 'command' && syntaxOnly.test(check.argv.join(' '));
}

const syntaxOnly =
  /^(?:node (?:--check|-c)|(?:ba|z|da)?sh -n|ruby -c|perl -c|php -l|gofmt -l|python[\d.]* -m (?:py_compile|compileall))(?= )/;

/** The word that a check looks for in code; null if it looks for something else. */
function wordOf(check: Check): string | null {
  if (check.kind === 'symbol') return check.symbol;
  const isCode = check.kind === 'text' && ['source', 'test'].includes(kindOf(check.path));
  return isCode ? check.contains : null;
}

/** The words of checks that neither the repository nor the user’s request contains. */
async function inventedWords(
  states: readonly CheckState[],
  { base, contextPackage }: PlanAtBase,
): Promise<ReadonlySet<string>> {
  const { task_description, feedback, clarifications, constraints } = contextPackage;
  const answers = clarifications.map(({ answer }) => answer);
  const asked = [task_description, ...feedback, ...answers, ...constraints].join('\n');
  const words = new Set(states.flatMap(({ check }) => wordOf(check) ?? []));
  const own = [...words].filter((word) => !asked.includes(word.replace(/\(\)?$/, '')));
  const [names = [], phrases = []] = [true, false].map((isName) =>
    own.filter((word) => /^[\w$]+$/.test(word) === isName),
  );
  return new Set([...(await base.absent(names)), ...phrases]);
}

/** Finds commands that would not run because one of their words is a path to something outside. */
async function outsideFindings({ tasks, base }: PlanAtBase): Promise<readonly Finding[]> {
  const { root } = base;
  const found = await Promise.all(
    tasks.flatMap(({ id, checks = [] }) =>
      checks.map(async (check, index) => {
        const argv = check.kind === 'command' ? check.argv : [];
        const word = await outsideWord(argv, { cwd: root, root });
        if (word === undefined) return [];
        return [
          warningFinding(
            'check-outside',
            taskFile(id),
            `/checks/${index}/argv`,
            `${nameOf(id)} has a check that names ${shortText(word)}, which leads out of the repository, so it would not be run; name what is inside.`,
          ),
        ];
      }),
    ),
  );
  return found.flat();
}

/** Finds commands whose program the repository does not seem to know. */
async function programFindings(judged: PlanAtBase): Promise<readonly Finding[]> {
  const commands = judged.tasks.flatMap((task) =>
    checksOf(task).flatMap((check, index) => {
      const [program = '', option = ''] = check.kind === 'command' ? check.argv : [];
      // `python3 -c …` needs nothing from the repository.
      if (interpreters.has(program) && option.startsWith('-')) return [];
      const own = index < (task.checks?.length ?? 0);
      const pointer = own ? `/checks/${index}/argv/0` : '/test/commands';
      return program.trim() === '' || /\s/.test(program) ? [] : [{ task, program, pointer }];
    }),
  );
  const unknown = await unknownPrograms(
    commands.map(({ program }) => program),
    judged,
  );
  return commands.flatMap(({ task, program, pointer }) => {
    const why = unknown.get(program);
    if (why === undefined) return [];
    return [
      warningFinding(
        'program-unknown',
        taskFile(task.id),
        pointer,
        `${nameOf(task.id)} runs ${shortText(program)}, but ${why}; use a command of this project.`,
      ),
    ];
  });
}

/** Programs with the reason why they could not run. */
async function unknownPrograms(
  programs: readonly string[],
  { tasks, contextPackage, base }: PlanAtBase,
): Promise<ReadonlyMap<string, string>> {
  const made = tasks.flatMap(({ files = [] }) => files.map(({ path }) => tidyPath(path)));
  const files = [...(await base.files()), ...made];
  const stated = new Set(
    (contextPackage.build_facts ?? []).flatMap(({ value }) => value.split(/\s+/)),
  );
  const open = [...new Set(programs)].filter((program) => !stated.has(program));
  const needs = needsOfPrograms(open, files);
  const paths = needs.flatMap(({ kind, program }) =>
    kind === 'path' ? posix.normalize(program) : [],
  );
  const outside = await base.uncommittable(paths);
  const words = needs.flatMap(({ kind, program }) => (kind === 'word' ? program : []));
  const absent = await base.absent(words);
  return new Map(
    needs.flatMap(({ kind, program, why }) => {
      const isUnknown =
        kind === 'word'
          ? absent.has(program)
          : kind === 'file' || !outside.has(posix.normalize(program));
      return isUnknown ? [[program, why] as const] : [];
    }),
  );
}

/** A program that may not run in this repository, and why. */
interface ProgramNeed {
  readonly program: string;
  /** `file`: it lacks a file that it needs; `path`: its path is missing; `word`: no path contains its word. */
  readonly kind: 'file' | 'path' | 'word';
  /** The rest of a sentence that starts with "but". */
  readonly why: string;
}

/** The programs that some files do not show to be usable; `files` are those of the base and of the plan. */
function needsOfPrograms(
  programs: readonly string[],
  files: readonly string[],
): readonly ProgramNeed[] {
  const known = new Set(files);
  const words = new Set(files.flatMap((path) => path.split(/\W+/)));
  return programs.flatMap((program): ProgramNeed[] => {
    if (everywhere.has(program)) return [];
    if (program.includes('/')) {
      const path = posix.normalize(program);
      if (known.has(path) || /^(?:\/|\.\.\/)/.test(path) || built.test(path)) return [];
      return [{ program, kind: 'path', why: 'there is no such file' }];
    }
    const [names] = needed.find(([, programsOf]) => programsOf.split(' ').includes(program)) ?? [];
    if (names === undefined) {
      const why = 'no file of the repository knows this program';
      return words.has(program) ? [] : [{ program, kind: 'word', why }];
    }
    const wanted = names.split(' ');
    const isUsable = files.some((path) => wanted.some((name) => fits(posix.basename(path), name)));
    const why = `the repository has no ${wanted.slice(0, 2).join(' or ')}`;
    return isUsable ? [] : [{ program, kind: 'file', why }];
  });
}

function fits(file: string, name: string): boolean {
  return name.startsWith('*') ? file.endsWith(name.slice(1)) : file === name;
}

/** Folders that are filled by installing and building. */
const built = /(?:^|\/)(?:node_modules|\.?venv|env|target|build|dist|out|bin|vendor)\//;

/** Programs that exist on any machine. */
const everywhere: ReadonlySet<string> = new Set(
  `[ awk basename bash cat chmod cmp cp curl cut date diff dirname echo egrep env expr false fgrep file find
  git grep head jq kill ln ls mkdir mktemp mv printf pwd realpath rg rm rmdir sed seq sh sleep sort stat
  tail tar tee test time timeout touch tr true uniq unzip wc which xargs zip`.split(/\s+/),
);

/** Programs that run code given in their arguments. */
const interpreters: ReadonlySet<string> = new Set(
  'deno node perl php python python3 ruby'.split(' '),
);

/** Files of which a repository must have one, and the programs that cannot work without them. */
const needed: readonly (readonly [files: string, programs: string])[] = [
  ['package.json', 'npm npx yarn pnpm pnpx'],
  ['package.json *.ts *.js', 'bun bunx'],
  ['*.js *.mjs *.cjs *.ts *.mts *.cts package.json', 'node'],
  ['deno.json *.ts deno.jsonc *.js', 'deno'],
  ['Cargo.toml', 'cargo'],
  ['*.rs', 'rustc'],
  ['go.mod *.go', 'go gofmt'],
  ['*.py pyproject.toml', 'python python3 py'],
  [
    'Makefile makefile GNUmakefile *.mk Makefile.am Makefile.in CMakeLists.txt configure',
    'make gmake',
  ],
  ['CMakeLists.txt', 'cmake ctest'],
  ['pom.xml', 'mvn'],
  ['build.gradle build.gradle.kts settings.gradle settings.gradle.kts', 'gradle'],
  ['build.sbt', 'sbt'],
  ['*.java', 'java javac'],
  ['*.csproj *.sln *.slnx *.fsproj *.vbproj', 'dotnet'],
  ['*.rb Gemfile Rakefile *.gemspec', 'ruby bundle rake'],
  ['composer.json *.php', 'composer php'],
  ['mix.exs', 'mix'],
  ['Package.swift', 'swift'],
  ['pubspec.yaml', 'dart flutter'],
];
