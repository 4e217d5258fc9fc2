import type { FaultPart } from './fault-part.ts'
import { bitFlips } from './parts/bit-flips.ts'
import { cutOffCommands } from './parts/cut-off-commands.ts'
import { damagedArchive } from './parts/damaged-archive.ts'
import { dyingThreads } from './parts/dying-threads.ts'
import { fewDescriptors } from './parts/few-descriptors.ts'
import { fewWatches } from './parts/few-watches.ts'
import { fullDisk } from './parts/full-disk.ts'
import { ioErrors } from './parts/io-errors.ts'
import { keptArchive } from './parts/kept-archive.ts'
import { killedServer } from './parts/killed-server.ts'
import { movingClock } from './parts/moving-clock.ts'
import { ownData } from './parts/own-data.ts'
import { severalAtOnce } from './parts/several-at-once.ts'
import { silentClients } from './parts/silent-clients.ts'
import { slowMachine } from './parts/slow-machine.ts'
import { stoppedServer } from './parts/stopped-server.ts'
import { traced } from './parts/traced.ts'
import { twoVersions } from './parts/two-versions.ts'
import { writer } from './parts/writer.ts'

/** In display order. */
export const parts: readonly FaultPart[] = [
  writer,
  killedServer,
  stoppedServer,
  fullDisk,
  fewDescriptors,
  fewWatches,
  ioErrors,
  dyingThreads,
  bitFlips,
  keptArchive,
  cutOffCommands,
  ownData,
  damagedArchive,
  severalAtOnce,
  twoVersions,
  movingClock,
  slowMachine,
  silentClients,
  traced,
]
