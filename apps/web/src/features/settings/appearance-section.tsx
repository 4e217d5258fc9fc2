import {
  density,
  OPENED_PARTS,
  type OpenedPart,
  openAtFirst,
  outline,
  sidebar,
  theme,
} from '../../lib/browser/appearance.ts'
import { clockChoice } from '../../lib/figures/format.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { ChoiceRow, useChoice } from './choice-row.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'
import { ZoneRows } from './zone-rows.tsx'

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
        why="Compact puts more rows and lines on a screen."
        choice={density}
        options={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <ZoneRows />
      <ChoiceRow
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
      <ChoiceRow name="Sidebar" why="Projects and filters beside lists." choice={sidebar} options={SHOWN} />
      <ChoiceRow
        name="Outline and strip"
        why="Beside a conversation, where there is room."
        choice={outline}
        options={SHOWN}
      />
    </SettingsSection>
  )
}
