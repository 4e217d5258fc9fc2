import './context-xray.css'
import { apiPaths } from '@gemini-dash/api/paths'
import { Link } from '@tanstack/react-router'
import type { ContextXray as Xray } from 'gemini-sessions'
import { Download, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatFineUsd, formatPercent, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { isTakenBack } from '../../lib/session/is-taken-back.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { CallBlocks } from './call-blocks.tsx'
import { SentAgain } from './sent-again.tsx'
import { XrayPatterns } from './xray-key.tsx'
import { XrayPlot } from './xray-plot.tsx'
import { blockTones, xraySeries } from './xray-series.ts'
import { XrayTable } from './xray-table.tsx'

interface Props {
  sessionRef: string
  xray: Xray
  /** Key of the session that counts all calls of this one; null: it has calls of its own, or none at all. */
  countedIn: string | null
  /** false on a plan: cost is told nowhere. */
  hasPrices: boolean
  /** Message of the call that is looked at; undefined: the last one. */
  chosenKey: string | undefined
  onChoose: (messageKey: string) => void
  /** Brings a message into sight. */
  onOpen: (messageKey: string) => void
}

/** What filled the prompt of each call, and what of it was sent again and again. */
export function ContextXrayView({
  sessionRef,
  xray,
  countedIn,
  hasPrices,
  chosenKey,
  onChoose,
  onOpen,
}: Props) {
  const [isTable, setIsTable] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const tones = useMemo(() => blockTones(xray), [xray])
  const series = useMemo(() => xraySeries(xray, tones), [xray, tones])
  const position = useMemo(() => positionOf(xray, chosenKey), [xray, chosenKey])
  if (xray.calls.length === 0)
    return (
      <section className="panel" aria-labelledby="xray-title">
        <header className="panel-head">
          <h2 id="xray-title">What filled each prompt</h2>
        </header>
        <p className="panel-body dim">
          {countedIn === null ? (
            'No call of this session has recorded tokens, so nothing can be said of what its prompts held.'
          ) : (
            <>
              This session is a copy. What its prompts held is shown where its requests are counted,{' '}
              <Link to="/s/$key" params={{ key: countedIn }} search={{ view: 'context' }} className="link">
                in the original
              </Link>
              .
            </>
          )}
        </p>
      </section>
    )
  return (
    <>
      <section className="xray panel" aria-labelledby="xray-title">
        <header className="panel-head">
          <h2 id="xray-title">What filled each prompt</h2>
          <p>{totalsSentence(xray)}</p>
          <div className="push">
            <Button look="quiet" size="tiny" onClick={() => setIsTable(!isTable)}>
              <Icon of={Table2} small />
              {isTable ? 'View as chart' : 'View as table'}
            </Button>
            <a
              className="button quiet tiny"
              href={apiPaths.context(sessionRef, { format: 'csv' })}
              download
              aria-label="CSV: What filled each prompt"
            >
              <Icon of={Download} small />
              CSV
            </a>
          </div>
        </header>
        <XrayPatterns />
        {isTable ? (
          <XrayTable sessionRef={sessionRef} xray={xray} series={series} />
        ) : (
          <div className="xray-body">
            <XrayPlot
              xray={xray}
              series={series}
              chosen={position}
              onChoose={(at) => onChoose(xray.calls[at]?.messageKey ?? '')}
              onPoint={setPointed}
              onOpen={(at) => onOpen(xray.calls[at]?.messageKey ?? '')}
            />
            <CallBlocks sessionRef={sessionRef} xray={xray} tones={tones} position={pointed ?? position} />
          </div>
        )}
        <p className="xray-note xray-honest">
          The line on top is the recorded input. What fills it is estimated from the log by length; “Not
          recorded” is what no text of the log explains.
        </p>
      </section>
      <SentAgain sessionRef={sessionRef} items={xray.items} hasPrices={hasPrices} />
    </>
  )
}

/** Of the call that is named, or else of the last one that stands: the context as it is now. */
function positionOf({ calls }: Xray, chosenKey: string | undefined): number {
  const named = chosenKey === undefined ? -1 : calls.findIndex(({ messageKey }) => messageKey === chosenKey)
  if (named >= 0) return named
  return Math.max(
    calls.findLastIndex(({ superseded }) => !isTakenBack(superseded)),
    0,
  )
}

/** All of it recorded. */
function totalsSentence({ calls, totals }: Xray): string {
  const { input, resent, cached, saved } = totals
  const sent = `${formatPlural(calls.length, 'call')} sent ${formatTokens(input)} tokens`
  if (resent === 0 && cached === 0) return `${sent}.`
  const share = (part: number) => formatPercent(part / Math.max(input, 1))
  const savedWords = saved.usd === null || saved.usd <= 0 ? '' : `, which saved ${formatFineUsd(saved.usd)}`
  return `${sent}; ${share(resent)} of them had been sent before, ${share(cached)} came from the cache${savedWords}.`
}
