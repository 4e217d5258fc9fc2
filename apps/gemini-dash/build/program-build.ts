import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { defineCacheFormat } from '../../../scripts/cache-format.ts'
import { defineByteScanner } from '../../../scripts/define-byte-scanner.ts'
import { writeManPage } from './man-page.ts'
import { onlyGooglePrices } from './only-google-prices.ts'

/**
 * Bundled CommonJS packages look for files relative to themselves and load built-in modules; in an ES module they need these three names.
 * `var`, because some packages (open) declare one of them themselves, with the same value. Marked as pure, so that a chunk without such a
 * package does not evaluate them at every start.
 */
const COMMONJS_NAMES = `import { createRequire as makeRequire } from 'node:module'
import { fileURLToPath as pathOfUrl } from 'node:url'
var require = /* @__PURE__ */ makeRequire(import.meta.url)
var __filename = /* @__PURE__ */ pathOfUrl(import.meta.url)
var __dirname = /* @__PURE__ */ pathOfUrl(/* @__PURE__ */ new URL('.', import.meta.url)).slice(0, -1)`

/**
 * Fastify loads the first two only without custom schema compilers (the server uses zod's), and the third for tests; the MCP SDK uses the
 * next two to validate answers of clients, and we send clients no requests; @fastify/static uses the last to list files for one route per
 * file.
 */
const UNUSED_PACKAGES = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'ajv',
  'ajv-formats',
  'glob',
]
const UNUSED = fileURLToPath(new URL('./unused-package.cjs', import.meta.url))

const WASM = 'node-sqlite3-wasm.wasm'

/** The program and its workers with all imports bundled: the published package installs no dependencies. */
export function programBuild(outDir: string): InlineConfig {
  return {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Resolves `gemini-sessions` to its sources; its exports refer to build output.
    resolve: {
      tsconfigPaths: true,
      alias: UNUSED_PACKAGES.map((find) => ({ find, replacement: UNUSED })),
    },
    define: { ...defineCacheFormat(), ...defineByteScanner() },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      sourcemap: false,
      // Halves the code to load at every start.
      minify: true,
      rollupOptions: {
        // Code shared by two threads gets its own chunk: importing it from the entry of a thread would run that thread's code.
        preserveEntrySignatures: 'strict',
        input: {
          cli: 'src/cli.ts',
          'serve-thread': 'src/command-line/serve-thread.ts',
          'index-worker': 'src/store/reader/index-worker.ts',
          'reader-worker': 'src/store/reader/reader-worker.ts',
          'keep-worker': 'src/keep/keep-worker.ts',
        },
        output: {
          entryFileNames: '[name].js',
          // Next to the entries: the program locates its workers and its page relative to itself.
          chunkFileNames: '[name]-[hash].js',
          // The command line checks the Node.js version before it loads anything.
          banner: (chunk) => (chunk.name === 'cli' ? '' : COMMONJS_NAMES),
        },
      },
    },
    plugins: [onlyGooglePrices(), copySqliteWasm(), writeManPage()],
  }
}

/** SQLite's code looks for its wasm next to itself. Only the index depends on that package. */
function copySqliteWasm(): Plugin {
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
