import type { Settings } from '@gemini-dash/api'
import { type FormEvent, useState } from 'react'
import { useSettingsChange } from '../../api/settings.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

/** The folders that are read, and how they are called. */
export function HomesSection({ homes }: Pick<Settings, 'homes'>) {
  return (
    <SettingsSection
      place="homes"
      title="Homes"
      lead={
        <>
          Folders of Gemini CLI that are read. Nothing is written to them but by Recover and Move. Others are
          named at the start, with <code>--home DIR</code> as often as you like.
        </>
      }
    >
      {homes.map((home) => (
        <HomeRow key={home.path} home={home} />
      ))}
    </SettingsSection>
  )
}

function HomeRow({ home: { path, exists, label, ownLabel } }: { home: Settings['homes'][number] }) {
  const change = useSettingsChange()
  const [typed, setTyped] = useState(ownLabel ?? '')
  const isChanged = typed.trim() !== (ownLabel ?? '')
  function save(event: FormEvent) {
    event.preventDefault()
    if (isChanged) change.mutate({ homes: [{ path, label: typed.trim() || null }] })
  }
  return (
    <>
      <SettingRow
        name={label}
        why={
          <>
            <span className="mono" dir="ltr">
              <MachineText text={path} />
            </span>
            {!exists && ', not there just now'}
          </>
        }
      >
        <form className="contents" onSubmit={save}>
          <input
            className="setting-field"
            aria-label={`Label of ${path}`}
            dir="auto"
            maxLength={60}
            autoComplete="off"
            value={typed}
            placeholder={label}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" disabled={!isChanged || change.isPending}>
            Save
          </Button>
        </form>
      </SettingRow>
      {change.isError && (
        <div className="setting-note">
          <Notice tone="error">{change.error.message}</Notice>
        </div>
      )}
    </>
  )
}
