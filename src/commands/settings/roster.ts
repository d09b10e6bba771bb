import { adapters } from '../../agents/list.ts';
import type { Config } from '../../model/config.ts';
import { analystNames, defaultChain, defaultSeats } from './defaults.ts';

/** Who can take part under a configuration. */
export interface Roster {
  /** Every name that a session may be given. */
  readonly known: readonly string[];
  /** Who sits where nobody chose. */
  readonly seats: readonly string[];
  /** Who stands in where nobody chose, best first, without the analysts. */
  readonly chain: readonly string[];
}

/**
 * Known are our adapters, configured programs and the built-in analysts. Programs of the user's
 * own are preferred to the default seats; a path of an agent that we know seats nobody. The seat of
 * one that is switched off goes to the next, as that of one that is not ready.
 */
export function rosterOf(config: Config): Roster {
  const names = adapters.map((adapter) => adapter.name);
  const agents = Object.entries(config.agents ?? {});
  const withPath = agents
    .filter(([, settings]) => settings.path !== undefined)
    .map(([name]) => name);
  const programs = withPath.filter((name) => !analystNames.includes(name));
  const isOn = (name: string): boolean => config.agents?.[name]?.enabled !== false;

  const own = programs.filter((name) => !names.includes(name) && isOn(name));
  const usual = [...new Set([...defaultSeats, ...defaultChain, ...names])].filter(
    (name) => names.includes(name) && isOn(name),
  );
  const seats = (own.length > 0 ? own : usual).slice(0, 2);
  return {
    known: [...new Set([...names, ...programs, ...analystNames])],
    seats: seats.length > 0 ? seats : analystNames.filter(isOn),
    chain: [...own, ...usual],
  };
}

/** A list of agents with `local` replaced by the analysts it stands for, each name once. */
export function expanded(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === 'local' ? analystNames : [name])))];
}
