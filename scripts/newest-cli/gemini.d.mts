export interface GeminiRun {
  home: string
  folder: string
  port: number
  args: string[]
  isQuiet?: boolean
}

export function findGemini(installed: string): string | undefined
export function prepareHome(home: string, folder: string, sessionRetention?: object): void
export function geminiEnvironment(home: string, port: number): Record<string, string>
export function runGemini(program: string, run: GeminiRun): Promise<number | null>
