// Holds a conversation at the terminal, for `conclave work` and `conclave consult` without a task.
import { agentForModel, readyAgent } from '../app/conversation-agent.ts';
import { isNewConversation, turnsOf } from '../app/conversation-history.ts';
import { talk, undoLastTurn } from '../app/conversations.ts';
import { roleText } from '../app/role-text.ts';
import { loadSettings } from '../app/settings/load-settings.ts';
import type { Workplace } from '../app/workplace.ts';
import { activityOf } from '../faces/short-forms.ts';
import type {
  ChatState,
  ChatTool,
  ChatEnd,
  ChatPorts,
  ChatReply,
} from '../faces/tui/chat/chat-state.ts';
import { Stopped } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { tellTurn } from '../phases/documents/turn-document.ts';
import { printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import {
  answererOf,
  limitLines,
  talkOptions,
  turnEnding,
  turnFactLines,
  undoneText,
} from './talk-options.ts';
import { chatTerminal } from './wiring/choose-face.ts';
import { interruptible } from './wiring/interruptions.ts';

/** Shows the chat until the person leaves it. Returns the exit code, or that of the plan it led to. */
export async function chatCommand(tool: ChatTool, options: CommonOptions): Promise<number> {
  const { root, environment } = options;
  const settings = await loadSettings({ root, environment });
  printWarnings(settings.warnings);
  const workplace = { root, environment, settings };
  const start = await startOf(tool, { options, workplace });
  const { showChat } = await import('../faces/tui/chat/chat-screen.tsx');
  const terminal = chatTerminal(workplace);
  const end = await interruptible(async ({ signal, markPrefix }) => {
    const ports = chatPorts({ options, workplace, markPrefix });
    return await showChat({ start, ports, terminal, environment, signal });
  });
  if (end.kind === 'plan') return await planFrom(end, options);
  if (end.session !== null) printLines(`To go on: conclave ${tool} --session ${end.session}`);
  return 0;
}

interface Place {
  readonly options: CommonOptions;
  readonly workplace: Workplace;
}

async function startOf(tool: ChatTool, { options, workplace }: Place): Promise<ChatState> {
  const { agent, model, session, role = 'default' } = options;
  if (session !== undefined) await isNewConversation(workplace, session);
  const turns = session === undefined ? [] : await turnsOf(workplace, session);
  return {
    tool,
    who: agent ?? model ?? turns.at(-1)?.agent ?? (await readyAgent(workplace, tool)).agent,
    role,
    session: session ?? null,
    turns: turns.map((turn) => ({ ...tellTurn(turn), startedAt: 0 })),
    top: null,
    note: null,
    now: Date.now(),
  };
}

function chatPorts({
  options,
  workplace,
  markPrefix,
}: Place & { readonly markPrefix: string }): ChatPorts {
  const asked = (who: string, tool: ChatTool) => agentForModel({ ...workplace, model: who, tool });
  // The limits that were already shown, because an agent’s limits are the same in each turn.
  const told = new Set<string>();
  return {
    async ask({ tool, who, role, session, question, signal, onActivity }) {
      const reply = tryReply(async () => {
        const { agent, model, settings } = asked(who, tool);
        let limits: readonly string[] = [];
        const end = await talk({
          ...workplace,
          ...talkOptions(options),
          cwd: options.cwd,
          settings,
          tool,
          agent,
          model: options.agent === who ? (options.model ?? model) : model,
          question,
          session,
          role,
          form: null,
          signal,
          markPrefix,
          onLimits(unenforced) {
            if (!told.has(agent)) limits = limitLines(unenforced);
            told.add(agent);
            for (const limit of limits) onActivity(limit);
          },
          onEvent(event) {
            const activity = activityOf(event);
            if (activity !== null) onActivity(activity);
          },
          onWait: () => onActivity('waiting for another turn of this conversation to end'),
        });
        const { state, text, session: id } = end;
        return {
          ok: true,
          session: id,
          state,
          who: answererOf(end.facts),
          answer: text.trim(),
          facts: [turnEnding(end), ...turnFactLines(end), ...limits],
        };
      });
      return await reply.catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return { ok: false, why: 'Stopped.' };
      });
    },
    whyUnknown(who, tool) {
      try {
        asked(who, tool);
        return null;
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        return `Nobody is known for ${JSON.stringify(who)}; name an agent or a model.`;
      }
    },
    async undo(session) {
      const undone = await tryReply(async () => {
        const { cwd } = options;
        const place = { ...workplace, cwd, session, signal: neverAborted };
        return { ok: false, why: undoneText(await undoLastTurn(place)) };
      });
      return undone.ok ? '' : undone.why;
    },
    async whyNoRole(role) {
      const found = await tryReply(async () => {
        await roleText(role, workplace);
        return { ok: false, why: '' };
      });
      return found.ok || found.why === '' ? null : found.why;
    },
  };
}

/** Turns an expected failure into a reply. */
async function tryReply(act: () => Promise<ChatReply>): Promise<ChatReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { ok: false, why: error.message };
  }
}

/** Plans what the conversation led to, as `conclave plan --session` does. */
async function planFrom(
  { session, task }: Extract<ChatEnd, { kind: 'plan' }>,
  { cwd, environment }: CommonOptions,
): Promise<number> {
  const { behindFace } = await import('./wiring/choose-face.ts');
  const { planCommand } = await import('./plan-command.ts');
  const values = { session, cwd };
  return await behindFace({ values, opens: 'run' }, async (face) => {
    return await planCommand(task === '' ? [] : [task], { values, face, environment });
  });
}
