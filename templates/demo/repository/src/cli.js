import { addTodo } from './add.js';
import { listTodos } from './list.js';

const [command, ...args] = process.argv.slice(2);

if (command === 'list') listTodos(args);
else if (command === 'add') addTodo(args);
else console.error(`There is no command ${command}.`);
