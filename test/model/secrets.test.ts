import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { redactFile, redactOutput, redactTokens } from '../../src/model/secrets.ts';
import { hex, mixed, tokens } from '../helpers/tokens.ts';

test.each(tokens)('a token is taken out by its form: %s', (_name, token) => {
  expect(redactFile('src/a.ts', `call("${token}");\nnext`)).toBe('call("[secret]");\nnext');
});

test.each([
  ['src/a.ts', `const apiKey = '${mixed(32)}';`, "const apiKey = '[secret]';"],
  ['src/a.ts', `  "client_secret": "${hex(40)}",`, '  "client_secret": "[secret]",'],
  ['app.py', `SECRET_KEY = "${mixed(50)}"`, 'SECRET_KEY = "[secret]"'],
  ['app.rb', `password: 'tr0ub4dor&3X'`, `password: '[secret]'`],
  ['a.yml', `  auth_token: ${mixed(30)}`, '  auth_token: [secret]'],
  ['.npmrc', `//registry/:_authToken=${mixed(36)}`, '//registry/:_authToken=[secret]'],
  ['a.go', `url := "postgres://app:s3cr3tpw@db/x"`, 'url := "postgres://app:[secret]@db/x"'],
  ['a.sh', `-H "Authorization: Bearer ${mixed(30)}"`, '-H "Authorization: Bearer [secret]"'],
  [
    '.env',
    'PORT=3000\n# a note\nexport NAME="x y"\nEMPTY=\n',
    'PORT=[secret]\n# a note\nexport NAME=[secret]\nEMPTY=\n',
  ],
  ['conf/prod.env', 'A=b', 'A=[secret]'],
])('a value is taken out by its place: %s, %s', (path, text, safe) => {
  expect(redactFile(path, text)).toBe(safe);
});

test('a private key is taken out whole, and its lines stay lines', () => {
  const lines = `${mixed(64)}\n`.repeat(8);
  for (const kind of ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ']) {
    const [begin, end] = [`-----BEGIN ${kind}PRIVATE KEY-----`, `-----END ${kind}PRIVATE KEY-----`];
    const safe = redactFile('k.pem', `a\n${begin}\n${lines}${end}\nb`);
    expect(safe.split('\n')).toHaveLength(12);
    expect(safe).not.toContain(mixed(10));
    const escaped = `key: "${begin}\\n${mixed(64)}\\n${end}\\n"`;
    expect(redactFile('a.json', escaped)).toBe(`key: "${begin}[secret]${end}\\n"`);
  }
});

test.each([
  "const token = 'test-token-for-the-user';",
  "const apiKey = process.env['API_KEY'];",
  "const password = 'password123';",
  "key: 'components/settings/AuthTokenField',",
  'tokenKind: "identifier-or-keyword",',
  '"integrity": "sha512-vfBmAZ5p1cfyJYrLhvyvYbdCP9k3rMtqSWQ3Qyb0nOc9gWvX1bN1Zp7fC2d8hQ=="',
  'commit = "9fceb02d0ae598e95dc970b74767f19372d61af8"',
  'const requestKey = "550e8400-e29b-41d4-a716-446655440000";',
  'api_key: ${{ secrets.API_KEY }}',
  'password: "<your password>"',
  'token: "xxxxxxxxxxxxxxxxxxxxxxxx"',
  "if (text.includes('-----BEGIN PRIVATE KEY-----')) return '-----END PRIVATE KEY-----';",
  'see https://user:password@example.invalid/ and git@host:a/b',
  'const sortKey = "createdAtDescendingByAuthor2";',
  "const cacheKey = 'v2:user:profile:page:12';",
])('ordinary code is left alone: %s', (line) => {
  expect(redactFile('src/a.ts', line)).toBe(line);
  expect(redactFile('.env.example', line)).toBe(line);
});

test('in the sources of this project nothing is taken for a secret', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const files = globSync(['src/**/*.{ts,tsx}', 'templates/**/*.md', '*.json', 'README.md'], {
    cwd: root,
  });
  const changed = files.filter((path) => {
    const text = readFileSync(`${root}${path}`, 'utf8');
    return redactFile(path, text) !== text || redactOutput(text) !== text;
  });
  expect(files.length).toBeGreaterThan(200);
  expect(changed).toEqual([]);
});

const key = { begin: '-----BEGIN RSA PRIVATE KEY-----', end: '-----END RSA PRIVATE KEY-----' };

test.each([
  ['whole', `a ${key.begin}\n${mixed(64)}\n${mixed(20)}\n${key.end} b`],
  ['in JSON', JSON.stringify({ a: `${key.begin}\n${mixed(64)}\n${key.end}\n` })],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(`${key.begin}\n${mixed(64)}\n${key.end}`))],
  ['without its end', `a\n${key.begin}\nProc-Type: 4,ENCRYPTED\n\n${mixed(64)}\n${mixed(30)}`],
  ['without its end in JSON', JSON.stringify({ a: `${key.begin}\n${mixed(64)}\n${mixed(64)}` })],
  ['without its begin', `${mixed(40)}\n${mixed(64)}\n${mixed(10)}==\n${key.end}\nb`],
])('a private key in a text is taken out: %s', (_, text) => {
  const safe = redactTokens(text);
  expect(safe).toContain('[secret]');
  expect(safe).not.toMatch(/q7Zk2MvX/);
  expect(safe.split('\n')).toHaveLength(text.split('\n').length);
});

test('a token after an escaped line end is taken out', () => {
  for (const [, token] of tokens) {
    const text = JSON.stringify({ text: `a\n${token}\tb` });
    expect(redactTokens(text)).not.toContain(token);
    expect(redactTokens(JSON.stringify(text))).not.toContain(token);
  }
});

test('what a command prints loses the values of secret names as well', () => {
  const text = `HOME=/home/a\nAPI_KEY=${mixed(32)}\napi_token: "${mixed(32)}"\nok 3`;
  expect(redactOutput(text)).toBe('HOME=/home/a\nAPI_KEY=[secret]\napi_token: "[secret]"\nok 3');
});

const sum = `${mixed(86)}==`;
const lockFiles = {
  'yarn.lock': `a@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#${hex(40)}"\n  integrity sha512-${sum}\n`,
  'pnpm-lock.yaml': `packages:\n  /a@1.0.0:\n    resolution: {integrity: sha512-${sum}}\n    dev: true\n`,
  'Cargo.lock': `[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "${hex(64)}"\n`,
};

test.each(Object.entries(lockFiles))('nothing is taken out of a lock file: %s', (path, text) => {
  expect(redactFile(path, text)).toBe(text);
  expect(redactOutput(text)).toBe(text);
});

test.each([
  `commit ${hex(40)}`,
  `HEAD is now at ${hex(8)} Add a key`,
  'request 550e8400-e29b-41d4-a716-446655440000 failed',
  `sha256:${hex(64)}  dist/cli.js`,
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'token: unexpected end of input',
  '✓ the key is sorted (12 ms)',
])('what a command prints is left alone: %s', (text) => {
  expect(redactOutput(text)).toBe(text);
});

const password = 'correct-horse-battery';

test.each([
  ['/home/a/.pgpass', `db:5432:app:alice:${password}\n*:*:*:bob:${password}`],
  ['/home/a/.bash_history', `mysql -p${password}\nsshpass -p ${password} ssh b`],
  ['/home/a/.local/share/fish/fish_history', `- cmd: login ${password}`],
  ['/home/a/.netrc', `machine b login c password ${password}`],
  ['/home/a/.my.cnf', `[client]\npassword = ${password}`],
  ['/home/a/.aws/credentials', `aws_secret_access_key = ${password}`],
  ['/home/a/.kube/config', `users:\n- user:\n    token: ${password}`],
  ['/home/a/.docker/config.json', `{"auths":{"r":{"auth":"${btoa(`a:${password}`)}"}}}`],
  ['.htpasswd', `alice:${password}`],
  ['/home/a/.ZHISTORY', `export X_TOKEN=${password}`],
  ['/home/a/_netrc', `machine b login c password ${password}`],
  ['/home/a/.kube/config-prod', `    token: ${password}`],
  ['prod.kubeconfig', `    token: ${password}`],
  ['/home/a/.s3cfg', `secret_key = ${password}`],
  ['/home/a/.config/rclone/rclone.conf', `[b]\npass = ${password}`],
  ['/home/a/cookies.txt', `.b.invalid\tTRUE\t/\tTRUE\t1893456000\tid\t${password}`],
])('no line of a file of logins is kept: %s', (path, text) => {
  const safe = redactFile(path, text);
  expect(safe.split('\n')).toHaveLength(text.split('\n').length);
  expect(safe.replaceAll(/\s|\[secret\]/g, '')).toBe('');
});

test.each([
  `aws_secret_access_key = /${mixed(20)}/${mixed(18)}`,
  `"SecretAccessKey": "${mixed(12)}/${mixed(15)}+${mixed(11)}"`,
  `export AWS_SECRET_ACCESS_KEY='words/words/words/words/words/words/wor1'`,
  `{"auth": "${btoa('alice:short')}"}`,
  `client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt${mixed(60)}`,
  `curl -sS -u alice:${password} https://example.invalid`,
  `db.example.invalid:5432:app:alice:${password}`,
  `export DB_PASSWORD=hunter2hunter`,
])('what a command prints or an agent says loses a secret without a form: %s', (line) => {
  const safe = redactOutput(`before\n${line}\nafter`);
  expect(safe).toMatch(/^before\n.*\[secret\].*\nafter$/);
  expect(safe).not.toMatch(/q7Zk2MvX|words|YWxpY2|hunter2|correct-horse/);
});

test.each([
  `export X_TOKEN=${mixed(20)}`,
  `DB_PASS=${mixed(12)} npm start`,
  `machine b\n  login c\n  password ${mixed(9)}`,
  `"Server=tcp:b;User ID=c;Password=${mixed(12)};Encrypt=True"`,
  `<server><password>${mixed(12)}</password></server>`,
  `https://b.blob.core.windows.net/c?sv=2022-11-02&sig=${mixed(30)}%3D`,
  `curl -H "X-Api-Key: ${mixed(20)}" https://example.invalid`,
  `mysql -u app -p${mixed(12)} shop`,
  `mysqldump -p'${mixed(12)}' shop`,
  `<add key="ClearTextPassword" value="${mixed(12)}" />`,
  `[remote]\ntype = sftp\npass = ${mixed(24)}`,
  `# Netscape HTTP Cookie File\n#HttpOnly_.b.invalid\tTRUE\t/\tFALSE\t1893456000\tsid\t${mixed(12)}`,
  `{"kty":"EC","crv":"P-256","d":"${mixed(43)}"}`,
  `echo "db.invalid:5432:app:alice:${mixed(12)}" >> ~/.pgpass`,
  `  - db.invalid:5432:app:alice:${mixed(12)}`,
])('a note in any file loses a secret without a form: %s', (text) => {
  const safe = redactFile('docs/notes.md', text);
  expect(safe).toContain('[secret]');
  expect(safe).not.toMatch(/q7Zk2/);
});

test.each([
  'TOKEN=$1 ./run.sh',
  'API_KEY=your-key-here npm start',
  'connect(";Password={password};")',
  '<password>${env.PASSWORD}</password>',
  'the login and password fields',
  'mysql -u app -p shop < dump.sql',
  'mysql -u app -p$PASSWORD shop',
  '<add key="RequirePassword" value="true" />',
  'pass = computeTheNextPassOfTheRun',
  '<path {"d":"M10 10 L20 20 M30 30 L40 40 M50 50 L60 60 Z"} />',
  'at src/a.ts:5120:9:error:unused name',
])('a note without a secret is left alone: %s', (text) => {
  expect(redactFile('docs/notes.md', text)).toBe(text);
});

test('blanks without an end are looked through once', { timeout: 4_000 }, () => {
  const blanks = `pass = ${' '.repeat(200_000)}secret_access_key = ${' '.repeat(200_000)}`;
  expect(redactOutput(blanks)).toBe(blanks);
});

test.each([
  'src/a.ts:5120:9: error: no such name',
  'a.ts:10:5:error:unused',
  '{"auth": "required"}',
  'curl -u "$NAME:$KEY" https://example.invalid',
  'client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJ',
  'the secret access key of a bucket',
])('what only looks alike is left alone: %s', (line) => {
  expect(redactOutput(line)).toBe(line);
});
