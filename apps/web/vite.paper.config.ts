import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { shortenClassNames } from './build/shorten-class-names.ts'

const ASSETS = fileURLToPath(new URL('dist/assets', import.meta.url))

/**
 * Second entry point: renders a session in Node as HTML without scripts, with the page's own components. Built after the page, whose
 * grammars highlight its code.
 */
export default defineConfig({
  plugins: [takePageHighlighter(), react(), tailwindcss(), shortenClassNames()],
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/paper/paper.ts',
    ssrEmitAssets: true,
    outDir: 'paper/dist',
    emptyOutDir: true,
    minify: true,
    sourcemap: false,
    target: 'node20',
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // everything is in one file, including the fonts
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { entryFileNames: 'paper.js', assetFileNames: 'paper[extname]', codeSplitting: false },
    },
  },
})

/** URL of the page's worker, relative to the paper program. Resolved during the build, as it does not exist when this file is loaded. */
function takePageHighlighter(): Plugin {
  const ID = '\0page-highlighter'
  return {
    name: 'take-page-highlighter',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/highlight-worker.ts?worker&url') ? ID : null),
    load: (id) =>
      id === ID ? `export default ${JSON.stringify(`../web/assets/${pageHighlighter()}`)}` : null,
  }
}

/** The page's worker chunk, which loads all grammars. */
function pageHighlighter(): string {
  const name = existsSync(ASSETS)
    ? readdirSync(ASSETS).find((file) => /^highlight-worker-.*\.js$/.test(file))
    : undefined
  if (name === undefined) throw new Error(`${ASSETS} has no highlighter: build the page first`)
  return name
}
