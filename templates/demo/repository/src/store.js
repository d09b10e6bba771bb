import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = 'todos.json';

export function readTodos() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function writeTodos(todos) {
  writeFileSync(file, JSON.stringify(todos));
}
