import { spawnSync } from 'node:child_process'

/** Output of another program; null if it is not installed. Search tools return `status` 1 for no match. */
export function runTool(command: string, args: string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return null
  if (error !== undefined) throw error
  if (status !== 0 && status !== 1) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return stdout
}
