import type { PathCandidate } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { pathEvidenceText } from './path-evidence.ts'

/** All that speaks for one path or another, folded away. */
export function PathCandidates({ candidates }: { candidates: PathCandidate[] }) {
  if (candidates.length === 0) return null
  const paths = [...new Set(candidates.map(({ path }) => path))]
  return (
    <Disclosure head={<span>How the path is known</span>} headClassName="path-candidates-head">
      {() => (
        <dl className="path-candidates">
          {paths.map((path) => (
            <div key={path}>
              <dt>
                <code>
                  <MachineText text={path} />
                </code>
              </dt>
              {candidates.map(
                (candidate) =>
                  candidate.path === path && <dd key={candidate.evidence}>{evidenceText(candidate)}</dd>,
              )}
            </div>
          ))}
        </dl>
      )}
    </Disclosure>
  )
}

function evidenceText({ evidence, verified, sessions }: PathCandidate): string {
  const count = sessions === undefined ? '' : `, in ${formatPlural(sessions, 'session')}`
  return `From ${pathEvidenceText(evidence)}${count}: ${verified ? 'proven by its SHA-256' : 'not proven'}`
}
