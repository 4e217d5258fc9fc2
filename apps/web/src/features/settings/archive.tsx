import './settings.css'
import type { KeepStatus } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keepQuery, useKeepChange, useKeepNow } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatAgo, formatMoment } from '../../lib/dates.ts'
import { formatPlural, formatSize } from '../../lib/figures.ts'
import { useHeldFocus } from '../../lib/list-hooks.ts'
import { describeKept, describeLook } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/controls.tsx'
import { Notice } from '../../ui/states.tsx'
import { FailedRow, FindingList, RowError, SettingRow, SettingsSection } from './settings-section.tsx'

/** The archive of sessions that Gemini CLI deletes: its switch, contents and problems. */
export function ArchiveSection({ now }: { now: Date }) {
  const asked = useQuery({ ...keepQuery(), refetchOnMount: 'always' })
  const status = asked.data
  return (
    <SettingsSection title="Archive" place="keep">
      <FailedRow name="Archive" asked={asked} />
      {status !== undefined && <ArchiveRows status={status} now={now} />}
    </SettingsSection>
  )
}

function ArchiveRows({ status, now }: { status: KeepStatus; now: Date }) {
  const change = useKeepChange()
  const { folder, files, enabled, homes, running, lastRun, onlyHere } = status
  const canKeep = folder !== null && homes.some(({ exists }) => exists)
  return (
    <>
      <SettingRow
        name="Archive sessions"
        why={
          folder === null
            ? 'Not available in the demo, nor with --no-cache.'
            : 'Keeps compressed copies of all session files on this computer, readable only by you.'
        }
      >
        <span>{stateOf(status, now)}</span>
        {!enabled && homes.some(({ kept }) => kept) && (
          <Button disabled={change.isPending} onClick={() => change.mutate({ enabled: false })}>
            Turn off
          </Button>
        )}
        <Switch
          label="Archive sessions"
          isLabelHidden
          isOn={change.isPending ? change.variables.enabled === true : enabled}
          isDisabled={!enabled && !canKeep}
          onChange={(next) => change.mutate({ enabled: next })}
        />
      </SettingRow>
      <RowError error={change.error} />
      <ArchiveTroubles status={status} />
      {(running !== null || (enabled && lastRun === null)) && <Scan status={status} />}
      {folder !== null && (
        <SettingRow
          name="Location"
          why={
            <>
              <span className="mono" dir="ltr">
                <MachineText text={folder} />
              </span>
              . To move it, copy the parent folder.
            </>
          }
        >
          <span className="tabular" title={formatPlural(files, 'file')}>
            {files === 0 ? formatSize(status.storedBytes) : describeKept(status)}
          </span>
        </SettingRow>
      )}
      {files > 0 && (
        <>
          <LimitFields limits={status.limits} />
          <SettingRow
            name={onlyHere === 0 ? 'Everything is still in the Gemini folder' : onlyHereWords(onlyHere)}
            why={lastRun === null ? undefined : `Last scan: ${formatMoment(lastRun)}`}
          >
            <ArchiveActions status={status} />
          </SettingRow>
        </>
      )}
    </>
  )
}

function onlyHereWords(onlyHere: number): string {
  return `${formatPlural(onlyHere, 'session')} only in the archive`
}

/** `On · last scan 3 min ago` */
function stateOf({ enabled, running, lastRun, homes }: KeepStatus, now: Date): string {
  const kept = homes.filter((home) => home.kept).length
  if (!enabled) return kept > 0 ? `On for ${kept} of ${formatPlural(homes.length, 'folder')}` : 'Off'
  if (running !== null) return 'On · scanning'
  return lastRun === null ? 'On' : `On · last scan ${formatAgo(lastRun, now)}`
}

/** Progress bar of a running scan. */
function Scan({ status }: { status: KeepStatus }) {
  const { running } = status
  return (
    <div className="setting-note archive-scan" role="status">
      <progress
        aria-label="Progress of the scan"
        {...(running !== null && running.total > 0 && { value: running.done, max: running.total })}
      />
      <p>
        {status.lastRun === null && running?.waiting !== true && 'The first scan takes longest. '}
        {describeLook(status)}
      </p>
    </div>
  )
}

/** Problems that make the archive incomplete, each with a remedy. */
function ArchiveTroubles({ status }: { status: KeepStatus }) {
  const { problem, hindrance, damage, damagedFiles, lost, lostFiles, homes } = status
  const missing = homes.filter(({ exists, kept }) => kept && !exists)
  const again = useKeepNow()
  return (
    <>
      {problem !== null && (
        <div className="setting-note">
          <Notice tone="warning">
            <MachineText text={problem} />{' '}
            {hindrance === 'limit' ? 'Raise the limit below.' : 'The next scan archives what is missing.'}
          </Notice>
        </div>
      )}
      {missing.map(({ path }) => (
        <div key={path} className="setting-note">
          <Notice>
            The Gemini folder{' '}
            <span className="mono" dir="ltr">
              <MachineText text={path} />
            </span>{' '}
            isn’t available right now. Its archived sessions stay, and none of them count as deleted.
          </Notice>
        </div>
      ))}
      {damage !== null && (
        <div className="setting-note">
          <Notice tone="warning">
            <b>{damage.message}</b> Damaged files are never shown as if they were whole.{' '}
            <MachineText text={damage.advice} />{' '}
            {status.enabled && (
              <Button size="tiny" disabled={again.isPending} onClick={() => again.mutate()}>
                Scan now
              </Button>
            )}
            {again.isError && (
              <span role="alert">
                {' '}
                <b>The scan failed:</b> {again.error.message}
              </span>
            )}
          </Notice>
        </div>
      )}
      <Versions versions={damagedFiles} />
      {lost !== null && (
        <div className="setting-note">
          <Notice>
            <b>
              {formatPlural(lost.files, 'file')} of {formatPlural(lost.sessions, 'session')}
            </b>{' '}
            couldn’t be repaired. A backup put back in the Gemini folder is archived again.
          </Notice>
        </div>
      )}
      <Versions versions={lostFiles} />
    </>
  )
}

function Versions({ versions }: { versions: KeepStatus['damagedFiles'] }) {
  if (versions.length === 0) return null
  return (
    <FindingList items={versions} keyOf={({ home, path, firstSeen }) => `${home} ${path} ${firstSeen}`}>
      {({ home, path, firstSeen }) => (
        <div className="finding-head">
          <span className="where mono" dir="ltr">
            <MachineText text={`${home}/${path}`} />
          </span>
          <span className="tabular">as of {formatMoment(firstSeen)}</span>
        </div>
      )}
    </FindingList>
  )
}

/** Buttons to scan now and to delete the archive. */
function ArchiveActions({ status }: { status: KeepStatus }) {
  const change = useKeepChange()
  const scan = useKeepNow()
  const [isErasing, setIsErasing] = useState(false)
  const around = useHeldFocus<HTMLDivElement>()
  const { running, homes } = status
  const isBusy = change.isPending || scan.isPending
  const canScan = homes.some(({ kept, exists }) => kept && exists)
  // only the last action's error is shown
  const error = scan.submittedAt > change.submittedAt ? scan.error : change.error
  return (
    <div className="archive-actions" ref={around}>
      {isErasing ? (
        <EraseQuestion
          status={status}
          isPending={change.isPending}
          onErase={() => change.mutate({ erase: true }, { onSettled: () => setIsErasing(false) })}
          onCancel={() => setIsErasing(false)}
        />
      ) : (
        <>
          {canScan && (
            <Button disabled={isBusy || running !== null} onClick={() => scan.mutate()}>
              Scan now
            </Button>
          )}
          <Button disabled={isBusy} onClick={() => setIsErasing(true)}>
            Delete archive…
          </Button>
        </>
      )}
      {error !== null && <Notice tone="error">{error.message}</Notice>}
    </div>
  )
}

interface EraseProps {
  status: KeepStatus
  isPending: boolean
  onErase: () => void
  onCancel: () => void
}

/** Confirmed twice: first with what is lost, then with the number. */
function EraseQuestion({ status, isPending, onErase, onCancel }: EraseProps) {
  const [isSure, setIsSure] = useState(false)
  const { sessions, onlyHere, storedBytes } = status
  const loss =
    onlyHere === 0
      ? 'Everything in it is still in the Gemini folder.'
      : `It has the only copy of ${formatPlural(onlyHere, 'session')}, or of parts of them.`
  return (
    <fieldset className="archive-erase" aria-label="Delete the archive">
      <p>
        {isSure ? (
          <b>
            {onlyHere === 0
              ? 'This can’t be undone.'
              : `${formatPlural(onlyHere, 'session')} will be gone for good. This can’t be undone.`}
          </b>
        ) : (
          <>
            Delete the archive of {formatPlural(sessions, 'session')} ({formatSize(storedBytes)}) and turn it
            off? <b>{loss}</b>
          </>
        )}
      </p>
      <div className="archive-actions">
        <Button
          key={String(isSure)}
          disabled={isPending}
          onClick={() => (isSure ? onErase() : setIsSure(true))}
        >
          {isSure ? (isPending ? 'Deleting…' : 'Delete for good') : 'Delete…'}
        </Button>
        <Button look="quiet" disabled={isPending} onClick={onCancel} autoFocus>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}

const SIZES = [1e9, 5e9, 10e9, 20e9, 50e9]
const AGES = [90, 365, 730]

/** Limits for the archive's size and the age of archived files. A limit set on the command line is included in the options. */
function LimitFields({ limits }: Pick<KeepStatus, 'limits'>) {
  const change = useKeepChange()
  const { maxBytes, maxAgeDays } = limits
  return (
    <>
      <SettingRow
        name="Limits"
        why="At a limit, nothing more is archived, and you see a notice. Nothing is deleted."
      >
        <LimitSelect
          label="At most"
          value={maxBytes}
          values={SIZES}
          none="no limit"
          nameOf={formatSize}
          onChange={(next) => change.mutate({ limits: { maxBytes: next } })}
        />
        <LimitSelect
          label="Not older than"
          value={maxAgeDays}
          values={AGES}
          none="any age"
          nameOf={(days) => formatPlural(days, 'day')}
          onChange={(next) => change.mutate({ limits: { maxAgeDays: next } })}
        />
      </SettingRow>
      <RowError error={change.error} />
    </>
  )
}

interface LimitSelectProps {
  label: string
  value: number | null
  values: readonly number[]
  /** Label for no limit. */
  none: string
  nameOf: (value: number) => string
  onChange: (value: number | null) => void
}

function LimitSelect({ label, value, values, none, nameOf, onChange }: LimitSelectProps) {
  const offered = value === null || values.includes(value) ? values : [...values, value].sort((a, b) => a - b)
  return (
    <label className="archive-limit">
      <span>{label}</span>
      <select
        className="field"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        {offered.map((each) => (
          <option key={each} value={each}>
            {nameOf(each)}
          </option>
        ))}
        <option value="">{none}</option>
      </select>
    </label>
  )
}
