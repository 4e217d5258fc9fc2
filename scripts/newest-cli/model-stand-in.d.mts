import type { Server } from 'node:http'

export function listenAsModel(folder: string): Promise<Server>
