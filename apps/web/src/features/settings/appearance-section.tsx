import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import {
  density,
  OPENED_PARTS,
  type OpenedPart,
  openAtFirst,
  outline,
  sidebar,
  theme,
} from '../../lib/browser/appearance.ts'
import type { KeptChoice } from '../../lib/browser/kept-choice.ts'
import { clockChoice } from '../../lib/figures/format.ts'
import { localTimeZone, zoneChoice } from '../../lib/figures/time-zone.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

const PART_WORDS: Record<OpenedPart, string> = {
  failures: 'Failed calls',
  edits: 'Edits',
  thoughts: 'Thoughts',
}
const SHOWN = [
  { value: 'shown', label: 'Shown' },
  { value: 'hidden', label: 'Hidden' },
] as const

/** How pages look in this browser. */
export function AppearanceSection() {
  const opened = useChoice(openAtFirst)
  const open = (part: OpenedPart, isOpen: boolean) =>
    openAtFirst.set(OPENED_PARTS.filter((each) => (each === part ? isOpen : opened.includes(each))))
  return (
    <SettingsSection place="appearance" title="Appearance" lead="Kept by this browser, for all of its tabs.">
      <Choice
        name="Theme"
        choice={theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <Choice
        name="Density"
        why="Compact puts more rows and lines on a screen."
        choice={density}
        options={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <Choice
        name="Time zone"
        why="Of days and hours in all lists and charts."
        choice={zoneChoice}
        options={[
          { value: 'local', label: localTimeZone() },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <Choice
        name="Clock"
        choice={clockChoice}
        options={[
          { value: '24', label: '24 h' },
          { value: '12', label: '12 h' },
        ]}
      />
      <SettingRow
        name="Open at first"
        why="Everything else of a conversation is folded. What you open stays open until you leave."
      >
        {OPENED_PARTS.map((part) => (
          <Switch
            key={part}
            label={PART_WORDS[part]}
            isOn={opened.includes(part)}
            onChange={(isOpen) => open(part, isOpen)}
          />
        ))}
      </SettingRow>
      <Choice name="Sidebar" why="Projects and filters beside lists." choice={sidebar} options={SHOWN} />
      <Choice
        name="Outline and strip"
        why="Beside a conversation, where there is room."
        choice={outline}
        options={SHOWN}
      />
    </SettingsSection>
  )
}

interface ChoiceProps<Value extends string> {
  name: string
  why?: string
  choice: KeptChoice<Value>
  options: readonly { value: Value; label: string }[]
}

function Choice<Value extends string>({ name, why, choice, options }: ChoiceProps<Value>) {
  const value = useChoice(choice)
  const idOf = (each: Value) => `${name.toLowerCase().replaceAll(' ', '-')}-${each}`
  return (
    <SettingRow name={name} why={why}>
      <Segmented
        label={name}
        value={value}
        options={options}
        idOf={idOf}
        onChange={(next) => {
          // another zone or clock has the whole page drawn anew, this button too
          flushSync(() => choice.set(next))
          document.getElementById(idOf(next))?.focus({ preventScroll: true })
        }}
      />
    </SettingRow>
  )
}

function useChoice<Value>(choice: KeptChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.get)
}
