import { createHash } from 'node:crypto'

export interface Reply {
  route: string
  type: string
  bytes: Buffer
  /** The working folder of this run; its home, cache and data are below it. */
  folder: string
  /** URL of the server, with its port. */
  base: string
}

/** Fields that differ between runs or builds, with the reason. A route before a name limits it to that route. */
const NORMALIZED: Readonly<Record<string, string>> = {
  state: 'made of inode and ctime of the copied files',
  nextCursor: 'followed instead: all pages are one answer',
  version: 'of the program',
  '/api/health runtime': 'of this machine',
  storedBytes: 'size of our own files',
  '/api/settings sizeBytes': 'size of our own files',
  '/api/settings parts': 'which of our own files were written by then',
  '/api/report text': 'names the machine and the sizes of our own files',
  '/api/doctor cache': 'size of our own files',
  '/api/budgets elapsed': 'the time',
  '/api/sessions/:key/neighbours id': 'made of the place of the home',
  '/api/sessions/:key/export exported': 'the time',
}

/** An answer without paths, port and normalized fields; for a zip the names in it; for other bytes a hash. */
export function normalize(reply: Reply): unknown {
  const { type, bytes } = reply
  if (type.startsWith('application/zip')) return { zip: namesInZip(bytes) }
  const isJson = type.startsWith('application/json')
  if (!isJson && !/^text\/|ndjson/.test(type))
    return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const text = bytes.toString().replaceAll(reply.folder, '/golden').replaceAll(reply.base, 'http://golden')
  if (isJson) return normalizeJson(text, reply.route)
  return type.includes('ndjson')
    ? text.split('\n').map((line) => (line === '' ? '' : normalizeJson(line, reply.route)))
    : text
}

function normalizeJson(text: string, route: string): unknown {
  return JSON.parse(text, (name, value) => {
    const isNormalized = name in NORMALIZED || `${route} ${name}` in NORMALIZED
    return isNormalized && value !== null ? '(normalized)' : value
  })
}

const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1')

/** From the central directory. */
function namesInZip(bytes: Buffer): string[] {
  const names: string[] = []
  for (
    let at = bytes.indexOf(DIRECTORY_ENTRY);
    at !== -1;
    at = bytes.indexOf(DIRECTORY_ENTRY, at + DIRECTORY_ENTRY.length)
  )
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)))
  return names
}
