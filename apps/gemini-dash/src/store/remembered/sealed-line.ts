import { crc32 } from 'node:zlib'

/** Eight digits and a space. */
const SEAL_LENGTH = 9

/** A value as a line that tells whether it is what was written: a checksum before its JSON. */
export function sealLine(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  return Buffer.concat([Buffer.from(`${sealOf(json)} `, 'latin1'), json, NEW_LINE])
}

/** @param line with or without its end @throws if it is not what was written */
export function openLine(line: Buffer): unknown {
  const end = line.at(-1) === NEW_LINE[0] ? line.length - 1 : line.length
  const json = line.subarray(SEAL_LENGTH, end)
  if (line.toString('latin1', 0, SEAL_LENGTH) !== `${sealOf(json)} `) throw new Error('The line is damaged.')
  return JSON.parse(json.toString())
}

const NEW_LINE = Buffer.from('\n')

function sealOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}
