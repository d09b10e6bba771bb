// Lists the providers of models that are asked without a CLI.
import type { LanguageModel } from 'ai';
import type { ProviderName } from '../../model/agent-settings.ts';
import { makerOf } from '../cli/adapter-parts.ts';
import { familyOf } from './families.ts';

/** Everything that is needed to reach a model. */
interface Reach {
  readonly model: string;
  /** With a path and without a slash at the end. */
  readonly baseUrl: string;
  /** Null where a server wants none. */
  readonly key: string | null;
  /** False for a server that refuses to be asked for its usage. */
  readonly usage: boolean;
  readonly fetch: typeof fetch;
}

export interface Provider {
  /** Its name for people. */
  readonly label: string;
  /** The address of its API; null where only the user knows. */
  readonly baseUrl: string | null;
  /** The path of its API, for an address without any. */
  readonly path: string;
  /** The variable in which people name a gateway, as its CLI and its SDK read it. */
  readonly baseUrlVariable: string | null;
  /** True where the address in that variable comes without the path, which those programs add. */
  readonly addsPath: boolean;
  /** The variables that may hold a key, the first that is set counts. */
  readonly keys: readonly string[];
  /** True where a server of the user may want no key and may cut a prompt without a word. */
  readonly isOwnServer: boolean;
  vendorOf(model: string | null): string | null;
  /** Loads what speaks with this provider, which no other command needs. */
  open(reach: Reach): Promise<LanguageModel>;
}

/** Each with its own dialect; `compatible` is that of OpenAI’s chat completions. */
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

/** Given in full: the SDK would else read variables of its own, one of which means another address. */
function optionsOf({ key, baseUrl: baseURL, fetch }: Omit<Reach, 'model' | 'usage'>) {
  return { baseURL, fetch, apiKey: key ?? '' };
}

function withKey(key: string | null) {
  return key === null ? {} : { apiKey: key };
}
