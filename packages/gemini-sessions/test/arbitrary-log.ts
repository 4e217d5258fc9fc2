import fc from 'fast-check'
import { arbitraryStep, METADATA, type Row } from './arbitrary-step.ts'

/** A log and the loader cases that it covers. */
export interface GeneratedLog {
  text: string
  cases: readonly string[]
}

/** Lines that are not JSON, or not only. */
const damage = fc.constantFrom<{ name: string; line: string }>(
  { name: 'blank line', line: '' },
  { name: 'blank line', line: ' \t ' },
  { name: 'torn line', line: '{"id":"a","type":"us' },
  { name: 'NULs', line: '\0\0\0' },
  { name: 'NULs before a record', line: `\0\0${JSON.stringify({ id: 'e', type: 'gemini' })}` },
)

const tail = fc.constantFrom(
  { name: 'whole tail', text: '\n' },
  { name: 'tail without newline', text: '' },
  { name: 'torn tail', text: '\n{"id":"a","ty' },
  { name: 'torn tail', text: '\n{"$set":{"messages":[{"id":"a"}' },
)

/** Logs of every record type that the CLI's loader knows, with damage in between and a possibly torn tail. */
export const arbitraryLog: fc.Arbitrary<GeneratedLog> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 12, arbitrary: arbitraryStep }, damage), { maxLength: 25 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
    tail,
    fc.constantFrom(true, true, true, false),
  )
  .map(([steps, newline, end, hasHead]) => {
    const known: Row[] = []
    const lines = hasHead ? [JSON.stringify(METADATA)] : []
    const cases = [
      end.name,
      newline === '\n' ? 'LF' : 'CRLF',
      hasHead ? 'metadata first' : 'no metadata first',
    ]
    for (const each of steps) {
      cases.push(each.name)
      if ('line' in each) lines.push(each.line)
      else
        for (const record of toRecords(each.write(known))) {
          lines.push(JSON.stringify(record))
          remember(known, record)
        }
    }
    if (!hasHead) lines.push(JSON.stringify(METADATA))
    if (steps.length === 0) cases.push('stub')
    return { text: lines.join(newline) + end.text, cases }
  })

/** A step may write several lines. */
function toRecords(written: unknown): unknown[] {
  const isSequence =
    Array.isArray(written) && written.some((record) => typeof record === 'object' && '$set' in record)
  return isSequence ? written : [written]
}

function remember(known: Row[], record: unknown): void {
  if (typeof record !== 'object' || record === null || !('id' in record) || '$rewindTo' in record) return
  const { id: recordId } = record
  if (typeof recordId === 'string' && !known.some((message) => message.id === recordId))
    known.push(record as Row)
}
