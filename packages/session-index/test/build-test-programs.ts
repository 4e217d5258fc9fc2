import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Below this package's own modules, so that the wasm build of SQLite is found from there.
const OUT = here('../node_modules/.cache/test-programs/')

export interface TestPrograms {
  worker: URL
  dyingWorker: URL
  indexProcess: string
}

/** Bundles the programs that run in threads and processes of their own, as the app does with its worker. */
export async function buildTestPrograms(): Promise<TestPrograms> {
  await build({
    configFile: false,
    // `gemini-sessions` means its sources, as everywhere in the workspace.
    root: here('../../..'),
    resolve: { tsconfigPaths: true },
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: {
          worker: here('../src/worker.ts'),
          'dying-worker': here('./dying-worker.ts'),
          'index-process': here('./index-process.ts'),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true, external: ['node-sqlite3-wasm'] },
  })
  const url = (name: string) => pathToFileURL(`${OUT}${name}.mjs`)
  return { worker: url('worker'), dyingWorker: url('dying-worker'), indexProcess: `${OUT}index-process.mjs` }
}
