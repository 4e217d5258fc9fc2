import { setFlagsFromString } from 'node:v8'

/** Bytes of bytecode that run between two looks at what is hot; V8's own is 66 KB. */
const INTERRUPT_BUDGET = 540_000
/** About so many bytes of a function of SQLite's WebAssembly run before it is optimized; V8's own are 1.8 MB. */
const TIERING_BUDGET = 50_000_000

/**
 * Has V8 optimize what runs long instead of whatever runs a little: reading sessions is much code that differs from file
 * to file, and each thread compiles its own. Measured while indexing 1 GB: compiling took 6 s of processor time, of 25 in
 * all; now it takes 3.7, and nothing else takes longer. From Node 22 on V8 has a compiler between, and needs no word, and
 * SQLite is Node's own.
 */
export function compileLater(): void {
  if (!process.versions.v8.startsWith('11.')) return
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
}
