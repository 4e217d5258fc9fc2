import type { SettingsChange } from '@gemini-dash/api'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { readRate } from './read-rate.ts'

/** The server takes no longer name of a model. */
const MOST_LETTERS = 200

interface Props {
  onSave: (change: NonNullable<SettingsChange['price']>) => void
  onCancel: () => void
}

/** A price for a million tokens of one model, in dollars. */
export function PriceForm({ onSave, onCancel }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const [input, cached, output] = [text('input'), text('cached'), text('output')].map(readRate)
    if (text('model') === '') return setProblem('Which model? Its name is needed, as sessions have it.')
    if (input == null || output == null || cached === null)
      return setProblem('A price is a number of dollars, as 1.25 or 0.075, with five decimals at most.')
    setProblem(null)
    onSave({
      model: text('model'),
      price: { inputPerMillion: input, cachedPerMillion: cached ?? null, outputPerMillion: output },
    })
  }
  return (
    <form className="setting-fields" aria-label="Price of a model" onSubmit={save}>
      <Field name="model" label="Model" />
      <Field name="input" label="New input, $" isAmount />
      <Field name="cached" label="Cached, $ (empty: as new)" isAmount />
      <Field name="output" label="Output and thoughts, $" isAmount />
      <Button type="submit" look="primary">
        Keep this price
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
    </form>
  )
}

function Field({ name, label, isAmount = false }: { name: string; label: string; isAmount?: boolean }) {
  return (
    <label>
      <span>{label}</span>
      <input
        name={name}
        className={isAmount ? 'setting-field amount' : 'setting-field'}
        maxLength={isAmount ? 20 : MOST_LETTERS}
        inputMode={isAmount ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  )
}
