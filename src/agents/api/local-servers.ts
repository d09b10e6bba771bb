// Finds servers of local models on this machine, to offer them.
import { isObject, jsonIn } from '../../model/json.ts';

/** A server of local models that answers on this machine. */
export interface LocalServer {
  readonly label: string;
  readonly baseUrl: string;
  /** The names of its models; empty if it has none yet. */
  readonly models: readonly string[];
}

interface Place {
  readonly label: string;
  /** The address without a path, on loopback. */
  readonly origin: string;
}

/** The usual places of Ollama, which its own variable may change, and of LM Studio. */
export function usualPlaces(environment: NodeJS.ProcessEnv): readonly Place[] {
  return [
    { label: 'Ollama', origin: `http://127.0.0.1:${ollamaPort(environment)}` },
    { label: 'LM Studio', origin: 'http://127.0.0.1:1234' },
  ];
}

/**
 * The place of llama.cpp, which its own variable may change, too. Its usual port is often that of
 * the user’s own web server, so it is only checked when everything is examined.
 */
export function llamaPlace({ LLAMA_ARG_PORT: port = '' }: NodeJS.ProcessEnv): Place {
  const own = /^\d{1,5}$/.test(port) ? port : '8080';
  return { label: 'llama.cpp', origin: `http://127.0.0.1:${own}` };
}

function ollamaPort({ OLLAMA_HOST: host = '' }: NodeJS.ProcessEnv): number {
  const port =
    /^(?:https?:\/\/)?(?:127\.\d+\.\d+\.\d+|localhost|0\.0\.0\.0|\[::1?\])?:(\d{1,5})\/?$/.exec(
      host,
    )?.[1];
  return Number(port ?? 11_434);
}

/**
 * The longest wait until all of them listen, and until those have answered, in ms. Where nothing
 * listens, loopback says so at once.
 */
const longestLook = 2_000;

/** Finds the servers that answer within 2 s and list models as OpenAI does. No model is asked anything. */
export async function findLocalServers(places: readonly Place[]): Promise<readonly LocalServer[]> {
  const look = AbortSignal.timeout(longestLook);
  const open = await Promise.all(places.map((place) => listens(place, look)));
  const signal = AbortSignal.timeout(longestLook);
  const found = await Promise.all(
    places.filter((_, at) => open[at]).map((place) => serverAt(place, signal)),
  );
  return found.filter((server) => server !== null);
}

/** True if something listens at a place. Mostly nothing does, and to ask it loads all of HTTP. */
async function listens({ origin }: Place, signal: AbortSignal): Promise<boolean> {
  const { connect } = await import('node:net');
  const { hostname: host, port } = new URL(origin);
  return await new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), signal });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

async function serverAt(
  { label, origin }: Place,
  signal: AbortSignal,
): Promise<LocalServer | null> {
  const baseUrl = `${origin}/v1`;
  const text = await bodyOf(`${baseUrl}/models`, signal);
  const models = text === null ? null : modelsIn(jsonIn(text));
  return models === null ? null : { label, baseUrl, models };
}

/** The models that a server lists, at most 1,000; null for another answer. */
function modelsIn(answer: unknown): readonly string[] | null {
  if (!isObject(answer) || !('data' in answer)) return null;
  const { data } = answer;
  if (data === null) return [];
  if (!Array.isArray(data) || data.length > 1_000) return null;
  const names: unknown[] = data.map((model) => (isObject(model) ? model['id'] : null));
  return names.every(isName) ? names.map(String) : null;
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= 200;
}

/** The longest list of models that is read, in characters. */
const longestList = 1024 * 1024;

/** Asks a server; null without a good answer in time. Loading `fetch` would take a third of that time. */
async function bodyOf(url: string, signal: AbortSignal): Promise<string | null> {
  const { get } = await import('node:http');
  return await new Promise((resolve) => {
    const request = get(url, { signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > longestList) request.destroy();
      });
      response.on('end', () => resolve(response.statusCode === 200 ? text : null));
      response.on('error', () => resolve(null));
    });
    request.on('error', () => resolve(null));
  });
}

/** Says how to use a server that was found, in plain words and lines of TOML. */
export function offerOf(server: LocalServer): string {
  const { label, baseUrl, models } = server;
  const there = `${label} answers at ${baseUrl}`;
  const [first] = models;
  if (first === undefined) return `${there}, but has no model yet.`;
  const some = models.slice(0, 3).join(', ') + (models.length > 3 ? ', …' : '');
  return `${there} with ${some}. To use one, put this into your settings:\n${settingOf(server, first)}`;
}

/** The lines of settings that make an agent of one of its models. */
export function settingOf({ label, baseUrl }: LocalServer, model: string): string {
  return [
    `[agents.${nameForServer({ label })}]`,
    'provider = "compatible"',
    `base_url = ${JSON.stringify(baseUrl)}`,
    `model = ${JSON.stringify(model)}`,
  ].join('\n');
}

/** The name that its agent would have, e.g. `lm-studio`. */
export function nameForServer({ label }: Pick<LocalServer, 'label'>): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
