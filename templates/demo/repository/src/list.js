import { readTodos } from './store.js';

/** Prints one line for each todo. */
export function listTodos(args) {
  for (const todo of readTodos()) {
    console.log(formatTodo(todo));
  }
}

export function formatTodo(todo) {
  return `${todo.done ? 'x' : ' '} ${todo.text}`;
}
