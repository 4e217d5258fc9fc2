import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { WhatIfBody } from './what-if-body.tsx'

interface Props {
  sessionRef: string
  hasSubagents: boolean
}

/** What the same tokens would have cost otherwise. Asked for only when it is opened: that prices every call anew. */
export function WhatIf({ sessionRef, hasSubagents }: Props) {
  return (
    <section aria-label="What if">
      <Disclosure head="What if: another model, no cache, smaller prompts">
        {() => <WhatIfBody sessionRef={sessionRef} hasSubagents={hasSubagents} />}
      </Disclosure>
    </section>
  )
}
