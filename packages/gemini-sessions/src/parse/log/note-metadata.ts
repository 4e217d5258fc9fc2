import { KNOWN_NAMES } from '../../raw/known-names.ts'
import type { RawObject } from '../../raw/raw-object.ts'
import type { Problems } from '../problems/problems.ts'

/** Notes what no known version writes into a metadata record, or sets later in a log. */
export function noteMetadata(
  where: 'metadata' | '$set',
  fields: RawObject,
  at: string,
  problems: Problems,
): void {
  problems.addUnknownNames(where, fields, KNOWN_NAMES.metadata, at)
  const { kind } = fields
  if (typeof kind === 'string' && !KNOWN_NAMES.metadataKind.has(kind)) {
    problems.addDrift('metadata.kind', kind, at)
  }
}
