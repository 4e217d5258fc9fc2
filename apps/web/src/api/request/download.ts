import { fetchAnswer, readAnswer } from './fetch-answer.ts'

/** So much is held in memory before it is handed to the browser, which puts what is large on its disk. */
const PIECE_BYTES = 8_000_000

/**
 * Fetches a file and hands it to the browser's downloads once it is whole. `tell` hears how many bytes are there.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function download(
  path: string,
  signal?: AbortSignal,
  tell: (bytes: number) => void = () => undefined,
): Promise<void> {
  const response = await fetchAnswer(path, { accept: '*/*', signal })
  const file = await collect(response, signal, tell)
  const link = document.createElement('a')
  const href = URL.createObjectURL(file)
  link.href = href
  link.download = nameOf(response.headers.get('content-disposition') ?? '')
  link.click()
  // the browser has taken hold of it by then
  window.setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

async function collect(
  response: Response,
  signal: AbortSignal | undefined,
  tell: (bytes: number) => void,
): Promise<Blob> {
  const type = response.headers.get('content-type') ?? ''
  const done: Blob[] = []
  let open: Uint8Array<ArrayBuffer>[] = []
  let openBytes = 0
  let bytes = 0
  const reader = response.body?.getReader()
  const next = () => readAnswer(reader?.read(), signal)
  for (let read = await next(); read?.done === false; read = await next()) {
    open.push(read.value)
    openBytes += read.value.length
    bytes += read.value.length
    tell(bytes)
    if (openBytes < PIECE_BYTES) continue
    done.push(new Blob(open))
    open = []
    openBytes = 0
  }
  return new Blob([...done, ...open], { type })
}

function nameOf(disposition: string): string {
  const [, encoded = ''] = /filename(?:\*=UTF-8''|=")([^;"]+)/.exec(disposition) ?? []
  try {
    return decodeURIComponent(encoded)
  } catch {
    return ''
  }
}
