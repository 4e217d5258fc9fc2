import { existsSync } from 'node:fs'
import { createAccess } from '../access.ts'
import { chooseHomes } from '../environment/choose-homes.ts'
import { ownFolder } from '../environment/own-folder.ts'
import { jsonLine } from '../print/json-line.ts'
import { Patience, waitForStart } from '../serve/announced-start.ts'
import { findRunningServer, type RunningServer, type Wanted } from '../serve/running-servers.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

/**
 * The code is stored as a hash in the data folder, where the server looks for it. Write access there proves that this is the user who
 * started the server, so no request is needed and no secret is ever sent.
 */
export const url: RunCommand = async ({ flags, terminal }) => {
  const homes = chooseHomes(flags)
  const paths = homes.map(({ path }) => path)
  const dataFolder = await ownFolder('data', flags)
  const access = dataFolder !== null && existsSync(dataFolder) ? createAccess(dataFolder) : null
  const patience = new Patience((sentence) => terminal.note(sentence))
  const server =
    dataFolder === null || access === null ? null : await findOrAwait({ dataFolder, homes, access, patience })
  if (server === null || access === null) {
    throw new CliError(
      1,
      `No dashboard is running for ${paths.join(', ')}.`,
      'Start one with "gemini-dash". A dashboard with --no-cache or another --data-dir is not found.',
    )
  }
  const address = `${server.origin}/?code=${access.codes.issue()}`
  const { port, pid, version } = server
  await terminal.write(
    flags.json ? jsonLine({ url: address, port, pid, version, homes: paths }) : `${address}\n`,
  )
}

/** Waits for a server that is starting. */
async function findOrAwait(wanted: Wanted): Promise<RunningServer | null> {
  const { dataFolder, homes, patience } = wanted
  for (;;) {
    // In this order: a start ends after its server is announced.
    const isStarting = await waitForStart(dataFolder, homes, patience)
    const server = await findRunningServer(wanted)
    if (server !== null || !isStarting) return server
  }
}
