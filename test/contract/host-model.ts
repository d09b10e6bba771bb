import type { Reply } from './model-server/reply.ts';
import type { LoggedRequest, ModelServer } from './model-server/server.ts';
import type { CliName } from './real-clis.ts';

/** One tool of ours that a scripted model calls, again and again until the result holds what it waits for. */
export interface ToolStep {
  readonly tool: string;
  readonly until: RegExp;
  /** What it gives, from the results before. */
  readonly given: (results: string) => object;
}

/** In the prompt of whoever is to play. */
export const playMarker = 'PLAY-CONCLAVE';

/** The names that each host gives to the tools of the package. */
const nameIn: Readonly<Record<CliName, (tool: string) => string>> = {
  claude: (tool) => `mcp__plugin_conclave_conclave__${tool}`,
  codex: (tool) => `mcp__conclave__${tool}`,
  gemini: (tool) => `mcp_conclave_${tool}`,
  copilot: (tool) => `conclave-${tool}`,
  opencode: (tool) => `conclave_${tool}`,
};

/** Lets the model of a host call tools of ours one after the other, and end with a word. */
export function playTools(
  server: ModelServer,
  host: CliName,
  steps: readonly ToolStep[],
): { readonly results: () => string; readonly isOver: () => boolean } {
  const left = [...steps];
  let results = '';
  const wanted = [...new Set(steps.map(({ tool }) => nameIn[host](tool)))];
  server.fallback((asked) => {
    if (!asked.prompt.includes(playMarker)) return { kind: 'text', text: 'Hello.' };
    const last = asked.toolResults.at(-1) ?? '';
    results += `${last}\n`;
    if (left[0]?.until.test(last) === true) left.shift();
    const [step] = left;
    if (step === undefined) return { kind: 'text', text: 'It is done.' };
    return searchFirst(asked, wanted) ?? callOf(nameIn[host](step.tool), step.given(results));
  });
  return { results: () => results, isOver: () => left.length === 0 };
}

/** claude shows the tools of servers only to those who search for them. */
function searchFirst({ tools }: LoggedRequest, wanted: readonly string[]): Reply | null {
  if (!tools.includes('ToolSearch') || wanted.every((tool) => tools.includes(tool))) return null;
  return callOf('ToolSearch', { query: `select:${wanted.join(',')}`, max_results: 9 });
}

function callOf(name: string, given: object): Reply {
  return { kind: 'tool', tool: 'shell', target: '', call: [name, given] };
}
