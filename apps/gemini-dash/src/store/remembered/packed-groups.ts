import type { FileStamp } from '@gemini-dash/session-index'
import type { Cost, TokenUsage } from 'gemini-sessions'
import type { RememberedGroup, RememberedRow } from './remembered-list.ts'

/** Groups of a list without the names of their fields: ten thousand are parsed in half the time. */
export type PackedGroup = [
  offset: number,
  length: number,
  files: FileStamp[],
  rows: PackedRow[],
  subagents: number[],
]

type PackedRow = [
  key: string,
  startTime: string | null,
  endTime: string | null,
  models: RememberedRow['models'],
  own: PackedSpent,
  withSubagents?: PackedSpent | 'empty',
]

type PackedSpent = [usage: PackedUsage | null, cost: [usd: number | null, unpricedCalls: number] | null]
type PackedUsage = [
  input: number,
  output: number,
  cached: number,
  thoughts: number,
  tool: number,
  total: number,
  calls: number,
  callsWithoutTokens: number,
]

export function packGroup({ at: [offset, length], files, rows, subagents }: RememberedGroup): PackedGroup {
  return [offset, length, files, rows.map(packRow), subagents]
}

export function unpackGroup([offset, length, files, rows, subagents]: PackedGroup): RememberedGroup {
  return { at: [offset, length], files, rows: rows.map(unpackRow), subagents }
}

function packRow(row: RememberedRow): PackedRow {
  const { key, startTime, endTime, models, withSubagents, empty } = row
  const packed: PackedRow = [key, startTime, endTime, models, packSpent(row)]
  if (empty) packed.push('empty')
  else if (withSubagents !== undefined) packed.push(packSpent(withSubagents))
  return packed
}

function unpackRow([key, startTime, endTime, models, own, withSubagents]: PackedRow): RememberedRow {
  const row = { key, startTime, endTime, models, ...unpackSpent(own) }
  if (withSubagents === 'empty') return { ...row, empty: true }
  return withSubagents === undefined ? row : { ...row, withSubagents: unpackSpent(withSubagents) }
}

interface Spent {
  usage: TokenUsage | null
  cost: Cost | null
}

function packSpent({ usage, cost }: Spent): PackedSpent {
  return [usage && packUsage(usage), cost && [cost.usd, cost.unpricedCalls]]
}

function unpackSpent([usage, cost]: PackedSpent): Spent {
  return { usage: usage && unpackUsage(usage), cost: cost && { usd: cost[0], unpricedCalls: cost[1] } }
}

function packUsage(usage: TokenUsage): PackedUsage {
  const { input, output, cached, thoughts, tool, total, calls, callsWithoutTokens } = usage
  return [input, output, cached, thoughts, tool, total, calls, callsWithoutTokens]
}

function unpackUsage(packed: PackedUsage): TokenUsage {
  const [input, output, cached, thoughts, tool, total, calls, callsWithoutTokens] = packed
  return { input, output, cached, thoughts, tool, total, calls, callsWithoutTokens }
}
