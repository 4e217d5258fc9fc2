/** What the build puts beside the program. */
export const programFiles = {
  serveThread: beside('serve-thread.js'),
  indexWorker: beside('index-worker.js'),
  readerWorker: beside('reader-worker.js'),
  keepWorker: beside('keep-worker.js'),
  web: beside('web/'),
  demoHome: beside('demo-home/'),
}

function beside(path: string): URL {
  return new URL(path, import.meta.url)
}
