import type { TimelineStep } from '../../model/insights/timeline.ts'

/** Steps that are too many to be told apart, with neighbours of one turn put together. Prompts stay by themselves. */
export function gatherRuns(steps: readonly TimelineStep[], most: number): TimelineStep[] {
  if (steps.length <= most) return [...steps]
  const size = Math.ceil(steps.length / most) * 2
  const gathered: TimelineStep[] = []
  let group: TimelineStep[] = []
  const close = () => {
    if (group.length > 0) gathered.push(asRun(group))
    group = []
  }
  for (const step of steps) {
    if (step.kind === 'prompt' || group.length === size || group[0]?.turn !== step.turn) close()
    if (step.kind === 'prompt') gathered.push(step)
    else group.push(step)
  }
  close()
  return gathered
}

function asRun(group: readonly TimelineStep[]): TimelineStep {
  const [first] = group
  if (first === undefined) throw new Error('A run has steps.')
  if (group.length === 1) return first
  return {
    ...first,
    kind: 'run',
    sinceMs: group.reduce((since, step) => Math.min(since, step.sinceMs), first.sinceMs),
    atMs: group.reduce((at, step) => Math.max(at, step.atMs), first.atMs),
    label: countKinds(group),
    detail: '',
    failed: group.some(({ failed }) => failed),
    superseded: group.every(({ superseded }) => superseded !== null) ? first.superseded : null,
    thoughts: [],
    measured: null,
    agentKey: null,
    count: group.length,
  }
}

function countKinds(group: readonly TimelineStep[]): string {
  const calls = group.filter(({ kind }) => kind === 'tool' || kind === 'agent').length
  const answers = group.filter(({ kind }) => kind === 'model').length
  return [plural(answers, 'answer'), plural(calls, 'tool call')].filter((part) => part !== '').join(', ')
}

function plural(count: number, one: string): string {
  return count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`
}
