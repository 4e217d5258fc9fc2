import type { TrackerTask } from 'gemini-sessions'

/** Each task followed by the tasks that are part of it; a circle of parents ends where it began. */
export function orderTasks(tasks: readonly TrackerTask[]): { task: TrackerTask; isNested: boolean }[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const placed = new Set<TrackerTask>()
  const ordered: { task: TrackerTask; isNested: boolean }[] = []
  const place = (task: TrackerTask, isNested: boolean) => {
    if (placed.has(task)) return
    placed.add(task)
    ordered.push({ task, isNested })
    for (const part of tasks) if (part.parentId === task.id) place(part, true)
  }
  for (const task of tasks) if (task.parentId === null || !ids.has(task.parentId)) place(task, false)
  for (const task of tasks) place(task, false)
  return ordered
}
