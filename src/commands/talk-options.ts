// Reads the flags of `work` and `consult`, and describes the outcome of a turn in lines.
import type { Permission } from '../agents/permission.ts';
import type { TalkEnd, undoLastTurn } from '../app/conversations.ts';
import { clause, counted, duration, listed } from '../model/wording.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** The parts of a turn that flags determine; a host can set more with the tool `work_with`. */
export function talkOptions({ readOnly = false, context = [] }: CommonOptions) {
  const permission: Permission = readOnly ? 'read-only' : 'edit-and-shell';
  return { permission, context };
}

/** The agent with the model that answered. */
export function answererOf({ agent, model }: TalkEnd['facts']): string {
  return model === null ? agent : `${agent} (${model})`;
}

/** The end of a turn in one sentence that continues after the name of the agent. */
export function turnEnding({ text, facts, state }: TalkEnd): string {
  const { failure, tokens: used } = facts;
  if (state === 'failed' && failure !== null) {
    const isQuiet = text.trim() === '';
    return `failed: ${clause(failure.reason)}${isQuiet ? '' : '; what it said is above'}.`;
  }
  const known = {
    none: '',
    native: ', in its own session',
    history: ', with the conversation so far',
    'native and history': ', in its own session, with the turns since',
  }[facts.context_source];
  const tokens =
    used === null
      ? ''
      : `, ${used.estimated === true ? 'about ' : ''}${counted(used.input + used.output, 'token')}`;
  return `answered in ${duration(facts.duration_ms)}${tokens}${known}.`;
}

/** The changes of a turn, and everything that must be known about it. */
export function turnFactLines({ session, facts }: TalkEnd): readonly string[] {
  const { diff_stat: stat, files_changed: files } = facts;
  return [
    ...(files.length === 0
      ? []
      : (stat ?? `It changed ${listed(files)}.`).split('\n').map((row) => row.trimEnd())),
    ...(facts.undo === null
      ? []
      : [`To take this back: conclave work --undo --session ${session}`]),
    ...(facts.full_answer === null ? [] : [`Shortened; the whole answer: ${facts.full_answer}`]),
    ...facts.notes.map((note) => `Note: ${note}.`),
  ];
}

/** The limits that nothing enforces, one line each. */
export function limitLines(limits: readonly string[]): readonly string[] {
  return limits.map((limit) => `Not enforced: ${limit}.`);
}

/** Says what undoing a turn brought back, and what not. */
export function undoneText({
  turn,
  files,
  left,
}: Awaited<ReturnType<typeof undoLastTurn>>): string {
  const what = files.length === 0 ? 'no file could be brought back' : `${listed(files)} as before`;
  const rest = left.length === 0 ? '' : `\nNot brought back: ${listed(left)}.`;
  return `Turn ${turn} is undone: ${what}.${rest}`;
}
