// Turns the updates of an ACP session into events.
import type { AgentEvent } from '../../model/agent-event.ts';
import {
  type Fields,
  fieldsIn,
  objectsIn,
  isString,
  textOr,
  textOf,
  textOrNull,
  countOr,
  markCall,
  callOf,
  outputOf,
  commandEvent,
  notDone,
  changeOf,
  diffOf,
} from '../cli/adapter-parts.ts';

/** Patterns that tell a program’s own words apart from those of its model. */
export interface Remarks {
  /** A remark before the model has spoken. */
  readonly notice?: RegExp;
  /** A remark that may come at any time, even within an answer. */
  readonly retry?: RegExp;
  /** An error in place of an answer. */
  readonly error?: RegExp;
}

/** Reads the updates of one turn, and remembers its calls. */
export interface UpdateReader {
  /** Returns the events of an update; null if it is unknown. */
  readonly read: (update: Fields) => readonly AgentEvent[] | null;
  /** Returns a call with everything that was reported about it before. */
  readonly whole: (call: Fields) => Fields;
  /** Returns the latest piece of its text. */
  readonly said: () => string;
}

export function updateReader({ notice, retry }: Remarks = {}): UpdateReader {
  const calls = new Map<string, Fields>();
  let hasSpoken = false;
  let said = '';
  const whole = (call: Fields): Fields => ({
    ...calls.get(textOf(call['toolCallId'])),
    ...present(call),
  });
  return {
    whole,
    said: () => said,
    read(update) {
      const { sessionUpdate: kind, content, title, description } = update;
      if (isString(kind) && untold.has(kind)) return [];
      switch (kind) {
        case 'agent_message_chunk': {
          const text = textIn(content);
          if (retry?.test(text) === true)
            return [{ type: 'retrying', reason: text.trim(), delay: null }];
          if (!hasSpoken && notice?.test(text) === true) return [warningOf(text)];
          hasSpoken ||= text.trim() !== '';
          said = text;
          return text === '' ? [] : [{ type: 'message', content: text, partial: true }];
        }
        case 'agent_thought_chunk':
          return [{ type: 'thinking', content: textIn(content) }];
        case 'notice':
          return [warningOf([title, description].filter(isString).join(': '))];
        case 'tool_call':
        case 'tool_call_update': {
          const id = textOf(update['toolCallId']);
          const isNew = !calls.has(id);
          const call = whole(update);
          calls.set(id, call);
          return callEvents(call, { id, isNew });
        }
        default:
          return null;
      }
    },
  };
}

/** Updates that say nothing about the turn. */
const untold: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
]);

function warningOf(text: string): AgentEvent {
  return { type: 'warning', message: text.trim() };
}

/** The fields of an update. Unchanged ones are missing or null. */
function present(update: Fields): Fields {
  return Object.fromEntries(
    Object.entries(update).filter(([, value]) => value !== null && value !== undefined),
  );
}

function callEvents(
  call: Fields,
  { id, isNew }: { readonly id: string; readonly isNew: boolean },
): readonly AgentEvent[] {
  const begun = isNew ? markCall(id, 'started', [beginOf(call)]) : [];
  const isOver = call['status'] === 'completed' || call['status'] === 'failed';
  return [...begun, ...(isOver ? markCall(id, 'completed', endOf(call)) : [])];
}

function beginOf(call: Fields): AgentEvent {
  const [path] = pathsIn(call);
  if (call['kind'] === 'read' && path !== undefined) return { type: 'file_read', path };
  const told = callOf(call['kind'], call['rawInput']);
  const diff = diffsIn(call).map(diffIn).join('\n');
  return {
    ...told,
    name: told.name || 'other',
    detail: textOr(call['title'], told.detail),
    ...(diff === '' ? {} : { diff }),
  };
}

function endOf(call: Fields): readonly AgentEvent[] {
  const output = outputIn(call);
  if (call['status'] === 'failed') {
    const isDenied = fieldsIn(call['rawOutput'])['code'] === 'denied';
    return [notDone(output, isDenied, textOrNull(call['kind']))];
  }
  switch (call['kind']) {
    case 'edit':
    case 'delete':
    case 'move':
      return changes(call);
    case 'execute': {
      const { command } = fieldsIn(call['rawInput']);
      const { exitCode, exit_code } = fieldsIn(call['rawOutput']);
      const code = countOr(exitCode ?? exit_code, null);
      return [commandEvent(textOf(command), code, output)];
    }
    default:
      return outputOf(output);
  }
}

function changes(call: Fields): readonly AgentEvent[] {
  const diffs = diffsIn(call);
  const how = call['kind'] === 'delete' ? 'delete' : 'update';
  if (diffs.length === 0) return pathsIn(call).map((path) => changeOf(path, how));
  return diffs.map((one) => {
    const isNew = !isString(one['oldText']);
    return changeOf(textOf(one['path']), isNew ? 'add' : how, diffIn(one));
  });
}

function diffsIn({ content }: Fields): readonly Fields[] {
  return objectsIn(content).filter(({ type }) => type === 'diff');
}

function diffIn({ oldText, newText }: Fields): string {
  return diffOf(oldText, newText);
}

function pathsIn({ locations }: Fields): readonly string[] {
  return objectsIn(locations).flatMap(({ path }) => (isString(path) ? path : []));
}

function outputIn({ content, rawOutput }: Fields): string {
  const texts = objectsIn(content).map((part) => textIn(part['content']));
  const { output, error, message } = fieldsIn(rawOutput);
  const raw = [rawOutput, output, error, message].find(isString);
  return texts.join('') || textOf(raw);
}

function textIn(content: unknown): string {
  return textOf(fieldsIn(content)['text']);
}
