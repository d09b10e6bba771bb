// Lists the known models in the schemas of tools, as they are when a host asks for the list of tools.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { AgentName } from './job-inputs.ts';
import { loadParts } from './tool-host.ts';

/** Passes on each message as it comes; only a question for the tools waits until the models are listed. */
export function listingModels(wire: Transport, environment: NodeJS.ProcessEnv): Transport {
  const transport: Transport = {
    start: async () => {
      Object.assign(wire, ends);
      await wire.start();
    },
    send: async (message, options) => await wire.send(message, options),
    close: async () => await wire.close(),
  };
  const ends: Pick<Transport, 'onclose' | 'onerror' | 'onmessage'> = {
    onclose: () => transport.onclose?.(),
    onerror: (error) => transport.onerror?.(error),
    onmessage(message, extra) {
      const pass = () => transport.onmessage?.(message, extra);
      if (!asksForTools(message)) pass();
      else void listModels(environment).then(pass, (error: Error) => transport.onerror?.(error));
    },
  };
  return transport;
}

function asksForTools(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'tools/list';
}

async function listModels(environment: NodeJS.ProcessEnv): Promise<void> {
  const { defaultSettings, homeFolder, nameModels, loadSettings } = await loadParts();
  const settings = await loadSettings({ root: homeFolder(environment), environment }).catch(
    (error: unknown) => {
      // A call says what is wrong with them.
      if (error instanceof Stopped) return defaultSettings(environment);
      throw error;
    },
  );
  const description = `An agent, or one of its models: ${nameModels(settings)}.`;
  z.globalRegistry.add(AgentName, { description });
}
