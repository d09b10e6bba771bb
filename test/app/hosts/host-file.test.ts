import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { additionTo, diffLines, makeChange, removalOf } from '../../../src/app/hosts/host-file.ts';
import {
  looseFiles,
  removeLooseFiles,
  writeLooseFiles,
} from '../../../src/app/hosts/host-package.ts';
import { hosts } from '../../../src/app/hosts/host-list.ts';
import { entryFile, ownKeys, serverEntry } from '../../../src/app/hosts/server-entry.ts';

const server = { command: '/opt/node/bin/node', args: ['/opt/conclave/dist/cli.js', 'mcp'] };

/** A home in which a host has this file, or none. */
function homeWith(host: string, text: string | null) {
  const home = mkdtempSync(join(tmpdir(), 'conclave-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const environment = { HOME: home };
  const file = entryFile(host, 'user', { root: home, environment });
  mkdirSync(dirname(file), { recursive: true });
  if (text !== null) writeFileSync(file, text);
  const entryOf = (args = server.args) =>
    serverEntry(host, { server: { ...server, args }, environment });
  return {
    file,
    home,
    read: () => readFileSync(file, 'utf8'),
    async install(args = server.args) {
      const change = await additionTo(file, entryOf(args), environment);
      return change === null ? null : await makeChange(change, environment).then(() => change);
    },
    async remove() {
      const change = await removalOf(file, entryOf(), environment);
      return change === null ? null : await makeChange(change, environment).then(() => change);
    },
  };
}

const names = Object.keys(hosts);
const jsonHosts = names.filter((name) => hosts[name]?.syntax !== 'toml');

/** Styles of a file; SECTION stands for the key of the host’s servers. */
const jsonStyles: Readonly<Record<string, string>> = {
  'is empty': '',
  'holds only a line end': '\n',
  'has an empty object': '{}',
  'has an object of two lines': '{\n}\n',
  'has other settings': '{\n  "theme": "dark",\n  "list": [1, 2]\n}\n',
  'has no line end': '{\n  "theme": "dark"\n}',
  'is one line': '{"theme":"dark","SECTION":{"other":{"command":"x"}}}',
  'is one line without servers': '{"theme": "dark"}',
  'has an empty section': '{\n  "SECTION": {},\n  "theme": "dark"\n}\n',
  'has an empty section of two lines': '{\n  "SECTION": {\n  }\n}\n',
  'has another server': '{\n  "SECTION": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
  'is indented by tabs': '{\n\t"SECTION": {\n\t\t"other": { "command": "x" }\n\t},\n\t"a": 1\n}\n',
  'is indented by four': '{\n    "SECTION": {\n        "other": { "command": "x" }\n    }\n}\n',
  'has lines of Windows': '{\r\n  "SECTION": {\r\n    "other": {"command": "x"}\r\n  }\r\n}\r\n',
  'begins with a byte order mark': '\uFEFF{\n  "theme": "dark"\n}\n',
  'has odd spaces and other letters':
    '  {  "ключ" : "値 \\u00e9" ,\n\n\n "SECTION"  :  {   "o" : {} }  }  \n\n',
};
const commented: Readonly<Record<string, string>> = {
  'has comments':
    '// mine\n{ // all of it\n  /* the look */ "theme": "dark", // dark\n  "SECTION": { // servers\n    "other": {} // one\n  }\n}\n// end\n',
  'has a comment in an empty section': '{\n  "SECTION": {\n    // none yet\n  }\n}\n',
};
const tomlStyles: Readonly<Record<string, string>> = {
  'is empty': '',
  'holds only a line end': '\n',
  'has other settings': 'model = "m"\n',
  'has no line end': 'model = "m"',
  'has a comment at the end': 'model = "m" # mine\n# end',
  'has another server': '[mcp_servers.other]\ncommand = "x" # mine\nargs = [\n  "a", # one\n]\n',
  'has a server with variables':
    '[mcp_servers.other]\ncommand = "x"\n[mcp_servers.other.env]\nA = "b"\n',
  'has lines of Windows': 'model = "m"\r\n\r\n[tui]\r\ntheme = "x"\r\n',
  'begins with a byte order mark': '\uFEFFmodel = "m"\n',
  'has a table after the servers':
    '[mcp_servers.other]\ncommand = "x"\n\n[projects."/a b"]\ntrust_level = "trusted"\n',
  'has a table of its own for all servers': '[mcp_servers]\n\n[mcp_servers.other]\ncommand = "x"\n',
  'has an array of tables': '[[hooks]]\na = 1\n[[hooks]]\na = 2\n',
  'has long strings': 'text = """\n[mcp_servers.conclave]\n"""\n',
  'has quoted keys': '"mcp_servers"."other"."command" = "x"\n"b c" = 1\n',
  'has many empty lines': '\n\n\nmodel = "m"\n\n\n\n',
  'has other letters': 'name = "値"\n# ключ\n',
};

const cases = names.flatMap((host) => {
  const { syntax, section } = hosts[host] ?? { syntax: 'json', section: '' };
  const styles =
    syntax === 'toml' ? tomlStyles : { ...jsonStyles, ...(syntax === 'json' ? {} : commented) };
  const more =
    syntax === 'json-with-commas'
      ? { 'has a comma after the last': '{\n  "SECTION": {\n    "other": {},\n  },\n}\n' }
      : {};
  return Object.entries({ ...styles, ...more }).map(
    ([style, text]) => [host, style, text.replaceAll('SECTION', section)] as const,
  );
});

test.each(cases)(
  '%s: a file that %s has the same bytes after install and remove',
  async (host, _, text) => {
    const home = homeWith(host, text);
    await home.install();
    const { syntax = '', section = '' } = hosts[host] ?? {};
    const parsed = (from: string): Record<string, Record<string, unknown>> =>
      syntax === 'toml'
        ? JSON.parse(JSON.stringify(parseToml(from.replace('\uFEFF', ''))))
        : (parseJson(from.replace('\uFEFF', '')) ?? {});
    const [before, after] = [parsed(text), parsed(home.read())];
    const { conclave, ...others } = after[section] ?? {};
    expect(JSON.stringify(conclave)).toContain('/opt/conclave/dist/cli.js');
    expect({ ...after, [section]: others }).toEqual({ [section]: {}, ...before });
    expect(await home.install()).toBeNull();
    expect(await home.remove()).toMatchObject({ isExact: true });
    expect(home.read()).toBe(text);
    expect(await home.remove()).toBeNull();
  },
);

test.each(names)('%s: a missing file is made, and gone after the removal', async (host) => {
  const home = homeWith(host, null);
  await home.install();
  expect(home.read()).toContain('/opt/node/bin/node');
  await home.remove();
  expect(existsSync(home.file)).toBe(false);
});

test.each([
  ['claude', '{ "mcpServers": { "a": 1 ', 'cannot be read'],
  ['claude', '{ "a": 1 } // comment', 'cannot be read'],
  ['gemini', '[1]', 'cannot be read'],
  ['copilot', '{ "mcpServers": [] }', 'something other than named servers'],
  ['opencode', '{ "mcp": {}, "mcp": {} }', 'has mcp twice'],
  ['opencode', '{ "mcp": { "conclave": { "type": "remote" } } }', 'not put there by this command'],
  ['codex', 'mcp_servers = { other = { command = "x" } }', 'in a form that one more table'],
  ['codex', '[mcp_servers.conclave]\ncommand = "mine"\n', 'not put there by this command'],
  ['codex', 'a = \n', 'cannot be read'],
])('%s: the file %j is left alone, with the text to paste', async (host, text, why) => {
  const home = homeWith(host, text);
  const told = await home.install().catch((error: Error) => error.message);
  expect(told).toContain(why);
  expect(told).toContain('Put this there by hand:\n');
  expect(told).toContain('/opt/conclave/dist/cli.js');
  expect(home.read()).toBe(text);
});

/** Values in one another. */
const nested = (levels: number) => `{"a": ${'['.repeat(levels)}${']'.repeat(levels)}}`;

test.each(jsonHosts)(
  '%s: JSON that is 5,000 levels deep is left alone, 400 are read',
  async (host) => {
    const deep = homeWith(host, nested(5000));
    await expect(deep.install()).rejects.toThrow('cannot be read');
    await expect(deep.remove()).rejects.toThrow('put there');
    expect(deep.read()).toBe(nested(5000));
    const home = homeWith(host, nested(400));
    await home.install();
    await home.remove();
    expect(home.read()).toBe(nested(400));
  },
);

test.each(names)('%s: a pipe in place of its file is not waited for', async (host) => {
  const home = homeWith(host, null);
  execFileSync('mkfifo', [home.file]);
  const why = `${home.file} is not a regular file, so it is left as it is; move it away first.`;
  await expect(home.install()).rejects.toThrow(why);
  await expect(home.remove()).rejects.toThrow(why);
  expect(lstatSync(home.file).isFIFO()).toBe(true);
});

test('a pipe in place of a command of ours is not waited for', async () => {
  const home = mkdtempSync(join(tmpdir(), 'conclave-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const files = looseFiles('opencode') ?? {};
  const [path = ''] = Object.keys(files);
  mkdirSync(dirname(join(home, path)), { recursive: true });
  execFileSync('mkfifo', [join(home, path)]);
  const environment = { HOME: home };
  await expect(writeLooseFiles(home, files, environment)).rejects.toThrow('not a regular file');
  await expect(removeLooseFiles(home, files, environment)).rejects.toThrow('not a regular file');
});

test('an entry that is not the one that was put there is not said to have been changed', async () => {
  const home = homeWith('gemini', null);
  await home.install();
  writeFileSync(home.file, '{"mcpServers": {"conclave": {"command": "mine"}}}');
  const why = 'has a server "conclave" that is not the one that this command put there';
  await expect(home.install()).rejects.toThrow(why);
  await expect(home.remove()).rejects.toThrow(why);
});

test('an entry of a person’s own is not removed', async () => {
  const home = homeWith('codex', '[mcp_servers.conclave]\ncommand = "mine"\n');
  await expect(home.remove()).rejects.toThrow('nothing that this command put there');
});

test('a link is followed, and the mode of the file stays', async () => {
  const home = homeWith('gemini', null);
  const real = join(home.home, 'dotfiles.json');
  writeFileSync(real, '{}\n');
  chmodSync(real, 0o640);
  symlinkSync(real, home.file);
  await home.install();
  expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readFileSync(real, 'utf8')).toContain('conclave');
});

test('a second install of another version replaces the first, and is removed as exactly', async () => {
  const text = '[mcp_servers.other]\ncommand = "x" # mine\n';
  const home = homeWith('codex', text);
  await home.install();
  await home.install(['/opt/next/cli.js', 'mcp']);
  expect(home.read().split('/opt/next/cli.js')).toHaveLength(2);
  expect(home.read().split('[mcp_servers.conclave]')).toHaveLength(2);
  await home.remove();
  expect(home.read()).toBe(text);
});

test.each(jsonHosts)(
  '%s: a file that the host has written anew loses only the entry',
  async (host) => {
    const home = homeWith(host, '{ "theme": "dark" }');
    await home.install();
    const { section = '' } = hosts[host] ?? {};
    const value = JSON.parse(home.read());
    value[section].other = { command: 'x' };
    writeFileSync(home.file, JSON.stringify({ ...value, starts: 1 }, null, 4));
    expect(await home.remove()).toMatchObject({ isExact: false });
    expect(JSON.parse(home.read())).toEqual({
      theme: 'dark',
      [section]: { other: { command: 'x' } },
      starts: 1,
    });
  },
);

test('a TOML file that has changed since loses only the table', async () => {
  const home = homeWith('codex', 'model = "m"\n');
  await home.install();
  writeFileSync(home.file, `${home.read()}\n[tui]\ntheme = "x"\n`);
  expect(await home.remove()).toMatchObject({ isExact: false });
  expect(parseToml(home.read())).toEqual({ model: 'm', tui: { theme: 'x' } });
});

test('a file that changed since it was shown is left alone', async () => {
  const home = homeWith('claude', '{}');
  const environment = { HOME: home.home };
  const entry = serverEntry('claude', { server, environment });
  const change = await additionTo(home.file, entry, environment);
  if (change === null) throw new Error('there is nothing to change');
  writeFileSync(home.file, '{ "theme": "dark" }');
  await expect(makeChange(change, environment)).rejects.toThrow('changed meanwhile');
  expect(home.read()).toBe('{ "theme": "dark" }');
});

test('the change is shown as the lines that go and come', async () => {
  const home = homeWith('opencode', '{\n  "mcp": {},\n  "theme": "dark"\n}\n');
  const change = await home.install();
  if (change === null) throw new Error('there is nothing to change');
  expect(diffLines(change)).toEqual([
    '-   "mcp": {},',
    '+   "mcp": {',
    '+     "conclave": {',
    '+       "type": "local",',
    '+       "command": [',
    '+         "/opt/node/bin/node",',
    '+         "/opt/conclave/dist/cli.js",',
    '+         "mcp"',
    '+       ],',
    '+       "enabled": true,',
    '+       "timeout": 300000',
    '+     }',
    '+   },',
  ]);
});

test('of keys only the names go into a file, and only of those that an agent reads', async () => {
  const environment = { HOME: '/h', OPENAI_API_KEY: 'sk-canary', MY_SECRET: 'x', https_proxy: 'p' };
  const { value } = serverEntry('codex', { server, environment });
  expect(value['env_vars']).toEqual([
    'CONCLAVE_INSIDE',
    'CONCLAVE_RUN',
    'OPENAI_API_KEY',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'https_proxy',
  ]);
  const gemini = serverEntry('gemini', { server, environment }).value;
  expect(gemini['env']).toMatchObject({
    OPENAI_API_KEY: '$OPENAI_API_KEY',
    https_proxy: '$https_proxy',
  });
  expect(JSON.stringify(gemini)).not.toContain('sk-canary');
});

test('the keys of models behind an API are named, those of the user’s own agents too', () => {
  const environment = {
    HOME: '/h',
    XAI_API_KEY: 'xai-canary',
    MY_KEY: 'my-canary',
    OTHER_KEY: 'x',
  };
  const api = { provider: 'compatible', model: 'm', keyEnv: 'MY_KEY' } as const;
  const keys = ownKeys({ agents: { mine: { api } } });
  const { value } = serverEntry('codex', { server, environment, keys });
  expect(value['env_vars']).toContain('XAI_API_KEY');
  expect(value['env_vars']).toContain('MY_KEY');
  expect(value['env_vars']).not.toContain('OTHER_KEY');
  expect(JSON.stringify(value)).not.toContain('canary');
});
