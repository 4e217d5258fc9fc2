import type { Settings } from '@gemini-dash/api'
import { useState, useSyncExternalStore } from 'react'
import { useSettingsChange } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatCount, formatSize } from '../../lib/figures.ts'
import { clearBrowser, redactsByDefault } from '../../lib/preferences.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/controls.tsx'
import { type DataColumn, DataTable } from '../../ui/table.tsx'
import { FindingRow, RowError, SettingRow, SettingsSection } from './settings-section.tsx'

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const LET_IN = 'Only browsers signed in with a link from the terminal.'
const EVERYBODY = {
  near: 'Every user and program on this computer: it was started with --no-token.',
  far: 'Everybody who can reach this address: it was started with --no-token.',
}
const OVER_NETWORK = ' You reached it over the network, without encryption.'

/** Who can open these pages, and what is stored where. */
export function PrivacySection({
  data,
  cache,
  signIn,
  browsers,
}: Pick<Settings, 'data' | 'cache' | 'signIn' | 'browsers'>) {
  const { hostname, host } = window.location
  const isNear = LOOPBACK.test(hostname)
  const doesRedact = useSyncExternalStore(redactsByDefault.subscribe, redactsByDefault.get)
  const [isSure, setIsSure] = useState(false)
  return (
    <SettingsSection title="Privacy" isTitleHidden>
      <SettingRow
        name="Access"
        why={`${signIn ? LET_IN : EVERYBODY[isNear ? 'near' : 'far']}${isNear ? '' : OVER_NETWORK}`}
      >
        <span className="tabular">{host}</span>
      </SettingRow>
      {browsers !== null && <SignedInBrowsers count={browsers} />}
      <FindingRow
        name="User data"
        why={
          data === null ? (
            'None: sample data, or started with --no-cache.'
          ) : (
            <>
              Stars, notes, tags, project names, archive:{' '}
              <span className="mono" dir="ltr">
                <MachineText text={data.path} />
              </span>
            </>
          )
        }
      >
        {data === null || data.parts.length === 0 ? null : () => <Parts parts={data.parts} />}
      </FindingRow>
      {cache !== null && (
        <SettingRow
          name="Cache"
          why={
            <>
              Made from session files, with their texts, readable only by you:{' '}
              <span className="mono" dir="ltr">
                <MachineText text={cache.path} />
              </span>
            </>
          }
        />
      )}
      <SettingRow
        name="In this browser"
        why="Preferences, recent searches, drafts and the sign-in cookie. No session text."
      >
        {isSure && <Button onClick={() => setIsSure(false)}>Cancel</Button>}
        <Button
          onClick={() => {
            if (!isSure) return setIsSure(true)
            clearBrowser()
            window.location.reload()
          }}
        >
          {isSure ? 'Clear browser data' : 'Clear…'}
        </Button>
      </SettingRow>
      <SettingRow name="Redact secrets when sharing" why="Emails, paths, keys and tokens.">
        <Switch
          label="Redact secrets when sharing"
          isLabelHidden
          isOn={doesRedact}
          onChange={redactsByDefault.set}
        />
      </SettingRow>
    </SettingsSection>
  )
}

/** Number of signed-in browsers, and a button that signs all of them out. */
function SignedInBrowsers({ count }: { count: number }) {
  const change = useSettingsChange()
  const [isSure, setIsSure] = useState(false)
  return (
    <>
      <SettingRow
        name="Signed-in browsers"
        why={isSure ? 'This browser, too. A new link from the terminal signs it in again.' : undefined}
      >
        <span className="tabular">{formatCount(count)}</span>
        {isSure && <Button onClick={() => setIsSure(false)}>Cancel</Button>}
        <Button
          disabled={change.isPending}
          onClick={() =>
            isSure
              ? change.mutate({ signOutBrowsers: true }, { onSuccess: () => window.location.reload() })
              : setIsSure(true)
          }
        >
          {isSure ? 'Sign out' : 'Sign out all…'}
        </Button>
      </SettingRow>
      <RowError error={change.error} />
    </>
  )
}

type Part = NonNullable<Settings['data']>['parts'][number]

const COLUMNS: readonly DataColumn<Part>[] = [
  { name: 'Name', className: 'mono', cell: ({ name }) => <MachineText text={name} /> },
  { name: 'Content', cell: ({ what }) => what ?? 'Unknown' },
  { name: 'Size', isFigure: true, cell: ({ sizeBytes }) => formatSize(sizeBytes) },
]

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <DataTable
      label="What is in the data folder"
      className="setting-parts"
      columns={COLUMNS}
      rows={parts}
      keyOf={({ name }) => name}
      isHeadHidden
    />
  )
}
