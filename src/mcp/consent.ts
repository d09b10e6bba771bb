// Asks the person at the host before something that only a person decides.
import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { consentsFolder } from '../app/folders.ts';
import { isInside } from '../git/disk.ts';
import { type Agreement, agreementLines } from '../model/agreement.ts';
import { cleanText } from '../model/clean-text.ts';
import { wrongUsage } from '../model/failure.ts';
import { listed, oneLine } from '../model/wording.ts';
import { writeAtomic } from '../store/atomic.ts';
import { sha256Of } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { guardWrite, nullIfAbsent } from '../store/system-error.ts';
import { loadParts, type ToolHost } from './tool-host.ts';

const Answer = z.object({ agree: z.boolean().describe('Yes to go on') });

/** A question to a person, with all that they agree to. */
export interface Consent {
  /** Without its question mark. */
  readonly asks: string;
  readonly agreement: Agreement & {
    readonly folder: string;
    readonly context?: readonly string[];
  };
  /** The argument with the paths of the context; `context` without it. */
  readonly name?: string;
  /** The setting that allows it without a person, e.g. `may_decide`, and whether it does. */
  readonly setting?: string;
  readonly isAllowed?: boolean;
}

/**
 * Asks whether that may be done. A path of the context that is not in the project always needs a
 * person. Throws `usage` where they declined, or the host can ask nobody. `open` is the question for
 * the host; null where they agreed to exactly this, or nobody has to be asked. `outside` has the real
 * paths that are not in the project.
 */
export async function askPerson(
  consent: Consent,
  host: ToolHost,
  ctx: ServerContext,
): Promise<{ readonly open: InputRequiredResult | null; readonly outside: string[] }> {
  const { asks, agreement, setting, name = 'context', isAllowed = true } = consent;
  const { findOutside } = await loadParts();
  const naming = { cwd: agreement.folder, environment: host.environment, name };
  const outside = await findOutside(agreement.context ?? [], naming);
  const allowed = await allowedFolders(host);
  const strange = outside.filter((real) => !allowed.some((one) => isInside(one, real)));
  if (isAllowed && strange.length === 0) return { open: null, outside };
  const isWithin = strange.length === 0;
  const open = await openQuestion(
    {
      asks: isWithin ? asks : `${asks}, with what is not in the project: ${listed(strange)}`,
      agreement: { ...agreement, 'not in the project': strange },
      way: isWithin
        ? `set [mcp] ${setting} = true in ~/.config/conclave/config.toml`
        : 'copy what is needed into the project',
    },
    host,
    ctx,
  );
  return { open, outside };
}

/** The real paths of the folders that a person let this server have. */
const agreedFolders = new Set<string>();

async function allowedFolders({ environment }: ToolHost): Promise<readonly string[]> {
  const { findStartFolder } = await loadParts();
  const started = await findStartFolder(environment);
  return started === null ? [...agreedFolders] : [started, ...agreedFolders];
}

/**
 * Asks whether the host may have these folders, by their real paths. Nobody is asked for a git
 * repository, for the folder that the server was started in, and for one that was agreed to. Throws
 * like `askPerson`, and returns its `open`.
 */
export async function askForFolders(
  places: readonly string[],
  host: ToolHost,
  ctx: ServerContext | null,
): Promise<InputRequiredResult | null> {
  const { isRepository } = await loadParts();
  const allowed = await allowedFolders(host);
  const strange: string[] = [];
  for (const real of new Set(places)) {
    if (allowed.some((one) => isInside(one, real))) continue;
    if (!(await isRepository(real, host.environment))) strange.push(real);
  }
  if (strange.length === 0) return null;
  const question = {
    asks: `May this host and the agents that it starts work in ${listed(strange)}, and read all of it, though it is not known to be a project`,
    agreement: { folder: strange },
    way: 'start this server in that folder, or name the folder of a git repository',
  };
  const open = await openQuestion(question, host, ctx);
  if (open === null) for (const real of strange) agreedFolders.add(real);
  return open;
}

interface Question {
  /** Without its question mark. */
  readonly asks: string;
  readonly agreement: Agreement;
  /** What a person can do where they cannot be asked. */
  readonly way: string;
}

async function openQuestion(
  { asks, agreement, way }: Question,
  { canAsk, environment }: ToolHost,
  ctx: ServerContext | null,
): Promise<InputRequiredResult | null> {
  const question = `${oneLine(cleanText(asks))}?`;
  const remedy = `A person decides this. Ask them in your host, or let them ${way}.`;
  if (ctx === null || !canAsk(ctx)) {
    throw wrongUsage(`${question} This host cannot ask a person. ${remedy}`);
  }
  const text = [question, '', ...agreementLines(agreement)].join('\n');
  const requestState = sha256Of(text);
  const { inputResponses: responses } = ctx.mcpReq;
  // An answer to anything else than what would be done now counts for nothing.
  if (responses?.['consent'] !== undefined && ctx.mcpReq.requestState() === requestState) {
    if (acceptedContent(responses, 'consent', Answer)?.agree === true) return null;
    throw wrongUsage(`The person did not agree. ${remedy}`);
  }
  const message = await fitForm(text, environment);
  return inputRequired({
    inputRequests: { consent: inputRequired.elicit({ message, requestedSchema: Answer }) },
    requestState,
  });
}

/** The time after which nobody answers a question any more, in ms. */
const longestOpen = 24 * 60 * 60 * 1000;

/** Removes the texts of questions that are no longer open. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await nullIfAbsent(lstat(path));
    if (found?.isFile() !== true || Date.now() - found.mtimeMs < longestOpen) continue;
    await rm(path, { force: true });
  }
}

/** Hosts show a form in a part of a terminal. */
const mostLines = 40;
const mostCharacters = 3000;

/** All of a text that fits a form; else its beginning and its end, and the path of a file with all of it. */
async function fitForm(text: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const lines = text.split('\n');
  if (lines.length <= mostLines && text.length <= mostCharacters) return text;
  const file = join(consentsFolder(environment), `${sha256Of(text).slice(0, 16)}.txt`);
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  await guardWrite(file, () => removeOld(dirname(file)));
  await writeAtomic(file, `${text}\n`);
  const [part, most] = [mostLines / 2 - 3, mostCharacters / 2];
  const start = lines.slice(0, part).join('\n').slice(0, most);
  const end = lines.slice(-part).join('\n').slice(-most);
  return `${start}…\n\n(${text.length} characters: all of it stands in ${file}, and ends so:)\n\n…${end}`;
}
