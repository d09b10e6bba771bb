// Runs `conclave work` and `conclave consult`.
import { neverAborted } from '../model/signal.ts';
import { talk, type TalkEnd, undoLastTurn } from '../app/conversations.ts';
import { findSession } from '../app/find-session.ts';
import { readOutputFormat } from '../app/output-format.ts';
import { agentForModel, readyAgent } from '../app/conversation-agent.ts';
import { loadSettings, type Settings } from '../app/settings/load-settings.ts';
import { activityOf } from '../faces/short-forms.ts';
import type { HistoryTurn } from '../store/history.ts';
import { cleanText } from '../model/clean-text.ts';
import { prose } from '../model/document.ts';
import { wrongUsage } from '../model/failure.ts';
import { printJson, printLines, printPage, printWarnings, progressLine } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import {
  answererOf,
  limitLines,
  talkOptions,
  turnEnding,
  turnFactLines,
  undoneText,
} from './talk-options.ts';
import { wordsOrInput } from './task-text.ts';
import { interruptible } from './wiring/interruptions.ts';

/** `conclave work`: one agent acts; the exit code is 3 if it failed. */
export async function workCommand(
  words: readonly string[],
  options: CommonOptions,
): Promise<number> {
  return options.undo === true
    ? await undo(words, options)
    : await converse('work', words, options);
}

/** `conclave consult`: one agent is asked; the exit code is 3 if it failed. */
export async function consultCommand(
  words: readonly string[],
  options: CommonOptions,
): Promise<number> {
  return await converse('consult', words, options);
}

async function converse(
  tool: HistoryTurn['tool'],
  words: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const { root, cwd, environment, json } = options;
  const isAtTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (words.length === 0 && isAtTerminal && !json && options.format === undefined) {
    return await (await import('./chat-command.ts')).chatCommand(tool, options);
  }
  const question = await wordsOrInput(words, `conclave ${tool}`);
  const loaded = await loadSettings({ root, environment });
  printWarnings(loaded.warnings);
  const isAnybody = options.agent === undefined && options.model === undefined;
  const ready = isAnybody
    ? await readyAgent({ root, environment, settings: loaded }, tool)
    : { note: null };
  if (ready.note !== null) printWarnings([`Note: ${ready.note}`]);
  const named = { ...options, ...(isAnybody && ready) };
  const { agent, model, settings, way, program } = askedIn(named, { tool, settings: loaded });
  if (way !== null) printWarnings([`Note: ${way}; --agent ${program} asks its program.`]);
  const given = options.format ?? 'text';
  const form = await readOutputFormat(given, { cwd, name: '--format' });
  const line = progressLine();
  const end = await interruptible(async ({ signal, markPrefix }) => {
    line.say(`${agent} is asked …`);
    return await talk({
      root,
      cwd,
      environment,
      settings,
      tool,
      agent,
      question,
      model,
      session: options.session ?? null,
      role: options.role ?? 'default',
      ...talkOptions(options),
      form,
      signal,
      markPrefix,
      onLimits(limits) {
        line.end();
        printWarnings(limitLines(limits));
      },
      onEvent(event) {
        const activity = activityOf(event);
        if (activity !== null) line.say(`${agent}: ${activity}`);
      },
      onWait: () =>
        line.say('Another turn of this conversation is running; waiting for it to end …'),
    }).finally(line.end);
  });
  if (json) printJson(document(end));
  else await print(end, options);
  return end.state === 'answered' ? 0 : 3;
}

/** Says who is asked: the named agent, else the agent of the named model. */
function askedIn(
  { agent, model = '', environment }: CommonOptions,
  { tool, settings }: { readonly tool: HistoryTurn['tool']; readonly settings: Settings },
) {
  if (agent === undefined) return agentForModel({ model, tool, settings, environment });
  return { agent, model: model || null, settings, way: null, program: null };
}

function document({ session, tool, number, state, text, facts }: TalkEnd) {
  return { session, turn: number, tool, state, text, ...facts };
}

/** Prints the answer on stdout, formatted on a terminal with colours, and who gave it and with what effects on stderr. */
async function print(end: TalkEnd, options: CommonOptions): Promise<void> {
  const { agent, environment } = options;
  const { session, tool, text } = end;
  const { isTTY, columns } = process.stdout;
  if (isTTY && !environment['NO_COLOR']) {
    const { paintLines } = await import('../faces/tui/document-rows.ts');
    printPage(paintLines([prose(text)], { width: Math.min(columns, 120) }, environment));
  } else if (text.trim() !== '') printLines(cleanText(text.trim()));
  printWarnings([
    `${answererOf(end.facts)} ${turnEnding(end)}`,
    ...turnFactLines(end),
    end.state === 'answered'
      ? `To go on: conclave ${tool}${agent === undefined ? '' : ` --agent ${agent}`} --session ${session} "…"`
      : `To ask another agent: conclave ${tool} --agent NAME --session ${session} "…"`,
  ]);
}

/** Restores the work tree to its state before the last turn that changed it. */
async function undo(words: readonly string[], options: CommonOptions): Promise<number> {
  const { root, cwd, environment, json } = options;
  if (words.length > 0) throw wrongUsage('--undo takes no task; give it alone, with --session.');
  if (options.session === undefined)
    throw wrongUsage('--undo needs the conversation: --session SESSION.');
  const { id: session } = await findSession({ root, environment }, options.session);
  const settings = await loadSettings({ root, environment });
  const workplace = { root, environment, settings };
  const undone = { ...workplace, cwd, session, signal: neverAborted };
  const restored = await undoLastTurn(undone);
  const { turn, files, left } = restored;
  if (json) printJson({ session, turn, files, not_brought_back: left });
  else printLines(undoneText(restored));
  return 0;
}
