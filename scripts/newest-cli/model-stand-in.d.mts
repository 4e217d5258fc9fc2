import type { Server } from 'node:http'

export function listenAsModel(folder: string, options?: { thinkMs?: number }): Promise<Server>
