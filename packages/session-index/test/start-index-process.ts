import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { FIXTURE_HOMES } from './fixture-groups.ts'

export interface IndexProcess {
  /** Waits for a line with this beginning. */
  line(beginning: string): Promise<string>
  index(): void
  kill(): Promise<void>
  end(): Promise<void>
}

export function startIndexProcess(program: string, directory: string): IndexProcess {
  const child = spawn(process.execPath, [program, directory, FIXTURE_HOMES], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const look of waiting) look()
  })
  const line = (beginning: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const at = lines.findIndex((one) => one.startsWith(beginning))
        if (at < 0) return
        waiting.delete(look)
        resolve(lines.splice(0, at + 1).at(-1) ?? '')
      }
      waiting.add(look)
      exited.then(() => reject(new Error(`The process ended before it said "${beginning}".`)))
      look()
    })
  return {
    line,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    index: () => child.stdin.write('index\n'),
    end: async () => {
      child.stdin.end('end\n')
      await exited
    },
  }
}
