// Lists the settings of machines and of the queue.
import { type ShapeParts, setting } from './setting.ts';

const texts = ({ z }: ShapeParts) => z.array(z.string());
const filled = ({ z }: ShapeParts) => z.string().min(1);
const words = ({ z }: ShapeParts) => z.array(z.string().min(1)).min(1);
const amount = ({ z }: ShapeParts) => z.number().positive();

/** The tables of settings for machines on which agents run, and for the queue from which some pull. */
export const machineTables = {
  machines: {
    command: setting('machines.*.command', {
      about: 'the command that starts "conclave worker" on the machine',
      shape: words,
      example: ['ssh', 'build-1', 'conclave', 'worker'],
      isOfUser: true,
    }),
    container: setting('machines.*.container', {
      about:
        'the image of a container that is started instead, by docker or podman; "devcontainer" for the one of the repository',
      shape: filled,
      example: 'node:24',
      isOfUser: true,
    }),
    agents: setting('machines.*.agents', {
      about: 'the agents that run there, and no longer here',
      shape: texts,
      default: [],
      example: ['claude'],
      isOfUser: true,
    }),
    slots: setting('machines.*.slots', {
      about: 'the most agents that run there at once (1 to 64)',
      shape: ({ z }) => z.int().min(1).max(64),
      default: 2,
      isOfUser: true,
    }),
    mostMb: setting('machines.*.most_mb', {
      about: 'the most megabytes of a repository that are sent there at once',
      shape: amount,
      default: 500,
      isOfUser: true,
    }),
  },
  queue: {
    urlCommand: setting('queue.url_command', {
      about:
        'a program that prints the address of the Postgres queue, if CONCLAVE_QUEUE does not hold it',
      shape: words,
      example: ['pass', 'show', 'conclave-queue'],
      isOfUser: true,
    }),
    keyCommand: setting('queue.key_command', {
      about: 'a program that prints the key with which owners and workers of the queue sign',
      shape: words,
      example: ['pass', 'show', 'conclave-key'],
      isOfUser: true,
    }),
  },
};
