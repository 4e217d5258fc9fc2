import type { CommandName, RunCommand } from '../terminal/commands.ts'

/** Each command's program, which is read only where the command runs. */
const PROGRAMS: Record<CommandName, () => Promise<RunCommand>> = {
  serve: async () => (await import('./serving/serve-in-thread.ts')).serveInThread,
  list: async () => (await import('../commands/list.ts')).list,
  show: async () => (await import('../commands/show.ts')).show,
  search: async () => (await import('../commands/search.ts')).search,
  usage: async () => (await import('../commands/usage.ts')).usage,
  doctor: async () => (await import('../commands/doctor.ts')).doctor,
  url: async () => (await import('../commands/url.ts')).url,
  completion: async () => (await import('../commands/completion.ts')).completion,
}

export function loadCommand(name: CommandName): Promise<RunCommand> {
  return PROGRAMS[name]()
}
