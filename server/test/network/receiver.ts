import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: tests read an event's data without knowing its type.
export type Received = { headers: IncomingHttpHeaders; text: string; type: string; timestamp: string; data: any }

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A real receiver of webhooks on a loopback address. Accepts everything, unless the test sets `answer`. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = {
    /** The accepted events, in order. */
    received,
    /** Answers an event. @returns whether it is accepted */
    answer: (response: ServerResponse, _one: Received): boolean => {
      response.end()
      return true
    },
    url: '',
    /** The value for CAIRN_WEBHOOK_HOSTS. */
    host: '',
    /** Waits up to 60 s for an event. @returns undefined if none arrived */
    async next(isWanted: (one: Received) => boolean): Promise<Received | undefined> {
      for (let i = 0; i < 3000; i++) {
        const found = received.find(isWanted)
        if (found) return found
        await sleep(20)
      }
      return undefined
    },
    /** Waits up to 90 s for that many events. */
    async count(wanted: number): Promise<number> {
      for (let i = 0; i < 4500 && received.length < wanted; i++) await sleep(20)
      return received.length
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const one = { headers: request.headers, text, ...JSON.parse(text) }
    if (receiver.answer(response, one)) received.push(one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  receiver.host = `127.0.0.1:${port}`
  receiver.url = `http://${receiver.host}/hook`
  return receiver
}
