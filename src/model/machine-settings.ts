// Lists the settings of machines and of the queue.
import { amount, someText, setting, texts, whole, words } from './setting.ts';

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
      about: 'the image of a container that is started instead',
      shape: someText,
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
      about: 'the most agents there at once (1 to 64)',
      shape: whole(1, 64),
      default: 2,
      isOfUser: true,
    }),
    mostMb: setting('machines.*.most_mb', {
      about: 'the most megabytes that are sent there at once',
      shape: amount,
      default: 500,
      isOfUser: true,
    }),
  },
  queue: {
    urlCommand: setting('queue.url_command', {
      about: 'a program that prints the address of the queue',
      shape: words,
      example: ['pass', 'show', 'conclave-queue'],
      isOfUser: true,
    }),
    keyCommand: setting('queue.key_command', {
      about: 'a program that prints the key that owners and workers share',
      shape: words,
      example: ['pass', 'show', 'conclave-key'],
      isOfUser: true,
    }),
    remote: setting('queue.remote', {
      about: 'a git remote that carries commits',
      shape: someText,
      example: 'git@HOST:work.git',
      isOfUser: true,
    }),
  },
};
