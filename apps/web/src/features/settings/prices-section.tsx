import type { Settings } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettingsChange } from '../../api/settings.ts'
import { usageQuery } from '../../api/usage.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { PriceForm } from './price-form.tsx'
import { FailedRow, SettingRow, SettingsSection } from './settings-section.tsx'

type Prices = Settings['prices']

/** What tokens cost: the list, and what the reader says instead. */
export function PricesSection({ prices }: { prices: Prices }) {
  const change = useSettingsChange()
  const [isAdding, setIsAdding] = useState(false)
  const { list, plan, file, problem, models, aliases } = prices
  const canWrite = file !== null && problem === null
  const canChange = canWrite && !change.isPending
  return (
    <SettingsSection
      place="prices"
      title="Prices"
      lead={`List prices for a million tokens, from ${list.name} ${list.version} of ${list.date}. They come with gemini-dash; nothing is fetched.`}
    >
      {problem !== null && (
        <div className="setting-note">
          <Notice tone="warning">
            <MachineText text={problem} />
          </Notice>
        </div>
      )}
      <SettingRow
        name="How you pay"
        why={`On a plan, list prices would be no cost of yours: tokens are shown, and no dollars.${whyFixed(prices)}`}
      >
        <Segmented
          label="How you pay"
          value={plan}
          options={[
            { value: 'list-price', label: 'By use' },
            { value: 'nothing', label: 'By plan' },
          ]}
          isDisabled={!canWrite}
          onChange={(next) => change.mutate({ plan: next })}
        />
      </SettingRow>
      {models.map((model) => (
        <SettingRow key={model.name} name={<bdi>{model.name}</bdi>} why={describePrice(model)}>
          <Button
            disabled={!canChange}
            aria-label={`Remove your price of ${model.name}`}
            onClick={() => change.mutate({ price: { model: model.name, price: null } })}
          >
            Remove
          </Button>
        </SettingRow>
      ))}
      {plan === 'list-price' && <UnpricedRow />}
      <SettingRow
        name="Prices of your own"
        why={
          file === null ? (
            'Nothing is kept by this dashboard, so list prices hold.'
          ) : (
            <>
              For a model that has none, or a contract of your own. Kept in{' '}
              <span className="mono" dir="ltr">
                <MachineText text={file} />
              </span>
              , where tiers and other names for models can be written, too
              {aliases.length > 0 && `; ${formatPlural(aliases.length, 'other name')} now`}.
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
      {change.isError && (
        <div className="setting-note">
          <Notice tone="error">{change.error.message}</Notice>
        </div>
      )}
    </SettingsSection>
  )
}

/** Why it cannot be chosen how one pays; nothing where it can. */
function whyFixed({ file, problem }: Prices): string {
  if (file === null) return ' It cannot be chosen here, as nothing is kept by this dashboard.'
  return problem === null ? '' : ' It can be chosen once your prices can be read.'
}

function describePrice({
  inputPerMillion,
  cachedPerMillion,
  outputPerMillion,
  saysMore,
}: Prices['models'][number]) {
  const cached = cachedPerMillion === null ? 'cached as new' : `cached $${cachedPerMillion}`
  const more = saysMore ? '; tiers or a first day stand in the file' : ''
  return `Your price: in $${inputPerMillion}, ${cached}, out and thoughts $${outputPerMillion}${more}`
}

/** Calls whose model has no price, so that no sum holds them. */
function UnpricedRow() {
  const asked = useQuery(usageQuery({ by: 'model' }))
  const rows = asked.data?.rows
  if (rows === undefined) return <FailedRow name="Models without a price" asked={asked} />
  const unpriced = rows.flatMap(({ label, cost }) =>
    cost !== null && cost.unpricedCalls > 0 ? [{ label, calls: cost.unpricedCalls }] : [],
  )
  const calls = unpriced.reduce((sum, each) => sum + each.calls, 0)
  return (
    <SettingRow
      name="Models without a price"
      why={unpriced.length === 0 ? 'None was used.' : unpriced.map(({ label }) => label).join(', ')}
    >
      <span className="tabular">
        {calls === 0 ? 'every call is priced' : `${formatCount(calls)} of your calls`}
      </span>
    </SettingRow>
  )
}
