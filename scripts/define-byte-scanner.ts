import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const SOURCE = fileURLToPath(
  new URL('../packages/session-index/src/source/byte-scanner.wat', import.meta.url),
)

const { parseWat } = await wabt()

/** For `define` in every build and in the tests: the compiled loops, run by `byte-scanner.ts` beside their source. */
export function defineByteScanner(): { __BYTE_SCANNER__: string } {
  const module = parseWat('byte-scanner.wat', readFileSync(SOURCE, 'utf8'), { simd: true })
  try {
    module.validate()
    return { __BYTE_SCANNER__: JSON.stringify(Buffer.from(module.toBinary({}).buffer).toString('base64')) }
  } finally {
    module.destroy()
  }
}
