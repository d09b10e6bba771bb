import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { planning, proposing } from './planned-rig.ts';
import { program, type Rig } from './rig.ts';
import { todoRig } from './test-rig.ts';
import { configureVendors, listSolution } from './vendors.ts';

/** The eras of the protocol: hosts speak the one of 2025, or negotiate a later one. */
export const eras = ['legacy', 'auto'] as const;

type Facts = Readonly<Record<string, unknown>>;

/** The todo project with two vendors that plan the same thing, and answer any other request in a word. */
export async function hostRig(more = '') {
  const rig = await todoRig();
  const vendor = {
    propose: proposing(listSolution()),
    plan: planning,
    else: { answer: 'a word' },
  };
  configureVendors(rig, { alpha: vendor, beta: vendor }, more);
  return rig;
}

/** A host that has the server of the rig, and can ask nobody unless `person` says what a person does. */
export async function connect(
  rig: Rig,
  {
    person,
    environment = {},
    era = 'legacy',
    name: clientName = 'host',
    cwd = rig.home,
  }: HostOptions = {},
) {
  const env = { ...rig.environment, ...environment };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: Object.fromEntries(
      Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
    ),
    cwd,
  });
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: clientName, version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: era } },
  );
  const questions: string[] = [];
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return answersOf[person];
    });
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Facts = {}) => {
    // A job knows its own folder.
    const place = name.startsWith('job_') ? {} : { folder: rig.repo };
    const result = await client.callTool({ name, arguments: { ...place, ...input } });
    const [block] = Array.isArray(result.content) ? result.content : [];
    const text = block?.type === 'text' ? block.text : '';
    return { text, isError: result.isError === true, facts: factsIn(result.structuredContent) };
  };
  return { client, call, questions, pid: () => transport.pid };
}

const answersOf = {
  agrees: { action: 'accept', content: { agree: true } },
  'says no': { action: 'accept', content: { agree: false } },
  declines: { action: 'decline' },
  'closes the question': { action: 'cancel' },
} as const;

export interface HostOptions {
  /** The folder that the server is started in; the home without it. */
  readonly cwd?: string;
  readonly name?: string;
  readonly era?: (typeof eras)[number];
  readonly person?: keyof typeof answersOf;
  readonly environment?: NodeJS.ProcessEnv;
}

const factsIn = (value: unknown): Facts => Object.fromEntries(Object.entries(value ?? {}));
