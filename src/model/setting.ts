// Defines one entry of the table of settings, and the tables of the settings file.
import type { z } from 'zod';

/** A model name as CLIs accept it; excludes flags, spaces and control characters. */
export const modelNamePattern = /^[A-Za-z0-9._/:@][A-Za-z0-9._/:@[\]-]*$/;

/** The parts that build a shape. They are passed in, because flags are declared without loading zod. */
export interface ShapeParts {
  readonly z: Pick<
    typeof z,
    'array' | 'boolean' | 'enum' | 'int' | 'number' | 'record' | 'strictObject' | 'string' | 'url'
  >;
  readonly modelName: z.ZodType<string>;
}

export const text = ({ z }: ShapeParts) => z.string();
export const someText = ({ z }: ShapeParts) => z.string().min(1);
export const texts = ({ z }: ShapeParts) => z.array(z.string());
export const someTexts = ({ z }: ShapeParts) => z.array(z.string()).min(1);
export const words = ({ z }: ShapeParts) => z.array(z.string().min(1)).min(1);
export const textByName = ({ z }: ShapeParts) => z.record(z.string(), z.string());
export const onOff = ({ z }: ShapeParts) => z.boolean();
export const seconds = ({ z }: ShapeParts) => z.number().positive().max(86_400);
export const amount = ({ z }: ShapeParts) => z.number().positive();
export const modelName = ({ modelName: shape }: ShapeParts) => shape;
/** Makes the shape of a whole number. */
export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  ({ z }: ShapeParts) =>
    z.int().min(least).max(most);
/** Makes the shape of a word out of these. */
export const oneOf =
  <const T extends readonly string[]>(...choices: T) =>
  ({ z }: ShapeParts) =>
    z.enum(choices);

/** A setting with everything that files, variables, flags, help and documents say about it. */
export interface Setting<T = unknown> {
  /** The path in TOML; `*` is a name that the user chooses. */
  readonly path: string;
  /**
   * The text for people: in the help of the flag, the settings file, the schema and `conclave help
   * settings`.
   */
  readonly about: string;
  readonly shape: (shapes: ShapeParts) => z.ZodType<T>;
  readonly default?: NoInfer<T>;
  /** The value shown in the settings file of `config init` if there is no default. */
  readonly example?: unknown;
  /** Another name that its key may have in a file. */
  readonly alias?: string;
  readonly variable?: string;
  /** The flag as commander expects it. With a `*` in the path, it takes NAME=VALUE. */
  readonly flag?: string;
  /** The name in place of the `*` where the flag takes the value alone. */
  readonly flagName?: string;
  /** The commands that accept its flag; by default `plan`, and `resume` with it. */
  readonly takenBy?: readonly FlagCommand[];
  /** What counts in an untrusted project’s file; by default, nothing does. */
  readonly untrusted?: Untrusted;
  /** Set if its values are names of agents, or only of agents that use a model. */
  readonly names?: 'agents' | 'models';
  /** What it holds; a relative path starts at the folder of its file. */
  readonly holds?: 'program' | 'arguments' | 'file';
  /** Set if the lists of all sources are combined; a variable holds one value per line. */
  readonly addsUp?: true;
  readonly isSecret?: true;
  /** Set if only the user’s own file can widen it, even where the project’s file is trusted. */
  readonly isOfUser?: true;
  /** Set if it is written in seconds and read in ms. */
  readonly isTime?: true;
  /** Whether a session keeps its first value; `by-flag` only if a flag gives it. */
  readonly ofSession?: 'always' | 'by-flag';
}

/** A command that accepts flags of settings. */
export type FlagCommand = 'plan' | 'critique' | 'execute';

export type SettingWithDefault<T> = Setting<T> & { readonly default: NoInfer<T> };

/** Settings by the names that the program uses for them. */
export type SettingsPart = Readonly<Record<string, Setting>>;

/** The values of a part of the table; undefined without a value or a default. */
export type ValuesOf<P extends SettingsPart> = {
  readonly [K in keyof P]: P[K] extends SettingWithDefault<infer T>
    ? T
    : P[K] extends Setting<infer T>
      ? T | undefined
      : never;
};

/**
 * `any`: every value. `at-most`: no more than the user’s, and any number if the user sets no limit.
 * `among`: a list whose entries are all in the user’s. `only`: this value, or the user’s.
 * `as-data`: agents see it as the project’s word, but it sets nothing.
 */
type Untrusted = 'any' | 'as-data' | 'at-most' | 'among' | { readonly only: unknown };

/** A table of the settings file. */
export interface TomlTable {
  readonly path: string;
  readonly about: string;
}

/** The tables of the settings file, in the order in which they are shown. */
export const tomlTables: readonly TomlTable[] = [
  { path: 'workflow', about: 'How a session runs.' },
  { path: 'agent', about: 'The agent that plans and executes by default.' },
  { path: 'agents.*', about: 'One agent, or a program of your own.' },
  { path: 'machines.*', about: 'One machine on which agents run.' },
  {
    path: 'queue',
    about: 'The queue on Postgres from which machines without a command pull runs.',
  },
  { path: 'models.*', about: 'One model, by the name that its agent takes.' },
  {
    path: 'budget',
    about: 'What a session may use at most; it ends with 8 before more is spent.',
  },
  { path: 'notify', about: 'How you are told of a session when you are elsewhere.' },
  { path: 'execution', about: 'How a plan is carried out.' },
  { path: 'projects.*', about: 'One repository, by the path of its folder.' },
  { path: 'context', about: 'How code is searched for.' },
  {
    path: 'context.mcp',
    about: 'A server of the Model Context Protocol on stdio that helps to find code.',
  },
  { path: 'conversation', about: 'How "work" and "consult" run.' },
  { path: 'mcp', about: 'What "conclave mcp" may do without asking a person.' },
  { path: 'critique', about: 'How the plan of a host is judged.' },
  { path: 'phases.*', about: 'One phase.' },
  { path: 'schemas', about: 'JSON Schemas that plan or task files must fit in addition to ours.' },
];

type WithoutPath<S> = Omit<S, 'path'>;

export function setting<T>(
  path: string,
  rest: WithoutPath<SettingWithDefault<T>>,
): SettingWithDefault<T>;
export function setting<T>(path: string, rest: WithoutPath<Setting<T>>): Setting<T>;
/** Makes an entry of the table; the compiler checks its default against its shape. */
export function setting<T>(path: string, rest: WithoutPath<Setting<T>>): Setting<T> {
  return { path, ...rest };
}

/** The part of a path before its last name. */
export function tableOf({ path }: Pick<Setting, 'path'>): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The last name of a path. */
export function keyIn({ path }: Pick<Setting, 'path'>): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The long form of the flag, e.g. `--max-rounds`; empty for a setting without a flag. */
export function longFlag({ flag = '' }: Setting): string {
  return /--[a-z-]+/.exec(flag)?.[0] ?? '';
}
