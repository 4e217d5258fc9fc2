import type { IndexGroup } from '../contract/index-group.ts'
import type { IndexSearchRequest, ScanPosition } from '../contract/index-search.ts'

export interface OrderedGroup {
  group: IndexGroup
  /** Of its newest message that may be a hit. */
  timeMs: number
  /** `hashGroup` of its id. */
  hash: number
}

/** A group that is to be looked at, from a message up to another one, which is not. */
interface GroupSpan {
  group: IndexGroup
  firstMessage: number
  endMessage: number
  position: (messages: number) => ScanPosition
}

/** Behind every group. */
export const SCAN_END: ScanPosition = { timeMs: -1, group: 0, messages: 0 }

/** Of groups in their order, those that were looked at before, and those between the two positions. */
export function scanSpan(
  groups: OrderedGroup[],
  { scanFrom, scanTo }: Pick<IndexSearchRequest, 'scanFrom' | 'scanTo'>,
): { before: OrderedGroup[]; within: GroupSpan[] } {
  const [from] = scanFrom ?? []
  const [to = SCAN_END] = scanTo ?? []
  const start = from === undefined ? 0 : groups.filter((group) => compare(group, from) < 0).length
  const within = groups.slice(start).flatMap((each) => {
    const { group, timeMs, hash } = each
    const firstMessage = from !== undefined && compare(each, from) === 0 ? from.messages : 0
    const atEnd = compare(each, to)
    const endMessage = atEnd < 0 ? Number.POSITIVE_INFINITY : atEnd === 0 ? to.messages : 0
    const position = (messages: number) => ({ timeMs, group: hash, messages })
    return endMessage <= firstMessage ? [] : [{ group, firstMessage, endMessage, position }]
  })
  return { before: groups.slice(0, start), within }
}

/** Negative: before that position; 0: it is in this group. */
function compare({ timeMs, hash }: OrderedGroup, position: ScanPosition): number {
  return position.timeMs - timeMs || hash - position.group
}
