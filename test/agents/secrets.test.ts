import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/agents/environment.ts';

const of = (...parts: string[]) => parts.join('');

test('the values of secret variables are named in place', () => {
  const environment = { RED_API_KEY: 'value-of-the-key', HOME: '/home/someone', MY_TOKEN: 'short' };
  expect(withoutSecrets('sent value-of-the-key from /home/someone, short', environment)).toBe(
    'sent [RED_API_KEY] from /home/someone, short',
  );
});

// Put together here, so that no scanner takes this file for a leak.
test.each([
  of('sk-', 'ant-api03-', 'a'.repeat(40)),
  of('sk-', 'proj-', 'A1b2'.repeat(10)),
  of('gh', 'p_', 'a1'.repeat(18)),
  of('github_', 'pat_', 'a1'.repeat(20)),
  of('gl', 'pat-', 'a1'.repeat(10)),
  of('AI', 'za', 'Sy'.repeat(17)),
  of('AK', 'IA', 'ABCDEFGH12345678'),
  of('xo', 'xb-', '123456789012-abcdef'),
  of('hf', '_', 'a'.repeat(34)),
  of('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'abcdefghijk'),
])('a token of a known form is taken out: %s', (token) => {
  expect(withoutSecrets(`key ${token}, refused`, {})).toBe('key [secret], refused');
});

test('a bearer token and the password of an address are taken out', () => {
  expect(withoutSecrets('Authorization: Bearer abcdefghijklmnop1234', {})).toBe(
    'Authorization: Bearer [secret]',
  );
  expect(withoutSecrets('http://user:p4ssw0rd@proxy.invalid:80/', {})).toBe(
    'http://user:[secret]@proxy.invalid:80/',
  );
});

test('ordinary text is left alone', () => {
  const text =
    'status 401 at https://api.example.invalid/v1/messages: ask-me-anything about desk-lamps-and-more';
  expect(withoutSecrets(text, {})).toBe(text);
});
