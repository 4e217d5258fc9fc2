import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * For running from source: a worker that is written in TypeScript. On Node 20 `--import tsx` does nothing in a
 * worker, so its first module is a line of JavaScript which brings the loader.
 */
export function sourceWorker(url: URL): URL {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = new URL('dist/esm/api/index.mjs', tsx)
  const code = `import { register } from '${loader}'; register(); await import('${url}')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}
