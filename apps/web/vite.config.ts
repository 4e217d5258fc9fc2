import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath, type Plugin } from 'vite'

// `pnpm dev` in this folder: pages from here, data from a running `gemini-dash serve --no-token --no-open`.
const serverUrl = 'http://127.0.0.1:4747'

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFonts(), readEntitiesWithoutDocument()],
  build: {
    // The content policy allows no data: fonts, and inlined assets would be fetched by every page.
    assetsInlineLimit: 0,
    // Browsers that know light-dark(); older ones would need every colour written twice.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Shared files import each other. Without it, which modules go where decides whether a class is there when one extends it.
        strictExecutionOrder: true,
        codeSplitting: {
          // Modules that pages share were 27 files of a first download and 25 of a session's page, most of one kilobyte;
          // a file costs more than its bytes.
          groups: [
            // What the first page needs, and nothing that is only shared with it: merged by size alone, it would load half
            // of what the charts need before it is drawn.
            {
              name: (id, graph) => {
                firstPage ??= modulesReachedFrom('src/main.tsx', graph)
                return firstPage.has(id) ? 'first' : null
              },
              priority: 2,
            },
            // What comes up beside a list right after it: two kilobytes, and not the 80 of what other pages share with it.
            {
              name: (id, graph) => {
                notice ??= modulesReachedFrom('src/features/keep/keep-notice.tsx', graph)
                return notice.has(id) ? 'notice' : null
              },
              priority: 1,
            },
            {
              name: 'shared',
              test: isOurs,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 60_000,
            },
          ],
        },
      },
    },
  },
  // grammars are parts of their own there, too
  worker: { format: 'es', plugins: () => [jsxOfJavaScript()] },
  server: { proxy: { '/api': { target: serverUrl, changeOrigin: true } } },
})

let firstPage: Set<string> | undefined
let notice: Set<string> | undefined

/** The modules that one reaches without an `import()`, itself among them. */
function modulesReachedFrom(path: string, graph: ModuleGraph): Set<string> {
  const found = new Set([normalizePath(fileURLToPath(new URL(path, import.meta.url)))])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/** Grammars are asked for one by one. */
function isOurs(id: string): boolean {
  return !id.includes('@shikijs/langs')
}

/** Fonts of the first look come with the styles: one that comes after the page is drawn moves all of it. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /-latin-wght-normal-[^/]*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${name}` },
          injectTo: 'head',
        })),
  }
}

/**
 * An entity of an answer is read by a table. The build that `decode-named-character-reference` has for pages sets
 * innerHTML instead, which the content policy refuses. (By its condition `worker` other packages would change, too.)
 */
function readEntitiesWithoutDocument(): Plugin {
  return {
    name: 'read-entities-without-document',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source !== 'decode-named-character-reference') return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && { ...found, id: found.id.replace(/index\.dom\.js(?=$|\?)/, 'index.js') }
    },
  }
}

/** JSX, which GraphQL brings along, has the rules of JavaScript, and would be 180 kB of its own. */
function jsxOfJavaScript(): Plugin {
  return {
    name: 'jsx-of-javascript',
    load(id) {
      if (!normalizePath(id).endsWith('/@shikijs/langs/dist/jsx.mjs')) return null
      return `import javascript from './javascript.mjs'
        const [{ aliases: _, ...rules }] = javascript
        export default [{ ...rules, displayName: 'JSX', name: 'jsx', scopeName: 'source.js.jsx' }]`
    },
  }
}
