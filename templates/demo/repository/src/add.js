import { readTodos, writeTodos } from './store.js';

export function addTodo(args) {
  writeTodos([...readTodos(), { text: args.join(' '), done: false }]);
}
