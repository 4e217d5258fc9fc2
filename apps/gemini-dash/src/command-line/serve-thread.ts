import { workerData } from 'node:worker_threads'
import { startIndexThreads } from '../environment/own-folder.ts'
import type { ServeThreadData } from '../serve/thread.ts'

const { flags }: ServeThreadData = workerData
void startIndexThreads(flags)
// Not awaited here: a build with a module that waits is cut into more and other files.
void import('./serve-here.ts')
