import fc from 'fast-check'

const SPLICES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  ':',
  '\n',
  '\0',
  '\u2028',
  'null',
  '1e999',
  '-0',
  '__proto__',
  '\ud800',
  '$set',
  '$rewindTo',
  '{"id":"',
  '"messages":[',
]

type Damage = (bytes: Buffer) => Buffer

const flip = fc.tuple(fc.nat(), fc.nat(255)).map(
  ([at, value]): Damage =>
    (bytes) => {
      const changed = Buffer.from(bytes)
      if (changed.length > 0) changed[at % changed.length] = value
      return changed
    },
)
const splice = fc.tuple(fc.nat(), fc.nat(40), fc.constantFrom(...SPLICES)).map(
  ([at, gone, text]): Damage =>
    (bytes) => {
      const from = at % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(text), bytes.subarray(from + gone)])
    },
)
const cut = fc.nat().map(
  (at): Damage =>
    (bytes) =>
      bytes.subarray(0, at % (bytes.length + 1)),
)
const repeat = fc.tuple(fc.nat(), fc.nat(2_000), fc.nat()).map(
  ([from, length, to]): Damage =>
    (bytes) => {
      const start = from % (bytes.length + 1)
      const at = to % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(start, start + length), bytes.subarray(at)])
    },
)

/** One of the given files with random damage. */
export function damagedBytes(files: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(
      fc.constantFrom(...files),
      fc.array(fc.oneof(flip, splice, splice, cut, repeat), { minLength: 1, maxLength: 6 }),
    )
    .map(([bytes, damages]) => damages.reduce((damaged, damage) => damage(damaged), bytes))
}
