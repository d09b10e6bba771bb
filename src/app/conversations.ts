// Takes turns in conversations for every door: in `work` an agent acts, in `consult` it gives an opinion.
import { randomInt } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '../agents/agent.ts';
import { meaningOf } from '../agents/model-vocabulary.ts';
import type { Permission } from '../agents/permission.ts';
import { endMarked } from '../agents/process/process-tree.ts';
import type { Restored } from '../git/undo.ts';
import { TurnFacts } from '../conversation/turn-facts.ts';
import { keptConversation, takeTurn, type TurnEnd } from '../conversation/take-turn.ts';
import type { Turn } from '../conversation/turn-request.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { sessionIdPattern } from '../model/id-patterns.ts';
import { jsonIn } from '../model/json.ts';
import { listed } from '../model/wording.ts';
import type { HistoryTurn } from '../store/history.ts';
import { lockSession } from '../store/lock.ts';
import { suggestion } from '../model/closest-name.ts';
import { isNewConversation } from './conversation-history.ts';
import { readContext } from './conversation-context.ts';
import {
  type ConversationPlace,
  conversationPlace,
  lockPlace,
  withHistory,
} from './conversation-place.ts';
import type { TreeLook } from './conversation-tree.ts';
import { planBackground } from './conversation-plan.ts';
import { poolToAsk } from './make-pool.ts';
import { roleText } from './role-text.ts';
import { refuseInside, sessionKey, userMark } from './inside-agent.ts';
import { summarizerFor } from './conversation-agent.ts';
import type { Workplace } from './workplace.ts';

/** A turn as a door asks for it: agent, role and files by their names. */
export interface Talk
  extends
    Workplace,
    Pick<Turn, 'cwd' | 'tool' | 'question' | 'form' | 'signal' | 'markPrefix' | 'onEvent'> {
  readonly agent: string;
  /** The model; null for the agent’s own. */
  readonly model: string | null;
  /** The conversation; null for a new one. */
  readonly session: string | null;
  readonly role: string;
  /** Files and folders, as the user wrote them. */
  readonly context: readonly string[];
  /** The real paths outside of the project that may be among them; absent for any. */
  readonly outside?: readonly string[];
  /** Flags of the agent’s own program. */
  readonly cliFlags?: readonly string[];
  /** The permission of the agent in its folder. */
  readonly permission: Permission;
  /** Called before the agent is asked, with the limits that nothing enforces. */
  readonly onLimits?: (limits: readonly string[]) => void;
  /** Called once if another turn of the same conversation has to end first. */
  readonly onWait: () => void;
}

export interface TalkEnd extends TurnEnd {
  readonly session: string;
  readonly tool: HistoryTurn['tool'];
}

/**
 * Takes one turn. Throws `usage` for an invalid request, and `history-…`; if the agent fails, the turn ends
 * with that.
 */
export async function talk(request: Talk): Promise<TalkEnd> {
  const { root, environment, settings, tool, question, model } = request;
  await refuseInside(environment);
  const session = request.session ?? newConversationId();
  checkConversationId(session);
  const agent = chooseAgent(request);
  const permission = permissionIn(request);
  const wishes = { permission, allowed: [], denied: [], maxTurns: null, model };
  const summarizer = summarizerFor(request);
  const role = await roleText(request.role, request);
  const project = await realpath(root);
  const isNew = request.session !== null && (await isNewConversation(request, session));
  const userKey = await sessionKey(environment);
  const { files, folders } = await readContext(request);
  const place = await conversationPlace(request, { project, session });
  return await withHistory(environment, async (history) => {
    const key = { project, session };
    const lock = await lockConversation(place, request);
    try {
      const { graceMs } = settings.limits;
      for (const mark of history.breakOff(key)) await endMarked(mark, graceMs);
      const unenforced = agent.traits.unenforced({ ...wishes, extraDirs: folders });
      if ((await agent.ready(request.signal)).state === 'ready') request.onLimits?.(unenforced);
      const look: TreeLook = { ...request, permission, folder: place.path, name: session };
      const end = await takeTurn({
        ...request,
        markPrefix: `${request.markPrefix}${userMark(userKey)}`,
        conversation: keptConversation(history, key),
        agent,
        question,
        files,
        role,
        unenforced,
        wishes,
        cwd: tool === 'work' ? request.cwd : place.empty,
        ownSessions: join(place.path, 'homes', agent.name),
        extraDirs: folders,
        folder: place.files,
        // A consulted agent works in an empty folder, so nothing is watched, nor loaded for that.
        ...(tool === 'work' && (await (await import('./conversation-tree.ts')).watchTurn(look))),
        limits: { ...settings.limits, totalMs: turnMs[tool] },
        background: await planBackground(root, session),
        handOffTokens: settings.conversation.handOffTokens,
        summarizer: summarizer === null ? null : { ...summarizer, cwd: place.empty },
        summarizes: settings.conversation.summarize,
      });
      const news = isNew ? [`new conversation: nothing was said in "${session}" before`] : [];
      const facts = { ...end.facts, notes: [...news, ...end.facts.notes] };
      return { ...end, facts, session, tool };
    } finally {
      await lock.release();
    }
  });
}

/** Restores the work tree to its state before the last turn that changed it. Throws `usage` if none did. */
export async function undoLastTurn(
  request: Workplace & Pick<Talk, 'cwd' | 'signal'> & { readonly session: string },
): Promise<Restored & { readonly turn: number }> {
  const { environment, root, session, signal } = request;
  checkConversationId(session);
  const project = await realpath(root);
  const turns = await withHistory(environment, (history) => history.turns({ project, session }));
  const last = turns.findLast(({ facts }) => isUndoable(facts));
  if (last === undefined) {
    throw wrongUsage(
      turns.length === 0
        ? `There is no conversation ${session} in this project.`
        : `No turn of ${session} changed a file that can be brought back.`,
    );
  }
  const { path } = await conversationPlace(request, { project, session });
  const look = {
    root,
    tool: last.tool,
    permission: 'edit' as const,
    folder: path,
    name: session,
    signal,
  };
  const { undoTurn } = await import('./conversation-tree.ts');
  return { turn: last.number, ...(await undoTurn(look, last.number)) };
}

function isUndoable(facts: string): boolean {
  const { data } = TurnFacts.pick({ undo: true }).safeParse(jsonIn(facts));
  return typeof data?.undo === 'string';
}

/** The agent with the flags of this turn. Throws `usage` for an unknown agent or one without a model. */
function chooseAgent(request: Talk): Agent {
  const { agent: name, settings, cliFlags = [] } = request;
  const meaning = meaningOf(name, Object.keys(settings.agents));
  const carrier = 'agent' in meaning ? meaning.agent : name;
  const own = settings.agents[carrier] ?? {};
  const agents = {
    ...settings.agents,
    [carrier]: { ...own, args: [...(own.args ?? []), ...cliFlags] },
  };
  const pool = poolToAsk({ ...request, settings: { ...settings, agents }, remembers: true });
  const agent = pool.get(name);
  const names = pool.models().map((one) => one.name);
  if (agent === undefined || agent.kind !== 'model') {
    const why = meaning.kind === 'nobody' ? `: ${meaning.why}` : '';
    throw wrongUsage(
      `There is no agent ${JSON.stringify(name)}${why}.${suggestion(name, names, ` Known agents: ${listed(names)}.`)}`,
    );
  }
  if (permissionIn(request) !== 'read-only' && !agent.traits.edits) {
    throw wrongUsage(
      `${name} only answers and cannot work in a folder; ask it with "conclave consult", or let another agent work.`,
    );
  }
  return agent;
}

function permissionIn({ tool, permission }: Talk): Permission {
  return tool === 'work' ? permission : 'read-only';
}

/** The time between two attempts to enter a busy conversation, in ms. */
const pause = 200;
/** The longest duration of a turn, in ms, unless the user set the timeout of its agent. */
const turnMs = { work: 1_800_000, consult: 300_000 };

/** Waits until no other turn runs: if two ran at once in one agent session, one of them would be lost. */
async function lockConversation(
  place: ConversationPlace,
  { signal, onWait }: Pick<Talk, 'signal' | 'onWait'>,
): Promise<{ release(): Promise<void> }> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await lockSession(...lockPlace(place));
    } catch (error) {
      if (!(error instanceof Stopped) || error.failure.reason !== 'session-busy') throw error;
      if (tries === 0) onWait();
      await wait(pause + Math.random() * pause, null, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

function checkConversationId(id: string): void {
  if (sessionIdPattern.test(id)) return;
  throw wrongUsage(
    `The session id ${JSON.stringify(id).slice(0, 60)} is not valid: it takes 1 to 128 letters, digits, "-" and "_" and starts with a letter or digit.`,
  );
}

function newConversationId(): string {
  const random = Array.from({ length: 4 }, () => randomInt(36).toString(36)).join('');
  return `talk-${new Date().toISOString().slice(0, 10)}-${random}`;
}
