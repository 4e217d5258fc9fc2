import './call-blocks.css'
import type { ContextCall, ContextXray } from 'gemini-sessions'
import { classNames } from '../../lib/browser/class-names.ts'
import {
  formatCount,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures/format.ts'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { TokenText } from '../../ui/figures/token-text.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { XrayBar, XrayKey } from './xray-key.tsx'
import type { Tone } from './xray-series.ts'
import { blockName } from './xray-series.ts'

/** A line of the list: a block, or the calls of all tools together. */
interface BlockRow {
  name: string
  tone: Tone
  tokens: number
  /** Than in the call before; null where there is none. */
  more: number | null
  /** Nothing else grew as much. */
  grewMost: boolean
}

const MAX_ROWS = 10

interface Props {
  sessionRef: string
  xray: ContextXray
  tones: readonly Tone[]
  position: number
}

/** What one prompt was made of, and what came to it since the one before. */
export function CallBlocks({ sessionRef, xray, tones, position }: Props) {
  const call = xray.calls[position]
  if (call === undefined) return null
  const { rows, others } = callBlocks(xray, tones, call)
  const largest = rows.reduce((max, { tokens }) => Math.max(max, tokens), 1)
  return (
    <section className="xray-call" aria-label="The chosen call">
      <h3>
        Call {formatCount(position + 1)}
        <span title={call.superseded === null ? undefined : SUPERSEDED_MEANING[call.superseded]}>
          {callWords(call)}
        </span>
        <ToMessage sessionRef={sessionRef} messageKey={call.messageKey} call={null}>
          Open the message
        </ToMessage>
      </h3>
      <p className="xray-call-sum">
        <b>
          <TokenText tokens={call.input} />
        </b>{' '}
        tokens sent{cacheWords(call)}
      </p>
      <ScrollRegion label="What filled the prompt">
        <table className="xray-blocks">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">What</th>
              <td />
              <th scope="col">Tokens</th>
              <th scope="col">Share</th>
              <th scope="col">More than in the call before</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, tone, tokens, more, grewMost }) => (
              <tr key={name}>
                <th scope="row">
                  <XrayKey tone={tone} />
                  <span title={name}>{name}</span>
                </th>
                <td className="xray-share">
                  <XrayBar tone={tone} share={tokens / largest} />
                </td>
                <td className="num" title={formatCount(tokens)}>
                  {formatTokens(tokens)}
                </td>
                <td className="num dim">{formatPercent(tokens / Math.max(call.input, 1))}</td>
                <td className={classNames('num xray-more', grewMost && 'most')}>
                  {growthText(tokens, more)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {others > 0 && <p className="xray-note">and {formatPlural(others, 'smaller one')}</p>}
      <p className="xray-note">{growthNote(call)}</p>
    </section>
  )
}

function callWords({ turn, isAgent, superseded }: ContextCall): string {
  const words = [
    turn > 0 && `turn ${turn}`,
    isAgent && 'sub-agent',
    superseded !== null && SUPERSEDED_WORD[superseded],
  ]
  return words.filter(Boolean).join(', ')
}

function cacheWords({ input, cached, savedUsd }: ContextCall): string {
  if (cached === 0) return ', none of them from the cache'
  const saved = savedUsd === null || savedUsd <= 0 ? '' : `, which saved ${formatFineUsd(savedUsd)}`
  return `, ${formatPercent(cached / Math.max(input, 1))} from the cache${saved}`
}

/** What the estimate itself wavers by is no growth: a share, and some tokens of rounding. */
const NOISE = 0.01
const NOISE_TOKENS = 5

function growthText(tokens: number, more: number | null): string {
  if (more === null || Math.abs(more) <= Math.max(tokens * NOISE, NOISE_TOKENS)) return ''
  return more > 0 ? `+${formatTokens(more)}` : `−${formatTokens(-more)}`
}

function growthNote({ before, input, resent }: ContextCall): string {
  if (before === null) return 'The first call of its context: nothing was sent before.'
  return `+ and −: against call ${formatCount(before + 1)}. ${formatTokens(resent)} had been sent before, ${formatTokens(input - resent)} were new.`
}

/** What a prompt was made of, largest first; blocks that neither it nor the one before had are left out. */
export function callBlocks(
  { blocks, calls }: ContextXray,
  tones: readonly Tone[],
  call: ContextCall,
): { rows: BlockRow[]; others: number } {
  const before = call.before === null ? undefined : calls[call.before]
  const rows = new Map<string, BlockRow>()
  for (const [block, tone] of tones.entries()) {
    const tokens = call.tokens[block] ?? 0
    const tokensBefore = before?.tokens[block] ?? 0
    if (tokens === 0 && tokensBefore === 0) continue
    const name = blockName(blocks[block])
    const row = rows.get(name) ?? {
      name,
      tone,
      tokens: 0,
      more: before === undefined ? null : 0,
      grewMost: false,
    }
    row.tokens += tokens
    if (row.more !== null) row.more += tokens - tokensBefore
    rows.set(name, row)
  }
  const most = Math.max(...[...rows.values()].map(({ more }) => more ?? 0))
  for (const row of rows.values()) row.grewMost = most > 0 && row.more === most
  const sorted = [...rows.values()].sort((one, other) => other.tokens - one.tokens)
  return { rows: sorted.slice(0, MAX_ROWS), others: Math.max(sorted.length - MAX_ROWS, 0) }
}
