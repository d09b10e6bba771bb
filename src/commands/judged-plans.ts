// Remembers which plans of a host's session were denied, so that none is denied twice.
import { readFile } from 'node:fs/promises';
import { critiquesFile } from '../app/folders.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { sha256Of } from '../store/digest.ts';
import { writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** The number of recently judged sessions that are remembered. */
const mostSessions = 100;

interface JudgedPlans {
  /** True for a plan that was denied in this session. */
  wasDenied(plan: string): boolean;
  readonly denials: number;
  rememberDenied(plan: string): Promise<void>;
}

export async function openJudgedPlans(
  session: string,
  environment: NodeJS.ProcessEnv,
): Promise<JudgedPlans> {
  const file = critiquesFile(environment);
  const key = sha256Of(session).slice(0, 16);
  const all = await readAll(file);
  const denied = texts(all[key]);
  return {
    wasDenied: (plan) => denied.includes(hashOf(plan)),
    denials: denied.length,
    async rememberDenied(plan) {
      // Another hook may have written in between.
      const { [key]: own, ...others } = await readAll(file);
      const kept = Object.entries(others).slice(1 - mostSessions);
      const now = [...texts(own), hashOf(plan)];
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

function texts(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
