// Asks the person at the host before anything that only a person decides, including the use of a folder.
import { findOutside } from '../app/conversation-context.ts';
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server';
import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { consentsFolder, findStartFolder, isFolder, isRepository } from '../app/folders.ts';
import { isInside } from '../git/disk.ts';
import { type Agreement, agreementLines } from '../model/agreement.ts';
import { cleanText } from '../model/clean-text.ts';
import { wrongUsage } from '../model/failure.ts';
import type { HostPermission } from '../model/settings.ts';
import { listed, oneLine } from '../model/wording.ts';
import { writeAtomic } from '../store/atomic.ts';
import { sha256Of } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { guardWrite, nullIfAbsent } from '../store/system-error.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import { type Call, Unanswered } from './tool-host.ts';

const Answer = z.object({ agree: z.boolean().describe('Yes to go on') });

/** A question to a person, with everything that they agree to. */
export interface Consent {
  /** The question without its question mark. */
  readonly asks: string;
  readonly agreement: Agreement & {
    readonly folder: string;
    readonly context?: readonly string[];
  };
  /** The argument that contains the context paths; `context` if absent. */
  readonly name?: string;
  /** The word in `mcp.may` that allows it without a person, and if it does. */
  readonly setting?: HostPermission;
  readonly isAllowed?: boolean;
}

/**
 * Asks if something may be done, and returns the real paths of the context that are outside of the project:
 * these always need a person. Throws `Unanswered` with the question, unless they agreed to exactly this or
 * nobody has to be asked, and `usage` if they declined or the host cannot ask anyone.
 */
export async function askPerson(consent: Consent, call: Call): Promise<string[]> {
  const { asks, agreement, setting, name = 'context', isAllowed = true } = consent;
  const { environment } = call;
  const naming = { cwd: agreement.folder, environment, name };
  const outside = await findOutside(agreement.context ?? [], naming);
  const allowed = await allowedFolders(call);
  const strange = outside.filter((real) => !allowed.some((one) => isInside(one, real)));
  const isWithin = strange.length === 0;
  if (isAllowed && isWithin) return outside;
  const question = {
    asks: isWithin ? asks : `${asks}, with what is not in the project: ${listed(strange)}`,
    agreement: { ...agreement, 'not in the project': strange },
    way: isWithin
      ? setting === undefined
        ? 'allow it in a terminal'
        : `add "${setting}" to [mcp] may in ~/.config/conclave/config.toml`
      : 'copy what is needed into the project',
  };
  await putQuestion(question, call);
  return outside;
}

/** The real paths of the folders that a person released to this server. */
const agreedFolders = new Set<string>();

async function allowedFolders({ environment }: Call): Promise<readonly string[]> {
  const started = await findStartFolder(environment);
  return started === null ? [...agreedFolders] : [started, ...agreedFolders];
}

/**
 * Opens the project of a call. Hosts start a server in any folder, so the folder is an argument and never
 * guessed. Nobody is asked about a git repository, the folder in which the server was started, or a folder that
 * was agreed to. Throws `usage` if the folder is not an absolute path, and like `askPerson`.
 */
export async function openFolder(folder: string, call: Call): Promise<Workplace> {
  const { environment } = call;
  // The folder before `..` may be a link, or another project.
  const isPlain = isAbsolute(folder) && !folder.split('/').includes('..');
  if (!isPlain || !(await isFolder(folder))) {
    throw wrongUsage(
      `folder: ${JSON.stringify(folder).slice(0, 200)} is not an absolute path of a folder; give the folder of the project.`,
    );
  }
  const workplace = await openWorkplace({ cwd: folder, environment, flags: [] });
  const allowed = await allowedFolders(call);
  const strange: string[] = [];
  // A link leads to another place than its name, and sessions may be in a folder above.
  for (const real of new Set([await realpath(folder), await realpath(workplace.root)])) {
    const isKnown = allowed.some((one) => isInside(one, real));
    if (!isKnown && !(await isRepository(real, environment))) strange.push(real);
  }
  if (strange.length > 0) {
    const question = {
      asks: `May this host and the agents that it starts work in ${listed(strange)}, and read all of it, though it is not known to be a project`,
      agreement: { folder: strange },
      way: 'start this server in that folder, or name the folder of a git repository',
    };
    await putQuestion(question, call);
    for (const real of strange) agreedFolders.add(real);
  }
  return workplace;
}

interface Question {
  /** The question without its question mark. */
  readonly asks: string;
  readonly agreement: Agreement;
  /** What a person can do if they cannot be asked. */
  readonly way: string;
}

async function putQuestion({ asks, agreement, way }: Question, call: Call): Promise<void> {
  const { canAsk, ctx, environment } = call;
  const question = `${oneLine(cleanText(asks))}?`;
  const remedy = `A person decides this. Ask them in your host, or let them ${way}.`;
  if (!canAsk) {
    throw wrongUsage(`${question} This host cannot ask a person. ${remedy}`);
  }
  const text = [question, '', ...agreementLines(agreement)].join('\n');
  const requestState = sha256Of(text);
  const { inputResponses: responses } = ctx.mcpReq;
  // An answer counts only if it is about exactly what would be done now.
  if (responses?.['consent'] !== undefined && ctx.mcpReq.requestState() === requestState) {
    if (acceptedContent(responses, 'consent', Answer)?.agree === true) return;
    throw wrongUsage(`The person did not agree. ${remedy}`);
  }
  const message = await fitForm(text, environment);
  throw new Unanswered(
    inputRequired({
      inputRequests: { consent: inputRequired.elicit({ message, requestedSchema: Answer }) },
      requestState,
    }),
  );
}

/** The time after which a question is no longer answered, in ms. */
const longestOpen = 24 * 60 * 60 * 1000;

/** Removes the texts of expired questions. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await nullIfAbsent(lstat(path));
    if (found?.isFile() !== true || Date.now() - found.mtimeMs < longestOpen) continue;
    await rm(path, { force: true });
  }
}

/** Hosts show a form in a part of a terminal, so its lines are limited. */
const mostLines = 40;
const mostCharacters = 3000;

/** Returns the whole text if it fits a form; otherwise its start and end, and the path of a file with all of it. */
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
  return `${start}…\n\n(${text.length} characters: the whole text is in ${file}, and ends like this:)\n\n…${end}`;
}
