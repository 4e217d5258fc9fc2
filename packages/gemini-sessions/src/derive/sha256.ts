/** SHA-256 of a text's UTF-8 bytes. Pure and synchronous, so that keys are the same in Node and in browsers. */
export function sha256(text: string): Uint8Array {
  const blocks = padded(new TextEncoder().encode(text))
  const state = Uint32Array.from(INITIAL_STATE)
  const schedule = new Uint32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, schedule, blocks, offset)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

/** The message, a 1 bit, zeros, and its length in bits as 64-bit big-endian, to a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const sizeBytes = Math.ceil((bytes.length + 9) / 64) * 64
  const result = new Uint8Array(sizeBytes)
  result.set(bytes)
  result[bytes.length] = 0x80
  const view = new DataView(result.buffer)
  view.setUint32(sizeBytes - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(sizeBytes - 4, (bytes.length * 8) >>> 0)
  return view
}

function compress(state: Uint32Array, schedule: Uint32Array, blocks: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const before15 = schedule[i - 15] ?? 0
    const before2 = schedule[i - 2] ?? 0
    const small0 = rotate(before15, 7) ^ rotate(before15, 18) ^ (before15 >>> 3)
    const small1 = rotate(before2, 17) ^ rotate(before2, 19) ^ (before2 >>> 10)
    schedule[i] = (schedule[i - 16] ?? 0) + small0 + (schedule[i - 7] ?? 0) + small1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + big1 + choice + (ROUND_CONSTANTS[i] ?? 0) + (schedule[i] ?? 0)) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + big0 + majority) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word
  })
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

/** First 32 bits of the fractional parts of the square (cube) roots of the first primes: FIPS 180-4. */
const PRIMES = firstPrimes(64)
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction32(Math.sqrt(prime)))
const ROUND_CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction32(Math.cbrt(prime)))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

function fraction32(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000)
}

/** How Gemini CLI names a project folder (up to 0.28) and fills `projectHash` (all versions). Also works in browsers. */
export const sha256Hex: HashText = (text) =>
  Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 of a text as 64 hex digits. */
export type HashText = (text: string) => string
