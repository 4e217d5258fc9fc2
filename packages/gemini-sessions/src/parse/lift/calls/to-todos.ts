import { isRawObject } from '../../../raw/raw-object.ts'

/** A stored todo list; statuses are kept as they are. */
export function toTodos(todos: readonly unknown[]): { description: string; status: string }[] {
  return todos.filter(isRawObject).map(({ description, status }) => ({
    description: typeof description === 'string' ? description : '',
    status: typeof status === 'string' ? status : '',
  }))
}
