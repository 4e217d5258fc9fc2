/**
 * Files that the program needs at run time. The build puts them beside the program; run from source, they
 * stand where they are written, and workers need the same loader as this process.
 */
const isBuilt = !import.meta.url.endsWith('.ts')

const here = (path: string) => new URL(path, import.meta.url)

export const programFiles = isBuilt
  ? {
      indexWorker: here('index-worker.js'),
      readerWorker: here('reader-worker.js'),
      web: here('web/'),
      demoHome: here('demo-home/'),
      workerExecArgv: undefined,
    }
  : {
      indexWorker: here('../../../../packages/session-index/src/worker.ts'),
      readerWorker: here('../store/reader-worker.ts'),
      web: here('../../../web/dist/'),
      demoHome: here('../../../../fixtures/home/'),
      workerExecArgv: process.execArgv,
    }
