import { sourceWorker } from './source-worker.ts'

/**
 * Files that the program needs at run time. The build puts them beside the program; run from source, they
 * stand where they are written.
 */
const isBuilt = !import.meta.url.endsWith('.ts')

const here = (path: string) => new URL(path, import.meta.url)

export const programFiles = isBuilt
  ? {
      indexWorker: here('index-worker.js'),
      readerWorker: here('reader-worker.js'),
      web: here('web/'),
      demoHome: here('demo-home/'),
    }
  : {
      indexWorker: sourceWorker(here('../../../../packages/session-index/src/worker.ts')),
      readerWorker: sourceWorker(here('../store/reader/reader-worker.ts')),
      web: here('../../../web/dist/'),
      demoHome: here('../../../../fixtures/home/'),
    }
