export interface PlanAnswer {
  state: 'approved' | 'rejected' | 'cancelled'
  /** What the person wrote to a plan that they sent back, or the mode that an approved one leads to. */
  words: string
  /** Where the plan is stored; ''. */
  path: string
}

/** What became of a plan (`exit_plan_mode`, 0.29+), from the text that the model got. null for other texts. */
export function planAnswer(text: string): PlanAnswer | null {
  const path = /plan is stored at: (.+)/.exec(text)?.[1]?.trim() ?? ''
  if (text.startsWith('Plan approved.')) {
    return {
      state: 'approved',
      words: /^Plan approved\. Switching to (.*?)\.?(?:\n|$)/.exec(text)?.[1] ?? '',
      path,
    }
  }
  if (text.startsWith('Plan rejected.')) {
    const words =
      /^Plan rejected\. User feedback: ([\s\S]*?)(?:\n\nThe plan is stored at:|$)/.exec(text)?.[1] ?? ''
    return { state: 'rejected', words: words.trim(), path }
  }
  if (text.startsWith('User cancelled the plan approval')) return { state: 'cancelled', words: '', path }
  return null
}
