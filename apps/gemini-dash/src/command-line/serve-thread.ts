import { workerData } from 'node:worker_threads'
import { startIndexThreads } from '../environment/own-folder.ts'
import type { ServeThreadData } from '../serve/thread.ts'

const { flags }: ServeThreadData = workerData
void startIndexThreads(flags)
// Not awaited: a module with top-level await makes the build split its output into more and different files.
void import('./serve-here.ts')
