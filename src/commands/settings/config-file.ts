import { TomlError, parse } from 'smol-toml';
import { Config } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import { sha256Of } from '../../store/digest.ts';
import { faultOf } from './issue-text.ts';
import { type Leaf, pathsOf } from './leaf.ts';
import { lineOf } from './line-of.ts';
import { settingsBytes } from './settings-bytes.ts';

export interface ConfigFile {
  readonly file: string;
  /** sha256 of the exact content, in hex. */
  readonly hash: string;
  readonly leaves: readonly Leaf[];
}

/**
 * Reads a settings file; null where there is none. Throws `config` with file and line for what
 * cannot be read, is no TOML, or has a key or value that no setting has.
 */
export async function readConfigFile(file: string): Promise<ConfigFile | null> {
  const bytes = await settingsBytes(file);
  if (bytes === null) return null;
  const text = textOf(bytes, file);
  const raw = tableOf(text, file);
  const stopAt = (path: readonly string[], message: string): Stopped => {
    const line = lineOf(text, path);
    return new Stopped({
      reason: 'config',
      file: line === null ? file : `${file}:${line}`,
      message,
    });
  };
  const parsed = Config.safeParse(raw);
  if (!parsed.success) {
    const { path, message } = faultOf(parsed.error, raw);
    throw stopAt(path, message);
  }
  const leaves = pathsOf(parsed.data).map(({ path, value }) => ({
    path,
    value,
    source: file,
    stop: (message: string) => stopAt(path, message),
  }));
  return { file, hash: sha256Of(bytes), leaves };
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Stopped({ reason: 'config', file, message: 'the file is not UTF-8 text.' });
  }
}

function tableOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new Stopped({
      reason: 'config',
      file: `${file}:${error.line}:${error.column}`,
      message: `this is no valid TOML: ${what}.`,
    });
  }
}
