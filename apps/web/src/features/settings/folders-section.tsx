import type { Doctor, Settings } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { FileWarning, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSettingsChange } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatDate } from '../../lib/dates.ts'
import { formatCount, formatPlural, formatSize } from '../../lib/figures.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { TimeText } from '../../ui/figures.tsx'
import { Icon } from '../../ui/icons.tsx'
import {
  FindingList,
  FindingRow,
  RowError,
  SessionLink,
  SettingRow,
  SettingsSection,
} from './settings-section.tsx'
import { DiskSpace } from './storage.tsx'
import { UnknownProjects } from './unknown-projects.tsx'

interface Props {
  doctor: Doctor
  homes: Settings['homes']
  now: Date
}

/** The scanned folders, what could not be read in them, and what Gemini CLI will delete from them. */
export function FoldersSection({ doctor, homes, now }: Props) {
  return (
    <SettingsSection title="Gemini folders">
      {doctor.homes.map((found, at) => (
        <FolderRow
          key={found.path}
          found={found}
          isFirst={at === 0}
          home={homes.length > 1 ? homes.find(({ path }) => path === found.path) : undefined}
          said={doctor.homes.length > 1 ? formatPlural(found.files, 'file') : saidOf(doctor)}
        />
      ))}
      {doctor.sandboxes.map(({ source, text, advice }) => (
        <SettingRow
          key={source}
          name={
            <span className="finding-title">
              <Icon of={TriangleAlert} className="tone-warning" /> Sessions are lost
            </span>
          }
          why={
            <>
              <MachineText text={text} /> {advice}
            </>
          }
        />
      ))}
      <UnreadableFiles files={doctor.files} isComplete={doctor.isComplete} />
      <PartlyReadFiles issues={doctor.issues} sessionTotal={doctor.files.partlyRead} />
      {doctor.files.found > 0 && <DeletedSoon doctor={doctor} now={now} />}
      <UnknownProjects unclear={doctor.unclearProjects} />
      <EmptySessions empty={doctor.empty} />
      <DiskSpace disk={doctor.disk} />
    </SettingsSection>
  )
}

/** `42 files, 40 sessions, 2.7 MB` */
function saidOf({ files, disk }: Doctor): string {
  const size = `${disk.isComplete ? '' : 'at least '}${formatSize(disk.sizeBytes)}`
  return [
    formatPlural(files.found, 'file'),
    formatPlural(files.sessions, 'session'),
    ...(disk.files > 0 ? [size] : []),
  ].join(', ')
}

interface FolderRowProps {
  found: Doctor['homes'][number]
  /** Remarks that apply to every folder are shown once. */
  isFirst: boolean
  /** With its label, if there are several. */
  home: Settings['homes'][number] | undefined
  said: string
}

function FolderRow({
  found: { path, exists, note, conversations, antigravity },
  isFirst,
  home,
  said,
}: FolderRowProps) {
  return (
    <SettingRow
      name={
        <span className="mono" dir="ltr">
          <MachineText text={path} />
        </span>
      }
      why={
        <>
          {isFirst && (
            <>
              Read-only, except Recover, Move and Fork. Add more with <code>--home DIR</code>.
            </>
          )}
          {note !== null && ` ${note}`}
          {conversations && ` ${conversations}`}
          {antigravity && ` ${antigravity.text}`}
        </>
      }
    >
      <span className="tabular">{exists ? said : 'not found'}</span>
      {home !== undefined && <LabelForm home={home} />}
    </SettingRow>
  )
}

/** Label of the folder in lists. */
function LabelForm({ home: { path, label, ownLabel } }: { home: Settings['homes'][number] }) {
  const change = useSettingsChange()
  const [typed, setTyped] = useState(ownLabel ?? '')
  const isChanged = typed.trim() !== (ownLabel ?? '')
  function save(event: FormEvent) {
    event.preventDefault()
    if (isChanged) change.mutate({ homes: [{ path, label: typed.trim() || null }] })
  }
  return (
    <form className="contents" onSubmit={save}>
      <input
        className="field"
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
      <RowError error={change.error} />
    </form>
  )
}

interface UnreadableProps {
  files: Doctor['files']
  isComplete: boolean
}

/** Apparent sessions or projects that could not be read completely, with reasons and remedies. */
function UnreadableFiles({ files: { found, skipped }, isComplete }: UnreadableProps) {
  const missed = skipped.filter(({ needsAttention }) => needsAttention)
  const harmless = skipped.filter(({ needsAttention }) => !needsAttention)
  const [first] = missed
  if (first === undefined) {
    const name = !isComplete ? 'Reading files…' : found === 0 ? 'Nothing recorded yet' : 'All files read'
    return (
      <FindingRow
        name={name}
        place="not-read"
        why={
          harmless.length === 0 ? undefined : `${formatCount(harmless.length)} skipped, nothing is missing.`
        }
      >
        {harmless.length === 0 ? null : () => <SkippedFiles skipped={harmless} />}
      </FindingRow>
    )
  }
  const of = missed.length <= found ? `${formatCount(missed.length)} of ` : ''
  return (
    <FindingRow
      place="not-read"
      name={
        <span className="finding-title">
          <Icon of={FileWarning} className="tone-warning" />
          {of === '' ? formatPlural(missed.length, 'file') : `${of}${formatPlural(found, 'file')}`} couldn’t
          be read
        </span>
      }
      why={<MachineText text={`${first.path.split('/').at(-1)}: ${first.reason}`} />}
    >
      {() => <SkippedFiles skipped={[...missed, ...harmless]} />}
    </FindingRow>
  )
}

/** Upcoming deletions by Gemini CLI, the dangerous case first. */
function DeletedSoon({ doctor, now }: { doctor: Doctor; now: Date }) {
  const { enabled, problems, expiring, atRisk } = doctor.retention
  const total = atRisk.length + expiring.length
  const hasDetails = total + problems.length > 0
  return (
    <FindingRow
      place="retention"
      name="Deleted soon"
      why={whyOf(doctor)}
      value={total === 0 && enabled ? 'none within a week' : undefined}
      action={total === 0 ? 'Details' : `Show ${formatCount(total)}`}
    >
      {hasDetails
        ? () => (
            <>
              {total > 0 && <HowToPrevent />}
              <FindingList items={problems} keyOf={({ path, setting }) => `setting ${path} ${setting}`}>
                {({ path, setting, value, reason, advice }) => (
                  <>
                    <p>
                      <code dir="ltr">{setting}</code>
                      {value !== null && (
                        <>
                          {' '}
                          is{' '}
                          <code dir="ltr">
                            <MachineText text={value} />
                          </code>
                        </>
                      )}
                      , which is not valid. {reason}
                    </p>
                    <p className="advice">{advice}</p>
                    <p className="where mono" dir="ltr">
                      <MachineText text={path} />
                    </p>
                  </>
                )}
              </FindingList>
              <FindingList items={atRisk} keyOf={({ sessionKey }) => `risk ${sessionKey}`}>
                {({ sessionKey, title, path, reason }) => (
                  <>
                    <div className="finding-head">
                      <SessionLink sessionKey={sessionKey} title={title} />
                      <b className="tone-warning">On the next start of Gemini CLI, whatever its age</b>
                    </div>
                    <p className="advice">{reason}</p>
                    <p className="where mono" dir="ltr">
                      <MachineText text={path} />
                    </p>
                  </>
                )}
              </FindingList>
              <FindingList items={expiring} keyOf={({ sessionKey }) => `age ${sessionKey}`}>
                {({ sessionKey, title, deletedAfter, cause }) => (
                  <div className="finding-head">
                    <SessionLink sessionKey={sessionKey} title={title} />
                    <span className="tabular">
                      {Date.parse(deletedAfter) <= now.getTime() ? (
                        `On the next start of Gemini CLI${cause === 'count' ? ', for maxCount' : ''}`
                      ) : (
                        <>
                          after <TimeText time={deletedAfter}>{formatDate(deletedAfter, now)}</TimeText>
                        </>
                      )}
                    </span>
                  </div>
                )}
              </FindingList>
            </>
          )
        : null}
    </FindingRow>
  )
}

/** The retention rule and its origin. */
function whyOf({ retention, cli: { byRules } }: Doctor): string {
  if (retention.problems.length > 0) return 'Gemini CLI deletes nothing: a setting is not valid.'
  if (!retention.enabled) return 'Gemini CLI is set to keep all sessions.'
  const who = byRules === null ? 'Gemini CLI deletes' : `${byRules}, it deletes`
  return `${who} ${describeLimits(retention)} on its next start.`
}

function HowToPrevent() {
  return (
    <p className="finding advice">
      <span>
        To prevent that, set <code>general.sessionRetention.enabled</code> to <code>false</code> in the{' '}
        <code>settings.json</code> of Gemini CLI, or turn on the archive below.
      </span>
    </p>
  )
}

function describeLimits({ maxAgeDays, maxCount }: Doctor['retention']): string {
  const limits = [
    ...(maxAgeDays === null ? [] : [`sessions after ${formatPlural(maxAgeDays, 'day')}`]),
    ...(maxCount === null
      ? []
      : [
          `all but the newest ${maxCount === 1 ? 'session' : `${formatCount(maxCount)} sessions`} of a project`,
        ]),
  ]
  return limits.length === 0 ? 'files it can’t resume' : limits.join(' and ')
}

/** Sessions that were started but never used: one line for all, as nothing is lost with them. */
function EmptySessions({ empty }: { empty: Doctor['empty'] }) {
  if (empty.total === 0) return null
  return (
    <SettingRow name="Empty sessions" why="Started, but without a message. Lists leave them out.">
      <Link to="/" search={{ kind: 'empty' }} className="button">
        Show {formatCount(empty.total)}
      </Link>
    </SettingRow>
  )
}

type Issue = Doctor['issues'][number]

const MOST_LINKS = 6

/** Parts of shown sessions that could not be read. */
function PartlyReadFiles({ issues, sessionTotal }: { issues: Issue[]; sessionTotal: number }) {
  const inSessions = issues.filter(({ partlyRead }) => partlyRead.total > 0)
  const [first] = inSessions
  if (first === undefined) return null
  return (
    <FindingRow name={`${formatPlural(sessionTotal, 'session')} read only in part`} why={first.reason}>
      {() => (
        <FindingList items={inSessions} keyOf={({ code }) => code}>
          {(issue) => <IssueText issue={issue} />}
        </FindingList>
      )}
    </FindingRow>
  )
}

function IssueText({ issue: { count, reason, advice, example, partlyRead } }: { issue: Issue }) {
  const links = partlyRead.first.slice(0, MOST_LINKS)
  return (
    <>
      <div className="finding-head">
        <p>{reason}</p>
        <span className="tabular">{formatPlural(count, 'place')}</span>
      </div>
      <p className="advice">{advice}</p>
      <ul className="finding-links">
        {links.map((session) => (
          <li key={session.sessionKey}>
            <SessionLink {...session} />
          </li>
        ))}
        {partlyRead.total > links.length && (
          <li className="dim">and {formatCount(partlyRead.total - links.length)} more</li>
        )}
      </ul>
      <p className="where mono" dir="ltr">
        <MachineText text={example.at === '' ? example.path : `${example.path}, ${example.at}`} />
      </p>
    </>
  )
}

/** More paths with the same reason are collapsed. */
const FIRST_PATHS = 5

type Skipped = Doctor['files']['skipped'][number]

/** Files and folders that were not read, grouped by reason, with remedies. */
function SkippedFiles({ skipped }: { skipped: Skipped[] }) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return (
    <FindingList items={reasons} keyOf={(reason) => reason}>
      {(reason) => {
        const alike = skipped.filter((entry) => entry.reason === reason)
        return (
          <>
            <div className="finding-head">
              <p>{reason}</p>
              {alike.length > 1 && <span className="tabular">{formatCount(alike.length)}</span>}
            </div>
            <p className="advice">{alike[0]?.advice}</p>
            <PathList entries={alike} />
          </>
        )
      }}
    </FindingList>
  )
}

function PathList({ entries }: { entries: Skipped[] }) {
  const paths = (part: Skipped[]) => (
    <ul>
      {part.map(({ path, sessionKey }) => (
        <li key={path} className="where mono" dir="ltr">
          {sessionKey === null ? (
            <MachineText text={path} />
          ) : (
            <Link to="/s/$key" params={{ key: sessionKey }} className="link">
              <MachineText text={path} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {paths(entries.slice(0, FIRST_PATHS))}
      {entries.length > FIRST_PATHS && (
        <Disclosure head={`${formatCount(entries.length - FIRST_PATHS)} more`} headClassName="text-xs">
          {() => paths(entries.slice(FIRST_PATHS))}
        </Disclosure>
      )}
    </>
  )
}
