import type { Doctor, Warning } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { reportQuery } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { describeCopiedSessions, formatCount, formatPlural } from '../../lib/figures.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Button, CopyButton } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Failed } from '../../ui/states.tsx'
import {
  FindingList,
  FindingRow,
  SessionLink,
  SettingRow,
  SettingsSection,
  useMeant,
} from './settings-section.tsx'

/** What gemini-dash does not recognize or runs without, and a report. */
export function DiagnosticsSection({ doctor, version }: { doctor: Doctor; version: string }) {
  return (
    <SettingsSection title="Diagnostics" isTitleHidden>
      <Warnings warnings={doctor.warnings} />
      <UnknownFields drift={doctor.drift} version={version} />
      <DuplicateFiles copies={doctor.copies} total={doctor.duplicates} />
      <CopiedSessions copied={doctor.copiedSessions} />
      <CliVersion cli={doctor.cli} />
      <ReportRow />
    </SettingsSection>
  )
}

/** What the program runs without, with remedies. */
function Warnings({ warnings }: { warnings: Warning[] }) {
  return warnings.map(({ code, message, advice }) => (
    <SettingRow
      key={`${code} ${message}`}
      name={
        <span className="finding-title">
          <Icon of={TriangleAlert} className="tone-warning" />
          <span>{message}</span>
        </span>
      }
      why={advice ?? undefined}
    />
  ))
}

/** Supported and installed versions of Gemini CLI. */
function CliVersion({ cli }: Pick<Doctor, 'cli'>) {
  return (
    <SettingRow
      name="Gemini CLI"
      why={
        <>
          <MachineText text={cli.text} />
          {cli.installed !== null && (
            <>
              {' '}
              <span className="mono" dir="ltr">
                <MachineText text={cli.installed.path} />
              </span>
            </>
          )}
        </>
      }
    />
  )
}

/** Sessions that repeat requests of others, which count them. */
function CopiedSessions({ copied }: { copied: Doctor['copiedSessions'] }) {
  if (copied.length === 0) return null
  return (
    <FindingRow name="Copied sessions" why={describeCopiedSessions(copied)} action="Show">
      {() => (
        <FindingList items={copied} keyOf={({ key }) => key}>
          {({ key, title, from, requests }) => (
            <>
              <SessionLink sessionKey={key} title={title} />
              <p className="where">
                {formatPlural(requests, 'request')} from{' '}
                <SessionLink sessionKey={from} title="the original" />
              </p>
            </>
          )}
        </FindingList>
      )}
    </FindingRow>
  )
}

/** Files that only repeat the contents of others. */
function DuplicateFiles({ copies, total }: { copies: Doctor['copies']; total: number }) {
  return (
    <FindingRow
      name="Duplicate files"
      why={
        total === 0
          ? undefined
          : `${formatCount(total)} ${total === 1 ? 'file repeats' : 'files repeat'} another session file. Merged and counted once.`
      }
      value={total === 0 ? 'None' : undefined}
      action="Show"
    >
      {total === 0
        ? null
        : () => (
            <FindingList items={copies} keyOf={({ path }) => path}>
              {({ path, sessionKey, title }) => (
                <>
                  <SessionLink sessionKey={sessionKey} title={title} />
                  <p className="where mono" dir="ltr">
                    <MachineText text={path} />
                  </p>
                </>
              )}
            </FindingList>
          )}
    </FindingRow>
  )
}

/** A report to send to somebody, shown before it is copied. */
function ReportRow() {
  const row = useRef<HTMLDivElement>(null)
  useMeant(row, 'report')
  const [isShown, setIsShown] = useState(false)
  useActions({ showReport: () => void setIsShown(!isShown) })
  const { data, error, refetch } = useQuery({ ...reportQuery(), enabled: isShown })
  return (
    <div ref={row} id="report" tabIndex={-1} className="finding-row">
      <SettingRow name="Diagnostic report" why="Without paths and names. You see it before you copy it.">
        {isShown && data !== undefined && <CopyButton text={data.text} label="Copy report" />}
        <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide report' : 'Create report'}
        </Button>
      </SettingRow>
      {isShown && data !== undefined && (
        <ScrollRegion label="Diagnostic report" className="setting-report">
          <pre>{data.text}</pre>
        </ScrollRegion>
      )}
      {isShown && error !== null && (
        <div className="setting-note">
          <Failed what="Couldn’t create the report." error={error} onRetry={() => void refetch()} />
        </div>
      )}
    </div>
  )
}

/** Names that no known version of Gemini CLI writes, with a report for filing a bug. */
function UnknownFields({ drift, version }: { drift: Doctor['drift']; version: string }) {
  const isNone = drift.length === 0
  return (
    <FindingRow
      place="new"
      name="Unknown fields"
      why={
        isNone
          ? undefined
          : `${formatPlural(drift.length, 'unknown field')} in session files, shown as raw data. Update gemini-dash or report ${drift.length === 1 ? 'it' : 'them'}.`
      }
      value={isNone ? 'None' : undefined}
      action="Show"
    >
      {isNone
        ? null
        : () => (
            <>
              <FindingList items={drift} keyOf={({ where, name }) => `${where} ${name}`}>
                {({ where, name, count, sessions, meaning, example, sessionKey }) => (
                  <>
                    <div className="finding-head">
                      <p>
                        <code dir="ltr">
                          <MachineText text={name} />
                        </code>
                        , {meaning}
                      </p>
                      <span className="tabular">
                        {formatPlural(count, 'time')} in {formatPlural(sessions, 'session')}
                      </span>
                    </div>
                    <p className="where">
                      <span className="mono">{where}</span>, for example{' '}
                      <Link to="/s/$key" params={{ key: sessionKey }} className="link mono" dir="ltr">
                        <MachineText text={example} />
                      </Link>
                    </p>
                  </>
                )}
              </FindingList>
              <div className="finding">
                <div>
                  <CopyButton text={driftReport(drift, version)} label="Copy report" />
                </div>
                <p className="advice">Names and counts only, nothing that you wrote.</p>
              </div>
            </>
          )}
    </FindingRow>
  )
}

/** Names that look like identifiers, alone or in a list; anything else may be a user's text. */
const CHOSEN_BY_A_PROGRAM = /^[$\w.,()-]{1,64}$/

/** Report to file with a bug: names of fields with their location and count. No text, path or title, and of file names only the form. */
export function driftReport(drift: Doctor['drift'], version: string): string {
  const rows = drift.map(({ where, name, count, sessions, example }) => {
    const shown = CHOSEN_BY_A_PROGRAM.test(name) ? `\`${name}\`` : '(not shown: no plain name)'
    return `| ${where} | ${shown} | ${count} | ${sessions} | ${fileForm(example)} |`
  })
  return [
    `Names that gemini-dash ${version} does not know in Gemini CLI session files:`,
    '',
    '| where | name | count | sessions | kind of file |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function fileForm(example: string): string {
  if (/\/checkpoint[^/]*\.json/.test(example)) return 'checkpoint-*.json'
  const ending = /\.jsonl\b/.test(example) ? 'jsonl' : 'json'
  return /\/session-[^/]*$/.test(example) ? `session-*.${ending}` : `*.${ending}`
}
