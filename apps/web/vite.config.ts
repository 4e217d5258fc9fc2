import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath, type Plugin } from 'vite'

// `pnpm dev` in this folder: pages from here, data from a running `gemini-dash serve --no-token --no-open`.
const serverUrl = 'http://127.0.0.1:4747'

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFonts(), readEntitiesWithoutDocument()],
  build: {
    // The CSP allows no data: fonts, and inlined assets would be loaded by every page.
    assetsInlineLimit: 0,
    // Browsers that support light-dark(); older ones would need every color twice.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Shared files import each other. Without this, the module distribution decides whether a class exists when another extends it.
        strictExecutionOrder: true,
        codeSplitting: {
          // Otherwise shared modules made up 27 files of the first download and 25 of a session page, most of 1 kB; a file costs more than
          // its bytes.
          groups: [
            // Only what the first page needs, without modules that are merely shared with it: merging by size alone would include half of
            // the charts' dependencies.
            {
              name: (id, graph) => {
                firstPage ??= modulesReachedFrom('src/main.tsx', graph)
                return firstPage.has(id) ? 'first' : null
              },
              priority: 2,
            },
            // Shown beside a list right after it: 2 kB instead of the 80 kB that other pages share with it.
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
  // grammars are separate chunks there, too
  worker: { format: 'es', plugins: () => [jsxOfJavaScript()] },
  server: { proxy: { '/api': { target: serverUrl, changeOrigin: true } } },
})

let firstPage: Set<string> | undefined
let notice: Set<string> | undefined

/** All modules reachable from one without an `import()`, including itself. */
function modulesReachedFrom(path: string, graph: ModuleGraph): Set<string> {
  const found = new Set([normalizePath(fileURLToPath(new URL(path, import.meta.url)))])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/** Grammars are loaded individually. */
function isOurs(id: string): boolean {
  return !id.includes('@shikijs/langs')
}

/** Preloads the fonts of the first page with the styles: fonts that arrive after the first paint shift everything. */
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
 * Decodes entities with a table. The browser build of `decode-named-character-reference` sets innerHTML, which the CSP refuses. (The
 * condition `worker` would affect other packages, too.)
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

/** JSX, a dependency of GraphQL, has the rules of JavaScript and would add 180 kB. */
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
