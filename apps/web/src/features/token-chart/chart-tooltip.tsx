import './chart-tooltip.css'
import { formatClock, formatCount, formatFineUsd } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { stepName } from './call-sentence.ts'
import type { Step } from './geometry/chart-geometry.ts'

const WIDTH = 240
/** Between it and the crosshair, so that the bar and its marks stay in sight. */
const DISTANCE = 20

interface Props {
  step: Step
  /** Of the crosshair in the frame. */
  x: number
  frameWidth: number
  hasPrices: boolean
}

/** Exact figures of one call. What it says is also in the table and, for the keyboard, spoken. */
export function ChartTooltip({ step, x, frameWidth, hasPrices }: Props) {
  const { usage, usd, time, turn } = step.call
  const left = x + DISTANCE + WIDTH > frameWidth ? Math.max(x - DISTANCE - WIDTH, 0) : x + DISTANCE
  return (
    <div className="chart-tooltip" style={{ left }} aria-hidden="true">
      <p className="chart-tooltip-head">
        <b>
          {stepName(step)}
          {turn > 0 && `, turn ${turn}`}
        </b>
        {time !== null && <span>{formatClock(new Date(time).toISOString(), 'seconds')}</span>}
      </p>
      {usage === null ? (
        <p>Tokens were not recorded.</p>
      ) : (
        <dl>
          {usage.tool > 0 && <Line name="tooluse" label="tool" tokens={usage.tool} />}
          <Line name="thoughts" label="thoughts" tokens={usage.thoughts} />
          <Line name="output" label="output" tokens={usage.output} />
          <Line name="fresh" label="fresh input" tokens={Math.max(usage.input - usage.cached, 0)} />
          <Line name="cached" label="cached input" tokens={usage.cached} />
        </dl>
      )}
      {hasPrices && (
        <>
          <p className="chart-tooltip-sum">
            <b>cost</b>
            <b>{usd === null ? 'unknown' : formatFineUsd(usd)}</b>
          </p>
          <p className="chart-tooltip-head">
            <span>cost so far</span>
            <span>{formatFineUsd(step.usdSoFar)}</span>
          </p>
        </>
      )}
      {step.isAtHigherRate && <p className="dim">Long input: at the higher rate</p>}
      {step.isSuperseded && <p className="dim">{supersededWord(step.call)}, billed all the same</p>}
      {step.hasFailure && <p className="tone-error">A tool failed</p>}
    </div>
  )
}

function supersededWord({ superseded }: Step['call']): string {
  return superseded === null ? '' : SUPERSEDED_WORD[superseded]
}

function Line({ name, label, tokens }: { name: string; label: string; tokens: number }) {
  return (
    <div>
      <dt>
        <span className={`chart-key ${name}`} />
        {label}
      </dt>
      <dd>{formatCount(tokens)}</dd>
    </div>
  )
}
