import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Files that the program serves: the page and the sample home. */
export function copyProgramFiles(): Plugin {
  return {
    name: 'copy-program-files',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) return
      copy(fromHere('../../web/dist'), join(dir, 'web'), 'build apps/web first')
      copy(fromHere('../../web/paper/dist'), join(dir, 'paper'), 'build the paper of apps/web first')
      copy(fromHere('../../../fixtures/home'), join(dir, 'demo-home'), 'fixtures/demo writes it')
    },
  }
}

function copy(from: string, to: string, hint: string): void {
  if (!existsSync(from)) throw new Error(`${from} is missing: ${hint}`)
  cpSync(from, to, { recursive: true })
}
