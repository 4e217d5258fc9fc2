import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  /** Lower-case names; several values of a name are joined by a line break. */
  headers: Record<string, string>
  body: string
}

/**
 * Sends raw bytes: `fetch` repairs or rejects the malformed requests that an attacker would send. `isAll` closes the sending side
 * afterwards.
 */
export function rawHttp(port: number, request: string | Buffer, { isAll = false } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => (isAll ? socket.end(request) : socket.write(request)))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('latin1'))))
  })
}

/** A GET that is well-formed, except for the given header lines. */
export function getWith(port: number, path: string, headerLines: string[]): Promise<RawAnswer> {
  return rawHttp(
    port,
    `GET ${path} HTTP/1.1\r\n${[...headerLines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
  )
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name = '', ...value] = line.split(': ')
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}\n${value.join(': ')}` : value.join(': ')
  }
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') }
}
