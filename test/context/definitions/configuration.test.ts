import { expect, test } from 'vitest';
import { namesIn, namesOf, type Sample } from './sample.ts';

const samples: readonly Sample[] = [
  {
    path: 'schema.sql',
    content: `
-- create table comments (id int);
/* create table old (
create table older ( */
CREATE TABLE IF NOT EXISTS public."orders" (
  id serial primary key,
  created at timestamp
);
create or replace view open_orders as select * from orders;
CREATE UNIQUE INDEX CONCURRENTLY orders_name ON orders (name);
CREATE INDEX ON orders (id);
create or replace function app.total_of(id int) returns int
CREATE TYPE [dbo].[Mood] AS ENUM ('sad');
CREATE TEMP TABLE scratch AS SELECT 1;
create materialized view daily as
CREATE TRIGGER \`touch\` BEFORE UPDATE ON orders
drop table gone;
insert into orders values ('create table x');
alter table orders add column note text;
`,
    names: 'orders open_orders orders_name total_of Mood scratch daily touch',
  },
  {
    path: 'pyproject.toml',
    content: `# [comment]
title = "x"
"quoted key" = 1
text = """
[not.a.section]
key = 1
"""
list = [
  "a", [1, 2],
]
[tool.ruff.lint] # rules
select = ["E"]
[[bin]]
name = "main"
`,
    names: 'title quoted_key text list tool.ruff.lint bin',
  },
  {
    path: 'setup.cfg',
    content: '; note\n[metadata]\nname = x\n[tool:pytest]\naddopts =\n  -q\n[remote "origin"]\n',
    names: 'metadata tool:pytest remote_"origin"',
  },
  {
    path: 'app.properties',
    content: '# a=b\nserver.port=80\n db: x\nname: y\n',
    names: 'server.port name',
  },
  {
    path: 'ci.yaml',
    content: `# jobs: none
name: ci
'on':
  push:
    branches: [main]
jobs:
  test:
    run: |
      key: value
- item: 1
http://x.example
"80": http
`,
    names: 'name on jobs',
  },
  {
    path: 'package.json',
    content: `{
  "name": "x",
  "scripts": {
    "test": "node --test"
  },
  "files": [
    "dist"
  ],
  "80": 1,
  "type": "module"
}
`,
    names: 'name scripts files type',
  },
  { path: 'rows.json', content: '[\n  {\n    "id": 1\n  }\n]\n', names: '' },
  {
    path: 'tsconfig.jsonc',
    content: '// the compiler\n{\n  // a: 1\n  "include": []\n}\n',
    names: 'include',
  },
  {
    path: '.env',
    content: '# A=1\nexport API_URL=http://x\nDEBUG = 1\n\nlower case\n',
    names: 'API_URL DEBUG',
  },
  {
    path: 'docker/Dockerfile.dev',
    content:
      '# FROM x AS old\nFROM node:24 AS build\nRUN echo FROM a AS b c\nfrom build as final-stage\nFROM scratch\n',
    names: 'build final-stage',
  },
  {
    path: 'Makefile',
    content: `.PHONY: all clean
CC := gcc
PREFIX ?= /usr
URL ::= x
all: build/app
build/app: $(OBJECTS) | build
\t$(CC) -o $@ $^
%.o: %.c
\tdocker run image:tag
install uninstall: all
clean::
$(BIN): all
ifeq ($(A),b)
export PATH := x
`,
    names: 'all build/app install uninstall clean',
  },
  {
    path: 'guide.md',
    content: `---
title: Guide
# no heading
---
The Guide
=========
## Set up \`conclave\` {#setup}
Text, #not a heading
\`\`\`one line\`\`\`
\`\`\`sh
# a comment
\`\`\`
~~~~
# still code
\`\`\`
# and still
~~~~
### [Links](https://x.example) and **bold** ###
- item
---
| a | b |
Old style
---------
#nospace
####### seven
`,
    names: 'The_Guide Set_up_conclave Links_and_bold Old_style',
  },
];

test.each(samples)('$path defines these names and no others', (sample) => {
  expect(namesIn(sample)).toEqual(namesOf(sample));
  const content = sample.content.replaceAll('\n', '\r\n');
  expect(namesIn({ ...sample, content })).toEqual(namesOf(sample));
});
