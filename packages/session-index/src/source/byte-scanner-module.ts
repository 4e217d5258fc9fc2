import {
  ADD,
  AND,
  AND_16,
  again,
  BITS_16,
  block,
  constant,
  dropLowestBit,
  EQUAL,
  EQUAL_16,
  GREATER_OR_EQUAL,
  GREATER_OR_EQUAL_16,
  get,
  I32,
  IS_ZERO,
  ifTrue,
  increase,
  LESS,
  leaveIf,
  load,
  load16,
  loop,
  NOT_EQUAL,
  name,
  OR,
  OR_16,
  RETURN,
  routine,
  SHIFT_LEFT,
  SPLAT_16,
  SUBTRACT,
  section,
  set,
  signature,
  TRAILING_ZEROS,
  UNREACHABLE,
} from './webassembly.ts'

/** Where the tables of a search lie in the memory of the module; the bytes to look at come behind them. */
export const SCANNER_MEMORY = {
  /** Wanted bytes, up to 256. */
  wanted: 0,
  /** For each of them the bits that do not matter, set. */
  ignored: 256,
  /** By byte: 1 where it may stand before a break within a match. */
  before: 512,
  /** By byte: 1 where it may stand behind the quote that ends the first part of a match. */
  behindQuote: 768,
  /** By the first two bytes of a character: see `RELEVANT`. */
  characters: 65_536,
  bytes: 131_072,
} as const

/** What a character beyond ASCII may be to a match. */
export const RELEVANT = { asLetter: 1, between: 2 } as const

/**
 * Two loops over bytes, 16 at a time: written as WebAssembly, as JavaScript has no instructions for that and is ten
 * times slower.
 *
 * `find(at, end, length, first, second)`: where the wanted bytes stand, from `at` on, beginning before `end`; -1 if they
 * do not. It looks for two of them, at `first` and `second`, and then at all.
 *
 * `nextBreak(at, end)`: the next place from which on a match may be written in another way than by its own bytes: a
 * character that says a letter or nothing, an escape of one, or the end of a string; -1 if there is none.
 */
export function byteScannerModule(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [signature([I32, I32, I32, I32, I32]), signature([I32, I32])]),
    ...section(2, [[...name('env'), ...name('memory'), 2, 0, 1]]),
    ...section(3, [[0], [1]]),
    ...section(7, [
      [...name('find'), 0, 0],
      [...name('nextBreak'), 0, 1],
    ]),
    ...section(10, [find(), nextBreak()]),
  ])
}

function find(): number[] {
  const [at, end, length, first, second] = [0, 1, 2, 3, 4]
  const [hits, place, index] = [5, 6, 7]
  const [firstByte, firstIgnored, secondByte, secondIgnored] = [8, 9, 10, 11]
  const isByte = (offset: number, ignored: number, byte: number) => [
    ...[...get(at), ...get(offset), ADD, ...load16(0)],
    ...[...get(ignored), ...OR_16, ...get(byte), ...EQUAL_16],
  ]
  const compare = [
    ...[...get(index), ...get(length), GREATER_OR_EQUAL, ...ifTrue([...get(place), RETURN])],
    ...[...get(place), ...get(index), ADD, ...load(0)],
    ...[...get(index), ...load(SCANNER_MEMORY.ignored), OR],
    ...[...get(index), ...load(SCANNER_MEMORY.wanted), NOT_EQUAL, ...leaveIf(1)],
    ...[...increase(index, 1), ...again(0)],
  ]
  const lookAtHits = [
    ...[...get(hits), IS_ZERO, ...leaveIf(1)],
    ...[...get(at), ...get(hits), TRAILING_ZEROS, ADD, ...set(place)],
    ...[...get(place), ...get(end), GREATER_OR_EQUAL, ...ifTrue([...constant(-1), RETURN])],
    ...dropLowestBit(hits),
    ...[...constant(0), ...set(index)],
    ...block(loop(compare)),
    ...again(0),
  ]
  const look = [
    ...[...get(at), ...get(end), GREATER_OR_EQUAL, ...ifTrue([...constant(-1), RETURN])],
    ...isByte(first, firstIgnored, firstByte),
    ...isByte(second, secondIgnored, secondByte),
    ...[...AND_16, ...BITS_16, ...set(hits)],
    ...block(loop(lookAtHits)),
    ...[...increase(at, 16), ...again(0)],
  ]
  const splat = (offset: number, table: number, into: number) => [
    ...[...get(offset), ...load(table), ...SPLAT_16, ...set(into)],
  ]
  return routine(3, 4, [
    ...splat(first, SCANNER_MEMORY.wanted, firstByte),
    ...splat(first, SCANNER_MEMORY.ignored, firstIgnored),
    ...splat(second, SCANNER_MEMORY.wanted, secondByte),
    ...splat(second, SCANNER_MEMORY.ignored, secondIgnored),
    ...loop(look),
    UNREACHABLE,
  ])
}

function nextBreak(): number[] {
  const [at, end] = [0, 1]
  const [hits, place, byte, relevance] = [2, 3, 4, 5]
  const bytes = 6
  const foundHere = ifTrue([...get(place), RETURN])
  const mayStandBefore = [...get(place), ...constant(1), SUBTRACT, ...load(0), ...load(SCANNER_MEMORY.before)]
  const isControlEscape = [
    ...[...get(place), ...load(2), ...constant(DIGIT_0), EQUAL],
    ...[...get(place), ...load(3), ...constant(DIGIT_0), EQUAL, AND],
    ...[...get(place), ...load(4), ...constant(DIGIT_0 + 2), LESS, AND],
  ]
  const lookAtCharacter = [
    ...[...get(byte), ...constant(8), SHIFT_LEFT, ...get(place), ...load(1), OR],
    ...[...load(SCANNER_MEMORY.characters), ...set(relevance)],
    ...[...get(relevance), ...constant(RELEVANT.asLetter), AND, ...foundHere],
    ...[...get(relevance), ...constant(0), NOT_EQUAL, ...mayStandBefore, AND, ...foundHere],
  ]
  const lookAtQuote = [
    ...mayStandBefore,
    ...[...get(place), ...load(1), ...load(SCANNER_MEMORY.behindQuote), AND, ...foundHere],
  ]
  const lookAtHits = [
    ...[...get(hits), IS_ZERO, ...leaveIf(1)],
    ...[...get(at), ...get(hits), TRAILING_ZEROS, ADD, ...set(place)],
    ...[...get(place), ...get(end), GREATER_OR_EQUAL, ...ifTrue([...constant(-1), RETURN])],
    ...dropLowestBit(hits),
    ...[...get(place), ...load(0), ...set(byte)],
    ...[
      ...get(byte),
      ...constant(FIRST_BYTE),
      GREATER_OR_EQUAL,
      ...ifTrue([...lookAtCharacter, ...again(1)]),
    ],
    ...[...get(byte), ...constant(QUOTE), EQUAL, ...ifTrue([...lookAtQuote, ...again(1)])],
    ...[...get(byte), ...constant(BACKSLASH), EQUAL, ...isControlEscape, IS_ZERO, AND, ...foundHere],
    ...again(0),
  ]
  const is = (byteWanted: number) => [...constant(byteWanted), ...SPLAT_16, ...EQUAL_16]
  const look = [
    ...[...get(at), ...get(end), GREATER_OR_EQUAL, ...ifTrue([...constant(-1), RETURN])],
    ...[...get(at), ...load16(0), ...set(bytes)],
    ...[...get(bytes), ...is(BACKSLASH), ...get(at), ...load16(1), ...is(LETTER_U), ...AND_16],
    ...[...get(bytes), ...is(QUOTE), ...OR_16],
    // A byte from 0xc0 on begins a character.
    ...[...get(bytes), ...constant(FIRST_BYTE), ...SPLAT_16, ...GREATER_OR_EQUAL_16, ...OR_16],
    ...[...BITS_16, ...set(hits)],
    ...block(loop(lookAtHits)),
    ...[...increase(at, 16), ...again(0)],
  ]
  return routine(4, 1, [...loop(look), UNREACHABLE])
}

const FIRST_BYTE = 0xc0
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const DIGIT_0 = 0x30
