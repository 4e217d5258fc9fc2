import { cpSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What the program needs beside its code: the page, the sample home and SQLite as wasm. */
export function copyProgramFiles(): Plugin {
  return {
    name: 'copy-program-files',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) return
      copy(fromHere('../../web/dist'), join(dir, 'web'), 'build apps/web first')
      copy(fromHere('../../../fixtures/home'), join(dir, 'demo-home'), 'it is written by fixtures/demo')
      copy(sqliteWasm(), join(dir, 'node-sqlite3-wasm.wasm'), 'install the dependencies first')
      copy(fromHere('../../../LICENSE'), join(dir, '..', 'LICENSE'), 'it belongs to the repository')
    },
  }
}

function copy(from: string, to: string, hint: string): void {
  if (!existsSync(from)) throw new Error(`${from} is missing: ${hint}`)
  cpSync(from, to, { recursive: true })
}

/** Stands beside the script of its package, which only the index depends on. */
function sqliteWasm(): string {
  const fromIndex = createRequire(fromHere('../../../packages/session-index/package.json'))
  return join(dirname(fromIndex.resolve('node-sqlite3-wasm')), 'node-sqlite3-wasm.wasm')
}
