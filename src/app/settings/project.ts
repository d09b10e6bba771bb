// Reads a project's `conclave.toml`, what applies of it without trust, and which content the user trusts.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { analystNames } from '../../model/agent-settings.ts';
import { z } from 'zod';
import { Text } from '../../model/plain-shapes.ts';
import { Stopped } from '../../model/failure.ts';
import type { ProjectFact } from '../../model/context.ts';
import { jsonIn } from '../../model/json.ts';
import { settingsTable } from '../../model/settings.ts';
import { oneLine } from '../../model/wording.ts';
import { openSmallFile, type SmallFile, writeUserJson } from '../../store/small-file.ts';
import { nullIfAbsent } from '../../store/system-error.ts';
import { trustFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { type ConfigFile, readConfigFile, settingsBytes } from './config-file.ts';
import type { Leaf, Leaves } from './leaf.ts';
import { agentNamesIn, expandLocal, isOfAgent } from './roster.ts';

/** A project's settings file. */
export interface ProjectFile extends ConfigFile {
  readonly trusted: boolean;
  /** Settings that apply only once the project is trusted. */
  readonly widening: readonly Leaf[];
  /** Constraints of the project that are not the user’s; empty if it is trusted. */
  readonly constraints: readonly string[];
}

/**
 * The `conclave.toml` of a project, with the leaves that apply; null if there is none. `allowed` is the result
 * of the user's own settings and the defaults. Throws `config`, also for a link that leads out of the project.
 */
export async function readProject(given: {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly allowed: Leaves;
}): Promise<ProjectFile | null> {
  const { environment, allowed } = given;
  const root = await realpath(given.root);
  const file = join(root, 'conclave.toml');
  const target = await nullIfAbsent(realpath(file));
  if (target !== null && !target.startsWith(join(root, '/'))) {
    const message = 'this symbolic link leads out of the project, which is refused.';
    throw new Stopped({ reason: 'config', file, message });
  }
  const found = await readConfigFile(file, homeFolder(environment));
  if (found === null) return null;
  const trusted = (await openTrust(trustFile(environment)).read()).trusted[file] === found.hash;
  const { narrowing, widening, said } = split(found.leaves, allowed);
  const counts = (leaf: Leaf) => leaf.setting.isOfUser !== true || narrows(leaf, allowed);
  if (trusted) {
    return { ...found, trusted, leaves: found.leaves.filter(counts), widening, constraints: [] };
  }
  const constraints = said.flatMap(({ value }) => namesOf(value)).map((text) => text.trim());
  const told = constraints.filter((text) => text !== '');
  return { ...found, trusted, leaves: narrowing, widening, constraints: told };
}

function split(leaves: readonly Leaf[], allowed: Leaves) {
  const kinds = Object.groupBy(leaves, (leaf) => {
    if (leaf.setting.untrusted === 'as-data') return 'said';
    return narrows(leaf, allowed) ? 'narrowing' : 'widening';
  });
  const { narrowing = [], widening = [], said = [] } = kinds;
  return { narrowing, widening: [...widening, ...said], said };
}

/** True if a leaf asks for no more than the user allows, so that it needs no trust. */
function narrows({ setting, key, name, value }: Leaf, allowed: Leaves): boolean {
  const { untrusted } = setting;
  if (isOfAgent({ setting }) && !agentNamesIn(allowed).includes(name)) return false;
  // An agent without its own time limit is limited by the common one.
  const { agents, workflow } = settingsTable;
  const total = setting === agents.timeoutMs ? workflow.totalMs.path : '';
  const own = (allowed.get(key) ?? allowed.get(total))?.value ?? setting.default;
  switch (untrusted) {
    case undefined:
    case 'as-data':
      return false;
    case 'any':
      return true;
    case 'at-most':
      return own === undefined || Number(value) <= Number(own);
    case 'among': {
      const names = [...expandLocal(namesOf(own)), ...analystNames];
      return expandLocal(namesOf(value)).every((one) => names.includes(one));
    }
    default:
      return value === untrusted.only || value === own;
  }
}

function namesOf(value: unknown): readonly string[] {
  return [value].flat().map(String);
}

/** Warnings about an untrusted file: which of its settings are ignored, and what it tells agents. */
export function warnOfUntrusted(project: ProjectFile): readonly string[] {
  const { file, trusted, widening, constraints } = project;
  if (trusted) return [];
  const dropped = widening.filter(({ setting }) => setting.untrusted !== 'as-data');
  const keys = dropped.map(({ key }) => key).join(', ');
  const inVain =
    `${file} is not trusted, so it cannot widen what you allow; these settings in it do not ` +
    `count: ${keys}. Read it, then run: conclave config trust`;
  const texts = constraints.map((text) => JSON.stringify(text)).join(', ');
  const told =
    `${file} is not trusted, so agents are told its constraints as the project’s word and not as ` +
    `yours: ${texts}. Read it, then run: conclave config trust`;
  return [...(keys === '' ? [] : [inVain]), ...(texts === '' ? [] : [told])];
}

/** The constraints of an untrusted project, as one of its texts about itself; empty if it has none. */
export function factsOfUntrusted({ constraints }: ProjectFile): readonly ProjectFact[] {
  if (constraints.length === 0) return [];
  const lines = constraints.map((text) => `- ${oneLine(text)}`);
  return [{ source: 'conclave.toml', text: ["The project's constraints:", ...lines].join('\n') }];
}

/** Maps the path of a project's settings file to the sha256 of the trusted content. */
const Trust = z.record(Text, Text);
const TrustFile = z.strictObject({ version: z.literal(1), trusted: Trust });
type TrustFile = z.infer<typeof TrustFile>;

/** Trusts exactly this content of a file, or none if it is null; returns if any content was trusted before. */
export async function setTrust(file: string, hash: string | null, store: string): Promise<boolean> {
  const saved = openTrust(store);
  const { [file]: before, ...others } = (await saved.read()).trusted;
  const trusted = hash === null ? others : { ...others, [file]: hash };
  await saved.write({ version: 1, trusted });
  return before !== undefined;
}

function openTrust(store: string): SmallFile<TrustFile> {
  return openSmallFile({
    read: async () => (await settingsBytes(store))?.toString() ?? null,
    parse(text) {
      const { data } = TrustFile.safeParse(jsonIn(text));
      if (data !== undefined) return data;
      const message = 'the file is damaged; remove it and trust your projects again.';
      throw new Stopped({ reason: 'config', file: store, message });
    },
    write: (trust) => writeUserJson(store, trust),
    missing: { version: 1, trusted: {} },
  });
}
