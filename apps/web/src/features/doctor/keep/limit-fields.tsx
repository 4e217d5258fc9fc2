import type { KeepStatus } from '@gemini-dash/api'
import { useKeepChange } from '../../../api/keep.ts'
import { formatPlural, formatSize } from '../../../lib/figures/format.ts'
import { Notice } from '../../../ui/states/notice.tsx'

const SIZES = [1e9, 5e9, 10e9, 20e9, 50e9]
const AGES = [90, 365, 730]

/** What the archive may hold, and how old what it takes in may be. One that was set by the command is offered, too. */
export function LimitFields({ limits }: Pick<KeepStatus, 'limits'>) {
  const change = useKeepChange()
  const { maxBytes, maxAgeDays } = limits
  return (
    <div className="finding">
      <div className="keep-limits">
        <LimitSelect
          label="At most"
          value={maxBytes}
          values={SIZES}
          none="as much as the disk holds"
          nameOf={formatSize}
          onChange={(next) => change.mutate({ limits: { maxBytes: next } })}
        />
        <LimitSelect
          label="Not older than"
          value={maxAgeDays}
          values={AGES}
          none="any age"
          nameOf={(days) => formatPlural(days, 'day')}
          onChange={(next) => change.mutate({ limits: { maxAgeDays: next } })}
        />
      </div>
      <p className="advice">
        At a limit it takes in no more and says so. Nothing that is kept is dropped by itself.
      </p>
      {change.isError && <Notice tone="error">{change.error.message}</Notice>}
    </div>
  )
}

interface LimitSelectProps {
  label: string
  value: number | null
  values: readonly number[]
  /** Without a limit. */
  none: string
  nameOf: (value: number) => string
  onChange: (value: number | null) => void
}

function LimitSelect({ label, value, values, none, nameOf, onChange }: LimitSelectProps) {
  const offered = value === null || values.includes(value) ? values : [...values, value].sort((a, b) => a - b)
  return (
    <label>
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        {offered.map((each) => (
          <option key={each} value={each}>
            {nameOf(each)}
          </option>
        ))}
        <option value="">{none}</option>
      </select>
    </label>
  )
}
