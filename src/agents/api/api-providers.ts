// Lists the providers of models that are reached without a CLI, and the families of local models.
import type { LanguageModel } from 'ai';
import type { ProviderName } from '../../model/agent-settings.ts';
import { makerOf } from '../cli/adapter-parts.ts';

/** Everything that is needed to reach a model. */
interface Reach {
  readonly model: string;
  /** The address with a path and without a trailing slash. */
  readonly baseUrl: string;
  /** The key; null if the server needs none. */
  readonly key: string | null;
  /** False for a server that refuses requests for its usage. */
  readonly usage: boolean;
  readonly fetch: typeof fetch;
}

export interface Provider {
  /** The name for people. */
  readonly label: string;
  /** The address of its API; null if only the user knows it. */
  readonly baseUrl: string | null;
  /** The path of its API, for an address without one. */
  readonly path: string;
  /** The variable for a gateway’s address, which its CLI and its SDK read, too. */
  readonly baseUrlVariable: string | null;
  /** True if the address in that variable has no path, because those programs add it. */
  readonly addsPath: boolean;
  /** The variables that may hold a key; the first that is set counts. */
  readonly keys: readonly string[];
  /** True if a user’s own server may need no key and may silently cut a prompt. */
  readonly isOwnServer: boolean;
  vendorOf(model: string | null): string | null;
  /** Loads the code for this provider, which no other command needs. */
  open(reach: Reach): Promise<LanguageModel>;
}

/** The providers, each with its own dialect; `compatible` is that of OpenAI’s chat completions. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  openai: {
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    path: '/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    addsPath: false,
    keys: ['OPENAI_API_KEY'],
    isOwnServer: false,
    vendorOf: () => 'openai',
    async open({ model, ...reach }) {
      return (await import('@ai-sdk/openai')).createOpenAI(optionsOf(reach))(model);
    },
  },
  anthropic: {
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    path: '/v1',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    addsPath: true,
    keys: ['ANTHROPIC_API_KEY'],
    isOwnServer: false,
    vendorOf: () => 'anthropic',
    async open({ model, ...reach }) {
      return (await import('@ai-sdk/anthropic')).createAnthropic(optionsOf(reach))(model);
    },
  },
  google: {
    label: 'Google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    path: '/v1beta',
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    addsPath: true,
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    isOwnServer: false,
    vendorOf: () => 'google',
    async open({ model, ...reach }) {
      return (await import('@ai-sdk/google')).createGoogle(optionsOf(reach))(model);
    },
  },
  xai: {
    label: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    path: '/v1',
    baseUrlVariable: 'XAI_BASE_URL',
    addsPath: false,
    keys: ['XAI_API_KEY'],
    isOwnServer: false,
    vendorOf: () => 'xai',
    async open({ model, ...reach }) {
      return (await import('@ai-sdk/xai')).createXai(optionsOf(reach))(model);
    },
  },
  compatible: {
    label: 'an OpenAI-compatible server',
    baseUrl: null,
    path: '/v1',
    baseUrlVariable: null,
    addsPath: false,
    keys: [],
    isOwnServer: true,
    vendorOf: (model) => familyOf(model) ?? makerOf(model),
    async open({ model, key, usage: includeUsage, baseUrl: baseURL, fetch }) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const own = { name: 'compatible', includeUsage, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...own, baseURL, fetch, ...withKey(key) })(model);
    },
  },
};

/**
 * All options are given: the SDK would otherwise read its own variables, one of which means another
 * address.
 */
function optionsOf({ key, baseUrl: baseURL, fetch }: Omit<Reach, 'model' | 'usage'>) {
  return { baseURL, fetch, apiKey: key ?? '' };
}

function withKey(key: string | null) {
  return key === null ? {} : { apiKey: key };
}

/**
 * The family of a local model, which counts as its vendor: models of one family share what they
 * learned, whoever packaged them. Null if the name does not reveal it.
 */
export function familyOf(model: string | null): string | null {
  const name = (model ?? '').toLowerCase().replace(/^.*\//, '');
  return families.find(([, words = '']) => new RegExp(words).test(name))?.[0] ?? null;
}

// The first match counts: "deepseek-r1-distill-llama" was trained by DeepSeek.
const families = `gpt-oss gpt-?oss
deepseek deepseek
qwen qwen|qwq
mistral mistral|mixtral|codestral|devstral|magistral|ministral
gemma gemma
llama llama
phi ^phi
granite granite
glm ^glm
kimi kimi`
  .split('\n')
  .map((line) => line.split(' '));
