import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request on a kept connection; the body is read and thrown away. @throws for any status but 2xx */
export function send(
  address: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, method, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode! < 300 ? resolve() : reject(new Error(`${method} ${address} answered ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
