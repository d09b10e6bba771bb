import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { redactedFile } from '../../src/model/secrets.ts';

const of = (...parts: string[]) => parts.join('');
const hex = (length: number) => '0f3a9c2b7d1e84560f3a9c2b7d1e8456'.repeat(5).slice(0, length);
const mixed = (length: number) => 'q7Zk2MvX9bTn4RwLc8JdPy3HsFg6Ae5U'.repeat(5).slice(0, length);

// Put together here, so that no scanner takes this file for a leak.
const tokens: readonly (readonly [string, string])[] = [
  ['openai', of('sk-', 'proj-', mixed(40))],
  ['anthropic', of('sk-', 'ant-api03-', mixed(40))],
  ['groq', of('gs', 'k_', mixed(52))],
  ['perplexity', of('pp', 'lx-', mixed(48))],
  ['xai', of('xa', 'i-', mixed(40))],
  ['hugging face', of('hf', '_', mixed(34))],
  ['replicate', of('r8', '_', mixed(37))],
  ['langsmith', of('ls', 'v2_pt_', hex(32), '_', hex(10))],
  ['github', of('gh', 'p_', mixed(36))],
  ['github, fine-grained', of('github', '_pat_', mixed(60))],
  ['gitlab', of('gl', 'pat-', mixed(20))],
  ['bitbucket', of('AT', 'BB', mixed(32))],
  ['atlassian', of('AT', 'ATT3', mixed(80))],
  ['google', of('AI', 'za', mixed(35))],
  ['google oauth', of('GOC', 'SPX-', mixed(28))],
  ['aws', of('AK', 'IA', 'QZ7XKM2VBN4TRW9L')],
  ['digital ocean', of('do', 'p_v1_', hex(64))],
  ['fly', of('fo', '1_', mixed(43))],
  ['heroku', of('HR', 'KU-', 'aaaabbbb-1111-2222-3333-444455556666')],
  ['slack', of('xo', 'xb-', '2387462387-23874623874-', mixed(24))],
  ['discord', of('M', mixed(24), '.', 'Xy9zQ2', '.', mixed(30))],
  ['telegram', of('728364528:', 'AA', mixed(33))],
  ['stripe', of('sk', '_live_', mixed(24))],
  ['stripe webhook', of('wh', 'sec_', mixed(32))],
  ['square', of('sq', '0atp-', mixed(22))],
  ['shopify', of('sh', 'pat_', hex(32))],
  ['twilio', of('S', 'K', hex(32))],
  ['sendgrid', of('S', 'G.', mixed(22), '.', mixed(43))],
  ['mailgun', of('ke', 'y-', hex(32))],
  ['mailchimp', of(hex(32), '-us', '12')],
  ['npm', of('np', 'm_', mixed(36))],
  ['pypi', of('pyp', 'i-AgE', mixed(60))],
  ['rubygems', of('ruby', 'gems_', hex(48))],
  ['docker', of('dckr', '_pat_', mixed(27))],
  ['terraform', of(mixed(14), '.atlas', 'v1.', mixed(60))],
  ['vault', of('hv', 's.', mixed(28))],
  ['doppler', of('dp', '.pt.', mixed(43))],
  ['pulumi', of('pu', 'l-', hex(40))],
  ['tailscale', of('ts', 'key-auth-', mixed(16))],
  ['databricks', of('da', 'pi', hex(32))],
  ['supabase', of('sb', 'p_', hex(40))],
  ['planetscale', of('psc', 'ale_tkn_', mixed(40))],
  ['sentry', of('sn', 'trys_', mixed(60))],
  ['grafana', of('gl', 'sa_', mixed(32), '_', hex(8))],
  ['new relic', of('NR', 'AK-', 'QZ7XKM2VBN4TRW9LQZ7XKM2VBN4')],
  ['postman', of('PM', 'AK-', hex(24), '-', hex(34))],
  ['linear', of('lin', '_api_', mixed(40))],
  ['notion', of('nt', 'n_', mixed(44))],
  ['airtable', of('pa', 't', mixed(14), '.', hex(64))],
  ['figma', of('fi', 'gd_', mixed(40))],
  ['1password', of('ops', '_eyJ', mixed(60))],
  ['age', of('AGE-', 'SECRET-KEY-1', 'QZ7XKM2VBN4TRW9L'.repeat(4))],
  ['web token', of('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.abcdefghijk')],
];

test.each(tokens)('a token is taken out by its form: %s', (_name, token) => {
  expect(redactedFile('src/a.ts', `call("${token}");\nnext`)).toBe('call("[secret]");\nnext');
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
  expect(redactedFile(path, text)).toBe(safe);
});

test('a private key is taken out whole, and its lines stay lines', () => {
  const lines = `${mixed(64)}\n`.repeat(8);
  for (const kind of ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ']) {
    const [begin, end] = [`-----BEGIN ${kind}PRIVATE KEY-----`, `-----END ${kind}PRIVATE KEY-----`];
    const safe = redactedFile('k.pem', `a\n${begin}\n${lines}${end}\nb`);
    expect(safe.split('\n')).toHaveLength(12);
    expect(safe).not.toContain(mixed(10));
    const escaped = `key: "${begin}\\n${mixed(64)}\\n${end}\\n"`;
    expect(redactedFile('a.json', escaped)).toBe(`key: "${begin}[secret]${end}\\n"`);
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
  expect(redactedFile('src/a.ts', line)).toBe(line);
  expect(redactedFile('.env.example', line)).toBe(line);
});

test('in the sources of this project nothing is taken for a secret', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const files = globSync(['src/**/*.{ts,tsx}', 'templates/**/*.md', '*.json', 'README.md'], {
    cwd: root,
  });
  const changed = files.filter((path) => {
    const text = readFileSync(`${root}${path}`, 'utf8');
    return redactedFile(path, text) !== text;
  });
  expect(files.length).toBeGreaterThan(200);
  expect(changed).toEqual([]);
});
