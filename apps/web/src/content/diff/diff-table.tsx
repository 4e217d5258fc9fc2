import './diff.css'
import { useMemo } from 'react'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { MachineText } from '../machine-text.tsx'
import { type PatchLine, parsePatch } from './parse-patch.ts'
import { type WordPiece, wordChanges } from './word-changes.ts'

const SIGNS: Record<PatchLine['kind'], string> = { same: '', added: '+', removed: '-', hunk: '', remark: '' }
const SIGN_WORDS: Record<PatchLine['kind'], string | undefined> = {
  same: undefined,
  added: 'added',
  removed: 'removed',
  hunk: undefined,
  remark: undefined,
}

/** A unified diff: old and new number, sign, text; changed words underlined. */
export default function DiffTable({
  patch,
  name,
  maxLines,
}: {
  patch: string
  name: string
  maxLines: number
}) {
  const lines = useMemo(() => parsePatch(patch), [patch])
  const changes = useMemo(() => wordChanges(lines), [lines])
  if (lines.length === 0) {
    return (
      <pre className="diff-plain" dir="ltr">
        <MachineText text={patch} />
      </pre>
    )
  }
  return (
    <ScrollRegion label={`Diff of ${name}`} className="diff-table">
      <table dir="ltr">
        <tbody>
          {lines.slice(0, maxLines).map((line) => (
            <Line key={line.index} line={line} words={changes.get(line.index)} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Line({ line, words }: { line: PatchLine; words: WordPiece[] | undefined }) {
  if (line.kind === 'hunk' || line.kind === 'remark') {
    return (
      <tr className="diff-hunk">
        <td colSpan={4}>{line.text}</td>
      </tr>
    )
  }
  return (
    <tr className={`diff-${line.kind}`}>
      <td className="diff-number old" data-line={line.oldNumber ?? ''} />
      <td className="diff-number" data-line={line.newNumber ?? ''} />
      <td className="diff-sign">
        <span aria-hidden="true">{SIGNS[line.kind]}</span>
        <span className="visually-hidden">{SIGN_WORDS[line.kind]}</span>
      </td>
      <td className="diff-text">
        {words === undefined ? (
          <MachineText text={line.text} />
        ) : (
          words.map((word) => <Word key={word.start} word={word} />)
        )}
      </td>
    </tr>
  )
}

function Word({ word }: { word: WordPiece }) {
  const text = <MachineText text={word.text} />
  return word.isChanged ? <span className="diff-word">{text}</span> : text
}
