import { formatClock, formatCount, formatFineUsd } from '../../lib/format.ts'
import { stepName } from './call-sentence.ts'
import type { Step } from './chart-geometry.ts'

const WIDTH = 240

/** Exact figures of one call. What it says is also in the table and, for the keyboard, spoken. */
export function ChartTooltip({ step, x, frameWidth }: { step: Step; x: number; frameWidth: number }) {
  const { usage, usd, time, turn } = step.call
  const left = x + WIDTH + 40 > frameWidth ? Math.max(x - WIDTH - 12, 0) : x + 28
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
      <p className="chart-tooltip-sum">
        <b>cost</b>
        <b>{usd === null ? 'unknown' : formatFineUsd(usd)}</b>
      </p>
      <p className="chart-tooltip-head">
        <span>cost so far</span>
        <span>{formatFineUsd(step.usdSoFar)}</span>
      </p>
      {step.isAtHigherRate && <p className="dim">Long input: at the higher rate</p>}
      {step.isSuperseded && <p className="dim">{step.call.superseded}, billed all the same</p>}
      {step.hasFailure && <p className="tone-error">A tool failed</p>}
    </div>
  )
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
