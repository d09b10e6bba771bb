import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Examination, ProposedSolution } from '../../src/model/proposal.ts';
import { type Rig, fixture } from './rig.ts';

type Action = Readonly<Record<string, unknown>>;

/** What a fake vendor does, by phase and round: see test/fixtures/agents/vendor.mjs. */
export type VendorScript = Readonly<Record<string, Action | string | number>>;

/** Configures fake vendors as the only agents: each a program of its own, with a script. */
export function configureVendors(
  rig: Rig,
  scripts: Readonly<Record<string, VendorScript>>,
  more = '',
): void {
  const agents = Object.entries(scripts).map(([name, script]) => {
    const file = join(rig.home, `${name}.json`);
    mkdirSync(dirname(witnessFile(rig, name)), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ model: `${name}-model`, witness: witnessFile(rig, name), ...script }),
    );
    return `[agents.${name}]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('vendor'), file])}
vendor = "vendor-${name}"
`;
  });
  const tools = JSON.stringify(Object.keys(scripts));
  // Proofs have tests of their own.
  const proofs = more.includes('code_before_approval') ? '' : 'code_before_approval = "off"\n';
  rig.config(
    `[workflow]\ntools = ${tools}\nfallback_chain = ${tools}\n${proofs}${more}\n${agents.join('\n')}`,
  );
}

/** What a vendor wrote down itself: `start propose-1 PID` and `end propose-1 PID` lines. */
export function witnessed(rig: Rig, name: string): readonly string[] {
  const file = witnessFile(rig, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
}

/** In the vendor’s own folder, to which it may write also while it plans. */
const witnessFile = (rig: Rig, name: string) => join(rig.home, `.${name}`, 'witness');

/** A solution for the todo project; each part can be replaced. */
export function listSolution(part: Partial<ProposedSolution> = {}): ProposedSolution {
  return {
    name: 'Branch in listTodos',
    summary: 'listTodos looks for --json among its arguments and prints the todos as JSON.',
    feasibility: 0.9,
    effort: 'low',
    risk: 'low',
    implementation_plan: {
      approach:
        'Read the flag from args in listTodos and print JSON.stringify(todos) when it is set.',
      tasks: [
        {
          id: 'T1',
          name: 'Print JSON from listTodos when --json is given',
          depends_on: [],
          files: [{ file: 'src/commands/list.js', line: 4, action: 'modify' }],
          key_point: 'The flag is read from args.',
        },
        {
          id: 'T2',
          name: 'Test the JSON output of listTodos',
          depends_on: ['T1'],
          files: [{ file: 'test/list.test.js', line: 5, action: 'modify' }],
          key_point: 'Parse the output again.',
        },
      ],
      execution_flow: 'T1 → T2',
      milestones: ['todo list --json prints an array'],
    },
    dependencies: { internal: ['src/store.js'], external: [] },
    technical_concerns: ['console.log of large lists'],
    pros: ['Smallest change'],
    cons: ['Parses flags by hand'],
    claims: [
      {
        statement: 'listTodos is given the arguments and does not use them',
        path: 'src/commands/list.js',
        line: 4,
        quote: 'export function listTodos(args) {',
      },
      {
        statement: 'readTodos returns parsed JSON',
        path: 'src/store.js',
        line: 6,
        quote: "return JSON.parse(readFileSync(file, 'utf8'));",
      },
    ],
    ...part,
  };
}

/** Another approach, which no vendor above shares. */
export function formatterSolution(part: Partial<ProposedSolution> = {}): ProposedSolution {
  return listSolution({
    name: 'A formatter module chosen in the command line',
    summary: 'A new module holds formatters; cli.js chooses one by flag and hands it to listTodos.',
    feasibility: 0.7,
    effort: 'medium',
    risk: 'medium',
    implementation_plan: {
      approach:
        'Create src/format.js with text and json formatters and pass the chosen one from cli.js.',
      tasks: [
        {
          id: 'T1',
          name: 'Create the formatter module',
          depends_on: [],
          files: [{ file: 'src/format.js', action: 'create' }],
          key_point: 'One function for each format.',
        },
        {
          id: 'T2',
          name: 'Choose the formatter in the command line',
          depends_on: ['T1'],
          files: [{ file: 'src/cli.js', line: 6, action: 'modify' }],
          key_point: null,
        },
      ],
      execution_flow: 'T1 → T2',
      milestones: ['both formats are tested'],
    },
    claims: [
      {
        statement: 'cli.js calls listTodos with the rest of the arguments',
        path: 'src/cli.js',
        line: 6,
        quote: "if (command === 'list') listTodos(args);",
      },
    ],
    ...part,
  });
}

/** Stances by label, e.g. `{ A: 'support' }`, with a reason each. */
export function stances(
  by: Readonly<Record<string, 'support' | 'oppose' | 'unsure'>>,
  // Which of its own solutions a revision is of, the fake vendor reads in its prompt.
  part: Partial<Omit<Examination, 'revision'>> & { readonly revision?: ProposedSolution } = {},
): Action {
  return {
    stances: Object.entries(by).map(([solution, stance]) => ({
      solution,
      stance,
      reasons: [`The smallest change that does it: ${stance} ${solution}.`],
      evidence: [
        {
          statement: 'the arguments are there already',
          path: 'src/commands/list.js',
          line: 4,
          quote: 'export function listTodos(args) {',
        },
      ],
    })),
    revision: null,
    search_terms: [],
    questions: [],
    ...part,
  };
}
