// The parts of WebAssembly that the scanner of bytes is made of, by what they do. Vectors have 16 bytes.

export const I32 = 0x7f
const V128 = 0x7b
const NO_RESULT = 0x40

export const UNREACHABLE = 0x00
export const RETURN = 0x0f
export const IS_ZERO = 0x45
export const EQUAL = 0x46
export const NOT_EQUAL = 0x47
export const LESS = 0x49
export const GREATER_OR_EQUAL = 0x4e
export const TRAILING_ZEROS = 0x68
export const ADD = 0x6a
export const SUBTRACT = 0x6b
export const AND = 0x71
export const OR = 0x72
export const SHIFT_LEFT = 0x74
const END = 0x0b

export const SPLAT_16 = [0xfd, 0x0f]
export const EQUAL_16 = [0xfd, 0x23]
export const GREATER_OR_EQUAL_16 = [0xfd, 0x2c]
export const AND_16 = [0xfd, 0x4e]
export const OR_16 = [0xfd, 0x50]
export const BITS_16 = [0xfd, 0x64]

export const get = (local: number) => [0x20, local]
export const set = (local: number) => [0x21, local]
export const constant = (value: number) => [0x41, ...signed(value)]
/** One byte, or sixteen, of memory at the address on the stack. */
export const load = (offset: number) => [0x2d, 0, ...unsigned(offset)]
export const load16 = (offset: number) => [0xfd, 0x00, 0, ...unsigned(offset)]
export const block = (body: number[]) => [0x02, NO_RESULT, ...body, END]
export const loop = (body: number[]) => [0x03, NO_RESULT, ...body, END]
export const ifTrue = (body: number[]) => [0x04, NO_RESULT, ...body, END]
/** To the beginning of a loop so many levels further out. */
export const again = (levels: number) => [0x0c, levels]
/** To the end of a block so many levels further out. */
export const leaveIf = (levels: number) => [0x0d, levels]
export const increase = (local: number, by: number) => [...get(local), ...constant(by), ADD, ...set(local)]
export const dropLowestBit = (local: number) => [
  ...[...get(local), ...get(local), ...constant(1), SUBTRACT, AND, ...set(local)],
]

export function routine(integers: number, vectors: number, body: number[]): number[] {
  const code = [2, integers, I32, vectors, V128, ...body, END]
  return [...unsigned(code.length), ...code]
}

export function signature(parameters: number[]): number[] {
  return [0x60, parameters.length, ...parameters, 1, I32]
}

export function section(id: number, entries: number[][]): number[] {
  const content = [...unsigned(entries.length), ...entries.flat()]
  return [id, ...unsigned(content.length), ...content]
}

export function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

/** LEB128, as WebAssembly writes numbers. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const isLast = value >= -0x40 && value < 0x40
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
