import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { defineCacheFormat } from '../../../scripts/cache-format.ts'
import { defineByteScanner } from '../../../scripts/define-byte-scanner.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Inside this package's own modules, so that the wasm build of SQLite is found from there.
const OUT = here('../node_modules/.cache/test-programs/')

export interface TestPrograms {
  worker: URL
  dyingWorker: URL
  indexProcess: string
  answerRequests: string
}

/**
 * Bundles the programs that run in separate threads and processes, as the app does with its worker.
 *
 * @param folder of the test file, since several run at the same time
 */
export async function buildTestPrograms(folder: string): Promise<TestPrograms> {
  const out = `${OUT}${folder}/`
  await build({
    configFile: false,
    // `gemini-sessions` resolves to its sources, as everywhere in the workspace.
    root: here('../../..'),
    resolve: { tsconfigPaths: true },
    define: { ...defineCacheFormat(), ...defineByteScanner() },
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: {
          worker: here('./worker.ts'),
          'dying-worker': here('./dying-worker.ts'),
          'index-process': here('./index-process.ts'),
          'answer-requests': here('./answer-requests.ts'),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true, external: ['node-sqlite3-wasm'] },
  })
  const url = (name: string) => pathToFileURL(`${out}${name}.mjs`)
  return {
    worker: url('worker'),
    dyingWorker: url('dying-worker'),
    indexProcess: `${out}index-process.mjs`,
    answerRequests: `${out}answer-requests.mjs`,
  }
}
