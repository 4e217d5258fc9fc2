import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatPlural } from '../../lib/figures/format.ts'
import { chosenZone, localTimeZone, ownTimeZone, zoneChoice } from '../../lib/figures/time-zone.ts'
import { zoneNames, zonesLike } from '../../lib/figures/zone-names.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { ChoiceRow } from './choice-row.tsx'
import { SettingRow } from './settings-section.tsx'

const FIELD_ID = 'own-zone'
const MOST_NAMED = 5

/** In which zone times are shown: the reader's own, which need not be the computer's, or UTC. */
export function ZoneRows() {
  const own = ownTimeZone()
  return (
    <>
      {own !== 'UTC' && (
        <ChoiceRow
          name="Time zone"
          why="Of days and hours on all pages, and in what you export."
          choice={zoneChoice}
          options={[
            { value: 'own', label: own },
            { value: 'utc', label: 'UTC' },
          ]}
        />
      )}
      <OwnZoneRow />
    </>
  )
}

function OwnZoneRow() {
  const namesId = useId()
  const chosen = chosenZone.get() ?? ''
  const [typed, setTyped] = useState(chosen)
  const [problem, setProblem] = useState<string | null>(null)
  function save(event: FormEvent) {
    event.preventDefault()
    const isComputers = typed.trim() === ''
    const found = isComputers ? [] : zonesLike(typed)
    const [name = ''] = found
    const zone = isComputers || name === localTimeZone() ? null : name
    if (!isComputers && found.length !== 1) return setProblem(describeProblem(typed.trim(), found))
    setProblem(null)
    setTyped(zone ?? '')
    // has the whole page drawn anew, this field too
    flushSync(() => {
      chosenZone.set(zone)
      zoneChoice.set('own')
    })
    document.getElementById(FIELD_ID)?.focus({ preventScroll: true })
  }
  return (
    <>
      <SettingRow
        name="Your own zone"
        why={`A zone’s name, or a city in it. Empty: that of the computer, ${localTimeZone()}.`}
      >
        <form className="contents" onSubmit={save}>
          <input
            id={FIELD_ID}
            className="setting-field"
            aria-label="Your own zone"
            list={namesId}
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            value={typed}
            placeholder={localTimeZone()}
            onChange={({ target }) => setTyped(target.value)}
          />
          <datalist id={namesId}>
            {zoneNames().map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Button type="submit" disabled={typed.trim() === chosen}>
            Use
          </Button>
        </form>
      </SettingRow>
      {problem !== null && (
        <div className="setting-note">
          <Notice tone="error">{problem}</Notice>
        </div>
      )}
    </>
  )
}

function describeProblem(typed: string, found: readonly string[]): string {
  if (found.length === 0)
    return `This browser knows no zone “${typed}”. Zones are called after a large city, as Asia/Tokyo; the field suggests them.`
  const named = found.slice(0, MOST_NAMED).join(', ')
  const more = found.length > MOST_NAMED ? `, and ${formatPlural(found.length - MOST_NAMED, 'other')}` : ''
  return `“${typed}” could be ${named}${more}. Which one?`
}
