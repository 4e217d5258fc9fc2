import type { Plan } from 'gemini-sessions'
import { Map as MapIcon } from 'lucide-react'
import { Markdown } from '../../content/markdown/markdown.tsx'
import { neighbourHref } from '../../content/neighbours/neighbour-href.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatSize } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

/** A plan as it was written, folded until it is asked for. */
export function PlanFile({ sessionRef, plan }: { sessionRef: string; plan: Plan }) {
  const { file, text, isCut, scope } = plan
  return (
    <div className="plan-file">
      <Disclosure
        bodyClassName="plan-body"
        head={
          <>
            <Icon of={MapIcon} small />
            <span>Plan</span>
            <span className="mono plan-name" dir="ltr">
              <MachineText text={file.path.slice(file.path.lastIndexOf('/') + 1)} />
            </span>
            <span className="beside-remark">{formatSize(file.sizeBytes)}</span>
            {scope === 'project' && <span className="beside-remark">of the project, not of one session</span>}
          </>
        }
      >
        {() => (
          <>
            <Markdown text={text} isSmall />
            {isCut && (
              <p className="session-files-note">
                This is the beginning of {formatSize(file.sizeBytes)}.{' '}
                <a className="link" href={neighbourHref(sessionRef, file)} download>
                  Save all of it
                </a>
              </p>
            )}
          </>
        )}
      </Disclosure>
    </div>
  )
}
