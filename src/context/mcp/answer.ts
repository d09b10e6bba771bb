import { z } from 'zod';
import { cleanText } from '../../model/clean-text.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { withoutTokens } from '../../model/secrets.ts';
import { oneLine } from '../../model/wording.ts';
import { failed, type Found } from './fault.ts';
import { placesInJson } from './json-places.ts';
import { readingsOf, type Place } from './places.ts';

const ToolResult = z.object({
  content: z
    .array(
      z.object({
        text: z.string().optional(),
        uri: z.string().optional(),
        resource: z.object({ uri: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/**
 * What a tool said, as places in the code: several readings, the surest first. A failure is one
 * clause with the words of the server, e.g. that it has no index yet.
 */
export function placesOf(result: unknown): Found<readonly (readonly Place[])[]> {
  const parsed = ToolResult.safeParse(result);
  if (!parsed.success) return failed('its server answered in an unknown form');
  const { content = [], structuredContent, isError } = parsed.data;
  const text = content
    .map((part) => part.text ?? '')
    .join('\n')
    .trim();
  if (isError === true || saysError.test(text)) return failed(`its server failed: ${quoted(text)}`);
  const uris = content.flatMap(({ uri, resource }) => [uri, resource?.uri] as const);
  const linked = uris.flatMap((uri) =>
    uri === undefined ? [] : [{ names: [uri], start: null, end: null }],
  );
  const data = structuredContent ?? jsonIn(text);
  const structured = isObject(data) || Array.isArray(data) ? placesInJson(data) : [];
  const readings = [structured, linked, ...readingsOf(text)].filter(({ length }) => length > 0);
  return readings.length > 0
    ? { ok: true, value: readings }
    : failed(`its server named no file: ${quoted(text)}`);
}

/** Some servers tell a failure like any other text. */
const saysError = /^\W*(?:error|exception|traceback)\b/i;

/** The first words of a text from outside, on one line and safe to show. */
function quoted(text: string): string {
  const line = withoutTokens(oneLine(cleanText(text)));
  if (line === '') return 'an empty answer';
  return `"${line.length > 160 ? `${line.slice(0, 160)}…` : line}"`;
}
