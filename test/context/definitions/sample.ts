import { definitionsIn } from '../../../src/context/symbols.ts';

/** A piece of a file, and every name that it defines, in order: no other may be found. */
export interface Sample {
  readonly path: string;
  readonly content: string;
  /** With spaces between them; a space in a name is `_`. */
  readonly names: string;
}

export function namesOf({ names }: Sample): readonly string[] {
  return names.split(' ').filter((name) => name !== '');
}

export function namesIn({ path, content }: Sample): readonly string[] {
  return definitionsIn(path, content).map(({ name }) => name.replaceAll(' ', '_'));
}
