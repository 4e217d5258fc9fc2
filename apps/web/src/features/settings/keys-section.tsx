import { useSyncExternalStore } from 'react'
import { keyCaps, runAction, singleKeys } from '../../lib/actions/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

/** Which keys act. */
export function KeysSection() {
  const areOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
  return (
    <SettingsSection place="keys" title="Keys">
      <SettingRow
        name="Single-key shortcuts"
        why={`Off if you speak to your computer, or use a screen reader that takes letters. ${keyCaps('$mod+K').join(' ')}, Enter, Esc and the arrows stay.`}
      >
        <Switch label="Single-key shortcuts" isLabelHidden isOn={areOn} onChange={singleKeys.set} />
      </SettingRow>
      <SettingRow name="All keys" why="Each page says which of them act on it.">
        <Button onClick={() => runAction('showKeys')}>
          Show them <kbd className="key-cap">?</kbd>
        </Button>
      </SettingRow>
    </SettingsSection>
  )
}
