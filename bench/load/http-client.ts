import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

export type Asked = { method?: string; headers?: Record<string, string>; body?: string }

/** One request on a kept connection. @returns the body @throws for any status but 2xx */
export function ask(address: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode! < 300) resolve(text)
        else reject(new Error(`${method} ${address} answered ${answer.statusCode}: ${text}`))
      })
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** One request on a kept connection; the body is read and thrown away. @throws for any status but 2xx */
export function send(address: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<void> {
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
