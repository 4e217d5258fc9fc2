export interface SkillResult {
  instructions: string
  resources: string
}

/** What a skill says (`activate_skill`, 0.24+), from the frame that the model got. null for other texts. */
export function skillResult(text: string): SkillResult | null {
  const instructions = /<instructions>\n([\s\S]*?)\n\s*<\/instructions>/.exec(text)?.[1]
  if (instructions === undefined) return null
  const resources = /<available_resources>\n([\s\S]*?)\n\s*<\/available_resources>/.exec(text)?.[1] ?? ''
  return { instructions: unindent(instructions), resources: unindent(resources) }
}

/** The frame indents its first line; where all lines are indented as deep, all of them are the frame's. */
function unindent(text: string): string {
  const isAll = text.split('\n').every((line) => line.trim() === '' || line.startsWith('    '))
  return text.replace(isAll ? /^ {4}/gm : /^ {4}/, '').trim()
}
