import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractJson } from '../../../src/agents/answer/extract.ts';
import { cpuFloors } from '../../helpers/cpu-floors.ts';

const answer = '{"session":"s","round":1,"text":"a } { b","list":[{"x":1}]}';
const value = JSON.parse(answer) as unknown;

function read(text: string, wanted?: readonly string[]): unknown {
  const result = extractJson(text, wanted);
  return result.ok ? result.value : result.failure.reason;
}

function kindOf(found: unknown): string {
  return Object.prototype.toString.call(Object(found).value);
}

describe('takes the object out of what a model writes around it', () => {
  test.each<[string, string]>([
    ['nothing', answer],
    ['white space', `\n\n  ${answer}\n`],
    ['a byte order mark', `\uFEFF${answer}`],
    ['a fence', `\`\`\`json\n${answer}\n\`\`\``],
    ['a fence without a language', `\`\`\`\n${answer}\n\`\`\``],
    ['a fence with more backticks', `\`\`\`\`json\n${answer}\n\`\`\`\``],
    ['a fence that never closes', `Here:\n\`\`\`json\n${answer}\n`],
    ['a fence on one line', `\`\`\`json ${answer} \`\`\``],
    ['prose before and after', `Sure! Here it is:\n\n${answer}\n\nHope that helps.`],
    ['braces in the prose', `With {braces} and { more, then ${answer} and {} at the end.`],
    ['apostrophes in the prose', `Here's what I've got, it's fine: ${answer} That's it.`],
    ['a draft object', `{"draft":true} No, rather: ${answer}`],
    ['a fenced draft', `\`\`\`json\n{"draft":true}\n\`\`\`\n\`\`\`json\n${answer}\n\`\`\``],
    ['a list around it', `[${answer}]`],
    ['reasoning', `<think>{"session":"draft"}</think>${answer}`],
    ['reasoning with an open brace', `<think>maybe {"session": ... no</think>\n${answer}`],
    ['reasoning and a fence', `<thinking>{"a":1}</thinking>\n\`\`\`json\n${answer}\n\`\`\``],
  ])('%s', (_name, text) => {
    expect(read(text)).toEqual({ value, repaired: false });
  });
});

describe('keeps what stands inside strings', () => {
  test.each<[string, Record<string, unknown>]>([
    ['fences', { a: 'x\n```json\n{"b":1}\n```' }],
    ['braces', { a: '}}}{{{' }],
    ['escaped quotation marks', { a: 'say "hi", {"x": "y"}' }],
    ['backslashes at the end', { a: 'C:\\', b: '\\"' }],
    ['other scripts', { a: '日本語 🎉 “quoted”' }],
  ])('%s', (_name, inner) => {
    expect(read(JSON.stringify(inner))).toEqual({ value: inner, repaired: false });
    expect(read(`Here: ${JSON.stringify(inner)} Done.`)).toEqual({ value: inner, repaired: false });
  });
});

test('a whole object may speak of reasoning marks', () => {
  const whole = { a: "</think> {'b': 1}" };
  expect(read(JSON.stringify(whole))).toEqual({ value: whole, repaired: false });
});

describe('repairs the best candidate and says so', () => {
  const good = { session: 's', round: 1, items: ['a', 'b'] };
  test.each<[string, string, unknown]>([
    ['trailing commas', '{"session":"s","round":1,"items":["a","b",],}', good],
    ['comments', '{"session":"s", // id\n"round":1, /* n */ "items":["a","b"]}', good],
    ['single quotes', "{'session':'s','round':1,'items':['a','b']}", good],
    ['smart quotes', '{“session”: “s”, “round”: 1, “items”: [“a”, “b”]}', good],
    ['a missing comma', '{"session":"s"\n"round":1,"items":["a","b"]}', good],
    ['a brace too few', '{"session":"s","round":1,"items":["a","b"]', good],
    [
      'a brace too few in a fence',
      'Here:\n```json\n{"session":"s","round":1,"items":["a","b"]',
      good,
    ],
    [
      'a fault in a fence',
      '```json\n{"session":"s","round":1,"items":["a","b",]}\n```\nBye.',
      good,
    ],
    [
      'a fault after prose',
      'So {here} it is: {"session":"s","round":1,"items":["a","b",]} Bye.',
      good,
    ],
    [
      'a brace too few, then prose',
      '{"session":"s","round":1,"items":["a","b"]\n\nHope this helps!',
      good,
    ],
    [
      'a Python dict',
      "{'ok': True, 'none': None, 'no': False, 'text': \"it's\"}",
      { ok: true, none: null, no: false, text: "it's" },
    ],
    ['inner quotes', '{"text":"he said "hi" to me","n":1}', { text: 'he said "hi" to me', n: 1 }],
    ['NaN', '{"n":NaN,"m":1}', { n: 'NaN', m: 1 }],
    ['a raw line break', '{"text":"one\ntwo"}', { text: 'one\ntwo' }],
  ])('%s', (_name, text, expected) => {
    const found = read(text, Object.keys(Object(expected)));
    expect(found).toMatchObject({ value: expected, repaired: true });
  });
});

describe('never completes an answer that breaks off', () => {
  const wanted = ['session', 'round', 'items'];
  test.each([
    ['within a text', '{"session":"s","round":1,"items":["b","c'],
    ['after a value', '{"session":"s","round":1,"items":["b","c"'],
    ['after a comma', '{"session":"s","items":["b"],'],
    ['in a fence', 'Here:\n```json\n{"session":"s","round":1,"items":["a","b"'],
    ['after a whole draft', '{"session":"s","round":1,"items":[]} Or: {"session":"s","items":["a'],
  ])('%s', (_name, text) => {
    expect(read(text, wanted)).toBe('the answer breaks off before its end');
  });

  test('after an entry of its list', () => {
    expect(read('{"session":"s","items":[{"a":1}', wanted)).toMatch(/no JSON object that could/);
  });
});

describe('prefers the object that has the wanted fields', () => {
  const wanted = ['session', 'round'];
  test.each<[string, string]>([
    ['over a later example', `${answer}\n\nFor example:\n\`\`\`json\n{"retries": 3}\n\`\`\``],
    ['over a later object', `${answer} {"note": "done"}`],
    ['over an earlier fence', `\`\`\`json\n{"retries": 3}\n\`\`\`\n${answer}`],
  ])('%s', (_name, text) => {
    expect(read(text, wanted)).toEqual({ value, repaired: false });
  });

  test.each([
    ['two', '{"session":"a","round":1} {"session":"b","round":1}'],
    ['two, one of them damaged', '{"session":"a","round":1} {"session":"b","round":1,}'],
  ])('and takes none of %s that have them and differ', (_name, text) => {
    expect(read(text, wanted)).toBe('the answer holds 2 JSON objects that differ; give one');
  });

  test('and takes it out of a wrapper, unless fields stand beside that', () => {
    const wrapped = { result: { answer: { session: 'a', round: 1 } } };
    expect(read(JSON.stringify(wrapped), wanted)).toMatchObject({
      value: { session: 'a', round: 1 },
      wrapper: 'answer',
    });
    const beside = { session: 'b', answer: { session: 'a', round: 1 } };
    expect(read(JSON.stringify(beside), wanted)).toEqual({ value: beside, repaired: false });
  });
});

describe('refuses what is no object', () => {
  test.each<[string, string, RegExp]>([
    ['nothing', '', /empty/],
    ['prose', 'I cannot do that.', /no JSON object/],
    ['a string', '"I cannot do that."', /no JSON object/],
    ['a list of words', '["a","b"]', /no JSON object/],
    ['an empty fence', '```json\n```', /no JSON object/],
  ])('%s', (_name, text, reason) => {
    expect(read(text)).toMatch(reason);
  });
});

test('leaves out keys that could reach a prototype, at any depth and however they are written', () => {
  const text =
    '{"a":{"__proto__":{"polluted":1},"b":1},"\\u005f_proto__":{"polluted":1},"constructor":{"c":1},"list":[{"constructor":2,"d":3}]}';
  const result = extractJson(text);
  expect(result).toEqual({
    ok: true,
    value: { value: { a: { b: 1 }, list: [{ d: 3 }] }, repaired: false },
  });
  expect(Object.hasOwn({}, 'polluted')).toBe(false);
  expect(JSON.stringify(result)).not.toContain('polluted');
});

describe('stays fast and on its feet', () => {
  const mega = 250_000;
  const many = 50_000;
  test.each<[string, () => string]>([
    ['very many nested lists', () => `{"a":${'['.repeat(mega)}${']'.repeat(mega)}}`],
    ['very many nested objects', () => '{"a":'.repeat(mega) + '1' + '}'.repeat(mega)],
    ['very many braces', () => '{'.repeat(mega)],
    ['nesting hidden by a quotation mark', () => `{"a":"b" "${'{"c":'.repeat(10_000)}`],
    ['millions of backticks', () => '`'.repeat(10 * mega)],
    ['many fences', () => '```\n'.repeat(many)],
    ['many faulty objects', () => '{"a":1,} '.repeat(many)],
    ['megabytes of spaces in braces', () => `{${' '.repeat(10 * mega)}{${' '.repeat(mega)}`],
    ['a repair with many faults', () => `{"a":"${'b" c '.repeat(19_000)}"}`],
    ['a repair too large to try', () => `{"a":"${'b" c '.repeat(many)}"}`],
    ['a fault at the end of megabytes', () => `{"a":"${'b'.repeat(10 * mega)}",}`],
  ])('on %s', (_name, make) => {
    const text = make();
    const before = cpuFloors();
    extractJson(text);
    expect(cpuFloors() - before).toBeLessThan(20);
  });

  test('reads megabytes of prose, object and prose in little time', () => {
    const big = JSON.stringify({
      session: 's',
      list: Array.from({ length: 25_000 }, (_, n) => `entry ${n} {"} \\" ${'x'.repeat(70)}`),
    });
    const text = `Some prose.\n${big}\nMore prose.`;
    expect(text.length).toBeGreaterThan(2_000_000);
    const before = cpuFloors();
    expect(extractJson(text).ok).toBe(true);
    expect(cpuFloors() - before).toBeLessThan(10);
  });

  test('refuses deep nesting with the reason', () => {
    expect(read(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`)).toMatch(/nested deeper than 200/);
  });

  test('never throws and never gives anything but an object', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'{ } [ ] " \' : , \\ ``` <think> </think> {"a": "b" null'.split(' ')),
      fc.constantFrom(...'NaN // /* “ __proto__'.split(' '), '```json\n', '\n', ' '),
      fc.string({ unit: 'binary' }),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const found = read(pieces.join(''));
        expect(typeof found === 'string' ? found : kindOf(found)).toMatch(
          /^\[object Object\]$|answer/,
        );
      }),
      { numRuns: 600 },
    );
  });

  test('finds any object between any prose without brackets and quotation marks', () => {
    const prose = fc.string().map((text) => text.replace(/[{}[\]"'“‘`]/g, ''));
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__' && key !== 'constructor'),
      fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())),
      { minKeys: 1, noNullPrototype: true },
    );
    fc.assert(
      fc.property(prose, object, prose, (before, inner, after) => {
        expect(read(`${before} ${JSON.stringify(inner)} ${after}`)).toEqual({
          value: JSON.parse(JSON.stringify(inner)) as unknown,
          repaired: false,
        });
      }),
    );
  });
});
