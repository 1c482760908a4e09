import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Answers, createPeer, type Peer } from './peer.ts'

export type ServingProcesses = ReturnType<typeof createServingProcesses>

/** The serving processes, as the coordinator sees them: it answers their questions, and sends them events. */
export function createServingProcesses() {
  const answers: Answers = new Map()
  const peers = new Set<Peer>()
  const server = createServer((socket) => {
    const peer = createPeer(socket, answers)
    peers.add(peer)
    socket.once('close', () => peers.delete(peer))
  })

  return {
    /** Sets the answer to a question. */
    answer: (name: string, answer: (...args: never[]) => unknown): void => void answers.set(name, answer),

    notify(name: string, ...args: unknown[]): void {
      for (const peer of peers) peer.notify(name, args)
    },

    /** Asks all. Those that end, or do not answer in time, are left out. */
    async askAll<T>(ms: number, name: string, ...args: unknown[]): Promise<T[]> {
      const outcomes = await Promise.allSettled([...peers].map((peer) => peer.ask<T>(name, args, ms)))
      return outcomes.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    },

    /** @param path of a socket file, in a folder that only this user can enter. That of a killed coordinator is replaced */
    async listen(path: string): Promise<void> {
      rmSync(path, { force: true })
      server.listen({ path, exclusive: true })
      await once(server, 'listening')
    },

    close(): void {
      server.close()
      for (const peer of peers) peer.close()
    },
  }
}
