import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The executable of a Node with its own SQLite, or why there is none. */
export type NewerNode = { executable: string } | { missing: string }

const TOOL = fileURLToPath(new URL('../../../tools/newer-node/', import.meta.url))

export function findNewerNode(): NewerNode {
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const executable = `${TOOL}node_modules/${name}/bin/node${isWindows ? '.exe' : ''}`
  if (!existsSync(executable)) {
    return {
      missing: `no newer Node for ${process.platform} ${process.arch} in tools/newer-node (npm run test:all)`,
    }
  }
  const { status, stderr } = spawnSync(executable, ['--version'], { encoding: 'utf8' })
  return status === 0 ? { executable } : { missing: `the newer Node does not run here: ${stderr}` }
}
