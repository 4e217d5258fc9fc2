import './keep.css'
import type { KeepStatus } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { keepQuery, useKeepNow } from '../../../api/keep.ts'
import { MachineText } from '../../../content/text/machine-text.tsx'
import {
  formatAgo,
  formatCount,
  formatMoment,
  formatPlural,
  formatSize,
} from '../../../lib/figures/format.ts'
import { describeLook, keepLines } from '../../../lib/session/keep-words.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Figure } from '../../../ui/figures/figure.tsx'
import { Failed } from '../../../ui/states/failed.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { FindingGroup } from '../finding-group.tsx'
import { FindingList } from '../finding-list.tsx'
import { KeepSwitch } from './keep-switch.tsx'
import { LimitFields } from './limit-fields.tsx'

/** The archive of what Gemini CLI deletes: its switch, what it holds, and how it stands. */
export function KeepPanel({ now }: { now: Date }) {
  const { data: status, error, refetch } = useQuery({ ...keepQuery(), refetchOnMount: 'always' })
  if (status === undefined) {
    if (error === null) return <div hidden aria-busy="true" />
    return (
      <FindingGroup place="keep" title="Archive">
        <div className="finding">
          <Failed what="What is kept could not be asked." error={error} onRetry={() => void refetch()} />
        </div>
      </FindingGroup>
    )
  }
  const { folder, files } = status
  return (
    <FindingGroup
      place="keep"
      title="Archive"
      tally={tallyOf(status, now)}
      lead="Gemini CLI deletes sessions by their age, and some at its next start. The archive keeps every version of them on this computer."
    >
      {folder === null ? (
        <p className="finding advice">
          Nothing can be kept here: this dashboard shows the sample sessions, or was started with --no-cache.
        </p>
      ) : (
        <>
          <ul className="finding keep-lines advice">
            {keepLines(folder).map((line) => (
              <li key={line}>
                <MachineText text={line} />
              </li>
            ))}
          </ul>
          <KeepTroubles status={status} />
          {(status.running !== null || (status.enabled && status.lastRun === null)) && (
            <Look status={status} />
          )}
          {files > 0 && <KeptFigures status={status} now={now} />}
          {files > 0 && <LimitFields limits={status.limits} />}
          <KeepSwitch status={status} />
        </>
      )}
    </FindingGroup>
  )
}

function tallyOf({ enabled, running, lastRun, homes, files }: KeepStatus, now: Date): string {
  if (running !== null) return 'looking just now'
  const kept = homes.filter((home) => home.kept).length
  if (!enabled && kept > 0) return `on for ${formatCount(kept)} of ${formatPlural(homes.length, 'home')}`
  if (!enabled) return files > 0 ? 'off; what was kept is still there' : 'off'
  return lastRun === null ? 'on' : `on, last look ${formatAgo(lastRun, now)}`
}

/** The bar of a look that goes on. */
function Look({ status }: { status: KeepStatus }) {
  const { running } = status
  const words = describeLook(status)
  return (
    <div className="finding keep-look" role="status">
      <progress
        aria-label="How far the look is"
        {...(running !== null && running.total > 0 && { value: running.done, max: running.total })}
      />
      <p>
        {status.lastRun === null &&
          running?.waiting !== true &&
          'This is the first look, which takes longest. '}
        {words}
      </p>
    </div>
  )
}

/** What keeps the archive from being whole, each with what can be done. */
function KeepTroubles({ status }: { status: KeepStatus }) {
  const { problem, hindrance, damaged, damagedFiles, homes } = status
  const missing = homes.filter(({ exists, kept }) => kept && !exists)
  const again = useKeepNow()
  if (problem === null && damaged === 0 && missing.length === 0) return null
  return (
    <>
      {problem !== null && (
        <div className="finding">
          <Notice tone="warning">
            <MachineText text={problem} />{' '}
            {hindrance === 'limit'
              ? 'Below is where it is given more room.'
              : 'Once that is mended, the next look takes what is missing.'}
          </Notice>
        </div>
      )}
      {missing.map(({ path }) => (
        <div key={path} className="finding">
          <Notice>
            The home{' '}
            <span className="mono" dir="ltr">
              <MachineText text={path} />
            </span>{' '}
            is not there just now. What was kept of it stays, and nothing of it counts as deleted.
          </Notice>
        </div>
      ))}
      {damaged > 0 && (
        <div className="finding">
          <Notice tone="warning">
            <b>
              {formatPlural(damaged, 'place')} of the archive {damaged === 1 ? 'is' : 'are'} damaged
            </b>{' '}
            on this disk. What is damaged is never shown as if it were whole. What is still in a home is
            stored again by a look.{' '}
            {status.enabled && (
              <Button size="tiny" disabled={again.isPending} onClick={() => again.mutate()}>
                Look now
              </Button>
            )}
            {again.isError && (
              <span role="alert">
                {' '}
                <b>It could not look:</b> {again.error.message}
              </span>
            )}
          </Notice>
        </div>
      )}
      <FindingList items={damagedFiles} keyOf={({ home, path, firstSeen }) => `${home} ${path} ${firstSeen}`}>
        {({ home, path, firstSeen }) => (
          <div className="finding-head">
            <span className="where mono" dir="ltr">
              <MachineText text={`${home}/${path}`} />
            </span>
            <span className="tabular">as of {formatMoment(firstSeen)}</span>
          </div>
        )}
      </FindingList>
    </>
  )
}

function KeptFigures({ status, now }: { status: KeepStatus; now: Date }) {
  const { sessions, onlyHere, files, rawBytes, storedBytes, goneBytes, lastRun } = status
  return (
    <div className="finding">
      <dl className="figures keep-figures">
        <Figure label="Sessions kept" title={formatPlural(files, 'file')}>
          {formatCount(sessions)}
        </Figure>
        <Figure label="Nowhere else" title="Sessions that are in no home any more, as a whole or in part">
          {formatCount(onlyHere)}
        </Figure>
        <Figure label="As they were read">{formatSize(rawBytes)}</Figure>
        <Figure
          label="Stored"
          title={
            goneBytes === 0
              ? undefined
              : `${formatSize(goneBytes)} of it was deleted, and is laid out to be read`
          }
        >
          {formatSize(storedBytes)}
        </Figure>
        <Figure label="Last look" title={lastRun === null ? undefined : formatMoment(lastRun)}>
          {lastRun === null ? 'none yet' : formatAgo(lastRun, now)}
        </Figure>
      </dl>
    </div>
  )
}
