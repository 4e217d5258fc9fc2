import type { Doctor, Settings, SettingsChange } from '@gemini-dash/api'
import { type FormEvent, useState } from 'react'
import { useSettingsChange } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatCount, formatExactUsd, formatPlural, formatTokens } from '../../lib/figures.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Notice } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table.tsx'
import { FindingList, FindingRow, RowError, SettingRow, SettingsSection } from './settings-section.tsx'

type Prices = Settings['prices']
type OwnPrice = Prices['models'][number]

interface Props {
  prices: Prices
  /** null: not loaded yet or unavailable. */
  unpriced: Doctor['unpriced'] | null
}

/** How the user pays, and which models have no price. */
export function BillingSection({ prices, unpriced }: Props) {
  const change = useSettingsChange()
  const { plan, file, problem } = prices
  return (
    <SettingsSection title="Billing" isTitleHidden>
      {problem !== null && (
        <div className="setting-note">
          <Notice tone="warning">
            <MachineText text={problem} />
          </Notice>
        </div>
      )}
      <SettingRow name="Billing" why={`Subscription shows tokens only.${whyFixed(prices)}`}>
        <Segmented
          label="Billing"
          value={plan}
          options={[
            { value: 'list-price', label: 'Pay per use' },
            { value: 'nothing', label: 'Subscription' },
          ]}
          isDisabled={file === null || problem !== null}
          onChange={(next) => change.mutate({ plan: next })}
        />
      </SettingRow>
      {plan === 'list-price' && unpriced !== null && <UnpricedModels unpriced={unpriced} />}
      <RowError error={change.error} />
    </SettingsSection>
  )
}

/** List prices of the models that were used. */
export function ListPricesSection({ prices: { used } }: { prices: Prices }) {
  const rate = (usd: number | null) => (usd === null ? '-' : formatExactUsd(usd))
  return (
    <SettingsSection title="List prices used">
      <DataTable
        label="List prices used, USD per 1M tokens"
        rows={used}
        keyOf={({ model }) => model}
        columns={[
          { name: 'Model', cell: ({ model }) => <bdi>{model}</bdi> },
          { name: 'Input', isFigure: true, cell: ({ inputPerMillion }) => rate(inputPerMillion) },
          { name: 'Cached', isFigure: true, cell: ({ cachedPerMillion }) => rate(cachedPerMillion) },
          { name: 'Output', isFigure: true, cell: ({ outputPerMillion }) => rate(outputPerMillion) },
          {
            name: 'Higher above',
            isFigure: true,
            cell: ({ higherAbove }) => (higherAbove === null ? '-' : formatTokens(higherAbove)),
          },
        ]}
      />
    </SettingsSection>
  )
}

/** The user's own prices, which override or supplement the list. */
export function OwnPricesSection({ prices }: { prices: Prices }) {
  const change = useSettingsChange()
  const [isAdding, setIsAdding] = useState(false)
  const { file, problem, models, aliases } = prices
  const canChange = file !== null && problem === null && !change.isPending
  return (
    <SettingsSection title="Your prices">
      {models.length > 0 && (
        <OwnPrices
          models={models}
          onRemove={canChange ? (model) => change.mutate({ price: { model, price: null } }) : undefined}
        />
      )}
      <SettingRow
        name="USD per 1M tokens"
        why={
          file === null ? (
            'Not available in the demo.'
          ) : (
            <>
              For a model without a price, or in the place of its list price. Tiers and aliases
              {aliases.length > 0 && ` (${formatPlural(aliases.length, 'alias', 'aliases')} now)`}:{' '}
              <span className="mono" dir="ltr">
                <MachineText text={file} />
              </span>
            </>
          )
        }
      >
        <Button disabled={!canChange} aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
          Add a model
        </Button>
      </SettingRow>
      {isAdding && (
        <PriceForm
          onSave={({ model, price }) =>
            change.mutate({ price: { model, price } }, { onSuccess: () => setIsAdding(false) })
          }
          onCancel={() => setIsAdding(false)}
        />
      )}
      <RowError error={change.error} />
    </SettingsSection>
  )
}

/** Why the billing mode cannot be changed; '' if it can. */
function whyFixed({ file, problem }: Prices): string {
  if (file === null) return ' Not available in the demo.'
  return problem === null ? '' : ' Can be changed once your prices can be read.'
}

interface OwnPricesProps {
  models: readonly OwnPrice[]
  /** undefined: they cannot be changed now. */
  onRemove: ((model: string) => void) | undefined
}

function OwnPrices({ models, onRemove }: OwnPricesProps) {
  return (
    <DataTable
      label="Your prices"
      rows={models}
      keyOf={({ name }) => name}
      columns={[
        { name: 'Model', cell: ({ name }) => <bdi>{name}</bdi> },
        { name: 'Input', isFigure: true, cell: ({ inputPerMillion }) => formatExactUsd(inputPerMillion) },
        {
          name: 'Cached',
          isFigure: true,
          cell: ({ cachedPerMillion, inputPerMillion }) =>
            formatExactUsd(cachedPerMillion ?? inputPerMillion),
        },
        {
          name: 'Output',
          isFigure: true,
          cell: ({ outputPerMillion, saysMore }) =>
            `${formatExactUsd(outputPerMillion)}${saysMore ? ', tiers' : ''}`,
        },
        {
          name: 'Change',
          isDrawing: true,
          isFigure: true,
          cell: ({ name }) => (
            <Button
              size="tiny"
              disabled={onRemove === undefined}
              aria-label={`Remove your price of ${name}`}
              onClick={() => onRemove?.(name)}
            >
              Remove
            </Button>
          ),
        },
      ]}
    />
  )
}

/** The server's limit for model names. */
const MOST_LETTERS = 200

interface PriceFormProps {
  onSave: (change: NonNullable<SettingsChange['price']>) => void
  onCancel: () => void
}

/** Prices per million tokens of one model, in dollars. */
function PriceForm({ onSave, onCancel }: PriceFormProps) {
  const [problem, setProblem] = useState<string | null>(null)
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const [input, cached, output] = [text('input'), text('cached'), text('output')].map(readRate)
    if (text('model') === '') return setProblem('Enter the name of a model, as sessions have it.')
    if (input == null || output == null || cached === null)
      return setProblem('A price is a number of dollars such as 1.25 or 0.075, with up to five decimals.')
    setProblem(null)
    onSave({
      model: text('model'),
      price: { inputPerMillion: input, cachedPerMillion: cached ?? null, outputPerMillion: output },
    })
  }
  return (
    <form className="setting-fields" aria-label="Price of a model" onSubmit={save}>
      <Field name="model" label="Model" />
      <Field name="input" label="Input, $" isAmount />
      <Field name="cached" label="Cached, $ (default: same as input)" isAmount />
      <Field name="output" label="Output, $" isAmount />
      <Button type="submit" look="primary">
        Save price
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
        className={isAmount ? 'field amount' : 'field'}
        maxLength={isAmount ? 20 : MOST_LETTERS}
        inputMode={isAmount ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  )
}

/** Parses `1.25`, `0,075` or `$2` as dollars; undefined if empty, null if invalid. */
export function readRate(text: string): number | undefined | null {
  const digits = text.replace(/^\s*\$/, '').trim()
  if (digits === '') return undefined
  return /^\d{1,6}(?:[.,]\d{1,5})?$/.test(digits) ? Number(digits.replace(',', '.')) : null
}

/** Models whose requests are not included in any cost. */
function UnpricedModels({ unpriced }: { unpriced: Doctor['unpriced'] }) {
  const isNone = unpriced.length === 0
  return (
    <FindingRow
      name="Models without a price"
      why={isNone ? undefined : 'Costs don’t include their requests. Set a price below.'}
      value={isNone ? 'None' : formatPlural(unpriced.length, 'model')}
      action="Show"
    >
      {isNone
        ? null
        : () => (
            <FindingList items={unpriced} keyOf={({ model }) => model ?? ''}>
              {({ model, calls, tokens }) => (
                <div className="finding-head">
                  <p>{model === null ? 'No model recorded' : <MachineText text={model} />}</p>
                  <span className="tabular">
                    {formatPlural(calls, 'request')}, {formatCount(tokens)} tokens not in any cost
                  </span>
                </div>
              )}
            </FindingList>
          )}
    </FindingRow>
  )
}
