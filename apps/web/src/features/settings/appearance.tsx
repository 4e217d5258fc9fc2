import { type FormEvent, useId, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { chosenZone, localTimeZone, zoneChoice, zoneNames, zonesLike } from '../../lib/dates.ts'
import { formatPlural } from '../../lib/figures.ts'
import {
  density,
  type KeptChoice,
  OPENED_PARTS,
  type OpenedPart,
  openAtFirst,
  theme,
} from '../../lib/preferences.ts'
import { keyCaps, runAction, singleKeys } from '../../lib/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Check, Segmented, Switch } from '../../ui/controls.tsx'
import { Notice } from '../../ui/states.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

const PART_WORDS: Record<OpenedPart, string> = {
  failures: 'Failed calls',
  edits: 'Edits',
  thoughts: 'Thinking',
}

/** Appearance of pages in this browser, and which keys are active. */
export function AppearanceSection() {
  const opened = useChoice(openAtFirst)
  const areKeysOn = useChoice(singleKeys)
  const open = (part: OpenedPart, isOpen: boolean) =>
    openAtFirst.set(OPENED_PARTS.filter((each) => (each === part ? isOpen : opened.includes(each))))
  return (
    <SettingsSection title="Appearance" isTitleHidden>
      <ChoiceRow
        name="Theme"
        choice={theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <ChoiceRow
        name="Density"
        why="Compact shows more rows."
        choice={density}
        options={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <ZoneRow />
      <SettingRow name="Expand by default" why="In a conversation">
        {OPENED_PARTS.map((part) => (
          <Check
            key={part}
            label={PART_WORDS[part]}
            isOn={opened.includes(part)}
            onChange={(isOpen) => open(part, isOpen)}
          />
        ))}
      </SettingRow>
      <SettingRow
        name="Single-key shortcuts"
        why={`Turn off if you use speech control or a screen reader with letter keys. ${keyCaps('$mod+K').join(' ')}, Enter, Esc and the arrows stay.`}
      >
        <Switch label="Single-key shortcuts" isLabelHidden isOn={areKeysOn} onChange={singleKeys.set} />
      </SettingRow>
      <SettingRow name="Keyboard shortcuts">
        <Button onClick={() => runAction('showKeys')}>
          Show all <kbd className="key-cap">?</kbd>
        </Button>
      </SettingRow>
    </SettingsSection>
  )
}

interface Props<Value extends string> {
  name: string
  why?: string
  choice: KeptChoice<Value>
  options: readonly { value: Value; label: string }[]
}

/** One of a few values stored in the browser. */
function ChoiceRow<Value extends string>({ name, why, choice, options }: Props<Value>) {
  const value = useChoice(choice)
  return (
    <SettingRow name={name} why={why}>
      <Segmented label={name} value={value} options={options} onChange={choice.set} />
    </SettingRow>
  )
}

function useChoice<Value>(choice: KeptChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.get)
}

const FIELD_ID = 'time-zone'
const MOST_NAMED = 5

/** Zone for times on all pages and in exports: the computer's or a custom one. */
function ZoneRow() {
  const namesId = useId()
  const chosen = zoneChoice.get() === 'utc' ? 'UTC' : (chosenZone.get() ?? '')
  const [typed, setTyped] = useState(chosen)
  const [problem, setProblem] = useState<string | null>(null)
  function use(event: FormEvent) {
    event.preventDefault()
    const text = typed.trim()
    const found = text === '' ? [] : zonesLike(text)
    if (text !== '' && found.length !== 1) return setProblem(describeProblem(text, found))
    const [name = localTimeZone()] = found
    const zone = name === localTimeZone() ? null : name
    setProblem(null)
    setTyped(zone ?? '')
    // redraws the whole page including this field
    flushSync(() => {
      if (zone !== 'UTC') chosenZone.set(zone)
      zoneChoice.set(zone === 'UTC' ? 'utc' : 'own')
    })
    document.getElementById(FIELD_ID)?.focus({ preventScroll: true })
  }
  return (
    <>
      <SettingRow name="Time zone" why={`Default: system (${localTimeZone()})`}>
        <form className="contents" onSubmit={use}>
          <input
            id={FIELD_ID}
            className="field"
            aria-label="Time zone"
            list={namesId}
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            value={typed}
            placeholder="System"
            onChange={({ target }) => setTyped(target.value)}
          />
          <datalist id={namesId}>
            {zoneNames().map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {typed.trim() !== chosen && <Button type="submit">Use</Button>}
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
    return `Unknown time zone “${typed}”. Zones are named after a large city, such as Asia/Tokyo.`
  const named = found.slice(0, MOST_NAMED).join(', ')
  const more = found.length > MOST_NAMED ? `, and ${formatPlural(found.length - MOST_NAMED, 'other')}` : ''
  return `“${typed}” could be ${named}${more}. Which one?`
}
