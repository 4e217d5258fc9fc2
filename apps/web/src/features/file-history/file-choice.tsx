import './file-history.css'
import '../../ui/controls/search-box.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, Folder, Search } from 'lucide-react'
import { suggestQuery } from '../../api/search.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { fileHistoryLink } from '../../lib/address/page-searches.ts'
import { useSettlingText } from '../../lib/hooks/use-settling-text.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

const FIELD = 'file:'
/** What tools are given that look through the whole project: no file. */
const HERE = '.'

interface Props {
  /** Part of a path, as the address has it. */
  q: string
  onType: (text: string) => void
}

/** Which file: those that sessions touched most, or those that hold what is typed. */
export function FileChoice({ q, onType }: Props) {
  const [text, type] = useSettlingText(q, onType)
  const settled = q.trim()
  const asked = `${FIELD}${settled.includes(' ') ? `"${settled.replaceAll('"', '')}` : settled}`
  const { data, error, refetch } = useQuery(suggestQuery(asked, asked.length, true))
  const items = data?.items.filter(({ label }) => label !== HERE) ?? []
  return (
    <div className="file-choice">
      <h1 className="page-title">Files</h1>
      <p className="text-ink-2">What all sessions did to one file. Choose it, or type a part of its path.</p>
      <div className="search-box large">
        <Icon of={Search} />
        <input
          type="search"
          aria-label="Part of a path"
          placeholder="src/price.js"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      {error !== null && (
        <Failed what="The files could not be asked for." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={6} label="Asking for the files" />}
      {data?.q === asked && items.length === 0 && (
        <p className="sheet file-choice-none">
          {settled === ''
            ? 'No session that is read has touched a file yet.'
            : `No session has touched a file whose path holds “${settled}”.`}
        </p>
      )}
      {items.length > 0 && (
        <ul className="sheet">
          {items.map(({ label, hint }) => (
            <li key={label}>
              <Link {...fileHistoryLink(label, undefined)} className="file-choice-line">
                <Icon of={isFolder(label, items) ? Folder : FileText} small />
                <span className="mono" dir="ltr">
                  <MachineText text={label} />
                </span>
                <small>{hint}</small>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Tools look through folders too; that one is a folder shows where something in it is listed. */
function isFolder(path: string, items: readonly { label: string }[]): boolean {
  return items.some(({ label }) => label.startsWith(`${path}/`))
}
