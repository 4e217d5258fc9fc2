import type { Settings } from '@gemini-dash/api'
import { useState } from 'react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { clearBrowser } from '../../lib/browser/clear-browser.ts'
import { formatSize } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const LET_IN = {
  near: 'Browsers of this computer that you let in with an address from the terminal.',
  far: 'Browsers that you let in with an address from the terminal.',
}
const EVERYBODY = {
  near: 'Every user and program of this computer: it was started with --no-token.',
  far: 'Everybody who reaches this address: it was started with --no-token.',
}
const OVER_NETWORK = ' You reached this one over the network, where nothing is encrypted.'

/** What is kept where, and that nothing of it is sent. */
export function PrivacySection({ data, cache, signIn }: Pick<Settings, 'data' | 'cache' | 'signIn'>) {
  const { hostname, host } = window.location
  const isNear = LOOPBACK.test(hostname)
  const [isSure, setIsSure] = useState(false)
  return (
    <SettingsSection
      place="privacy"
      title="Privacy"
      lead="Nothing leaves this computer: no telemetry, no request to another host, nothing loaded from elsewhere."
    >
      <SettingRow
        name="Who can open these pages"
        why={`${(signIn ? LET_IN : EVERYBODY)[isNear ? 'near' : 'far']}${isNear ? '' : OVER_NETWORK}`}
      >
        <span className="tabular">{host}</span>
      </SettingRow>
      <SettingRow
        name="Kept by gemini-dash"
        why={
          data === null ? (
            'Nothing: the sample sessions are shown, or it was started with --no-cache.'
          ) : (
            <>
              What cannot be made again, readable for you alone, in{' '}
              <span className="mono" dir="ltr">
                <MachineText text={data.path} />
              </span>
              {cache !== null && (
                <>
                  . What was made of sessions, texts included, is in{' '}
                  <span className="mono" dir="ltr">
                    <MachineText text={cache.path} />
                  </span>
                </>
              )}
              .
            </>
          )
        }
      />
      {data !== null && data.parts.length > 0 && <Parts parts={data.parts} />}
      <SettingRow
        name="Kept by this browser"
        why="The choices of this page, what you searched for last, what you were writing, and a cookie that signs it in. No text of a session."
      >
        {isSure && <Button onClick={() => setIsSure(false)}>Cancel</Button>}
        <Button
          onClick={() => {
            if (!isSure) return setIsSure(true)
            clearBrowser()
            window.location.reload()
          }}
        >
          {isSure ? 'Forget all of it' : 'Forget…'}
        </Button>
      </SettingRow>
    </SettingsSection>
  )
}

function Parts({ parts }: { parts: NonNullable<Settings['data']>['parts'] }) {
  return (
    <table className="setting-parts" aria-label="What is in the data folder">
      <tbody>
        {parts.map(({ name, what, sizeBytes }) => (
          <tr key={name}>
            <th scope="row" className="mono">
              <MachineText text={name} />
            </th>
            <td>{what ?? 'Nothing that this version knows'}</td>
            <td className="num">{formatSize(sizeBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
