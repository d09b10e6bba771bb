// Remembers which plans of a host's session were judged, so that none is judged or paid for twice.
import { readFile } from 'node:fs/promises';
import { critiquesFile } from '../app/folders.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { sha256Of } from '../store/digest.ts';
import { writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** The number of recently judged sessions that are remembered. */
const mostSessions = 100;

interface JudgedPlans {
  /** True for a plan that was judged in this session. */
  knows(plan: string): boolean;
  readonly denials: number;
  /** True if the person of this session was already asked. */
  readonly wasAsked: boolean;
  remember(plan: string, as: JudgedAs): Promise<void>;
}

type JudgedAs = 'denied' | 'passed' | 'asked';

/** The hashes of the plans. */
type Judged = Readonly<Record<JudgedAs, readonly string[]>>;

export async function openJudgedPlans(
  session: string,
  environment: NodeJS.ProcessEnv,
): Promise<JudgedPlans> {
  const file = critiquesFile(environment);
  const key = sha256Of(session).slice(0, 16);
  const all = await readAll(file);
  const { denied, passed, asked } = judgedIn(all[key]);
  return {
    knows: (plan) => [...denied, ...passed, ...asked].includes(hashOf(plan)),
    denials: denied.length,
    wasAsked: asked.length > 0,
    async remember(plan, as) {
      // Another hook may have written in between.
      const { [key]: own, ...others } = await readAll(file);
      const judged = judgedIn(own);
      const now = { ...judged, [as]: [...judged[as], hashOf(plan)] };
      const kept = Object.entries(others).slice(1 - mostSessions);
      await writeUserJson(file, { ...Object.fromEntries(kept), [key]: now });
    },
  };
}

function hashOf(plan: string): string {
  return sha256Of(plan.trim()).slice(0, 16);
}

async function readAll(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await nullIfAbsent(readFile(file, 'utf8'));
  const known: unknown = text === null ? {} : jsonIn(text);
  return isObject(known) ? known : {};
}

function judgedIn(value: unknown): Judged {
  const found = isObject(value) ? value : {};
  return {
    denied: texts(found['denied']),
    passed: texts(found['passed']),
    asked: texts(found['asked']),
  };
}

function texts(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
