// Makes and reads the lines of JSON-RPC that an ACP agent is talked to with.
import { isObject, jsonIn } from '../../model/json.ts';
import { countOr, type Fields, fieldsIn, isString, textOr } from '../cli/adapter-parts.ts';

type Id = string | number;

/** A line of an ACP agent: a request to us, a notice, or the answer to a request of ours. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Fields }
  | { readonly kind: 'notice'; readonly method: string; readonly params: Fields }
  | { readonly kind: 'result'; readonly id: Id; readonly result: Fields }
  | { readonly kind: 'refusal'; readonly id: Id; readonly code: number; readonly text: string };

/** Null for a line that is no JSON-RPC. */
export function incomingIn(line: string): Incoming | null {
  const told = jsonIn(line);
  if (!isObject(told)) return null;
  const { id, method, params, error, result } = told;
  if (isString(method)) {
    const call = { method, params: fieldsIn(params) };
    return isId(id) ? { kind: 'request', id, ...call } : { kind: 'notice', ...call };
  }
  if (!isId(id)) return null;
  if (error === undefined) return { kind: 'result', id, result: fieldsIn(result) };
  return { kind: 'refusal', id, ...faultIn(fieldsIn(error)) };
}

/** Some put the cause into the data and say only "Internal error". */
function faultIn({ code, message, data }: Fields) {
  const details = isString(data) ? data : fieldsIn(data)['details'];
  const text = textOr(message, '');
  const cause = textOr(details, '');
  const said = cause === '' || text.includes(cause) ? text : `${text}: ${cause}`;
  return { code: typeof code === 'number' ? code : 0, text: said };
}

function isId(value: unknown): value is Id {
  return isString(value) || countOr(value, null) !== null;
}

export function requestLine(id: number, method: string, params: Fields): string {
  return lineOf({ id, method, params });
}

export function noticeLine(method: string, params: Fields): string {
  return lineOf({ method, params });
}

export function resultLine(id: Id, result: Fields): string {
  return lineOf({ id, result });
}

/** The answer to a request for something that we do not offer. */
export function refusalLine(id: Id, method: string): string {
  return lineOf({ id, error: { code: -32_601, message: `"${method}" is not offered` } });
}

function lineOf(message: Fields): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
