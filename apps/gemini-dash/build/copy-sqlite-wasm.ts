import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const WASM = 'node-sqlite3-wasm.wasm'

/** SQLite's code looks for its wasm beside itself. Only the index depends on that package. */
export function copySqliteWasm(): Plugin {
  const fromIndex = createRequire(new URL('../../../packages/session-index/package.json', import.meta.url))
  return {
    name: 'copy-sqlite-wasm',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir !== undefined)
        cpSync(join(dirname(fromIndex.resolve('node-sqlite3-wasm')), WASM), join(dir, WASM))
    },
  }
}
