import { Agent, type IncomingMessage, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

export type Asked = { method?: string; headers?: Record<string, string>; body?: string }

/** Sends a request over a kept-alive connection. @returns the body @throws for any status but 2xx */
export const ask = (address: string, asked: Asked = {}): Promise<string> =>
  exchange(address, asked, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk) => chunks.push(chunk))
    return () => Buffer.concat(chunks).toString()
  })

/** Sends a request over a kept-alive connection and discards the body. @throws for any status but 2xx */
export const send = (address: string, asked: Asked = {}): Promise<void> =>
  exchange(address, asked, (answer) => {
    answer.resume()
    return () => {}
  })

const BOUNDARY = 'a-boundary-of-the-benchmarks'

/** A form with one file. */
export function formOf(fileName: string, content: string): Asked {
  const head = `content-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: text/plain`
  return {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
  }
}

function exchange<T>(address: string, asked: Asked, read: (answer: IncomingMessage) => () => T): Promise<T> {
  const { method = 'GET', headers = {}, body } = asked
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, method, headers }, (answer) => {
      const result = read(answer)
      answer.on('end', () => {
        if (answer.statusCode! < 300) resolve(result())
        else reject(new Error(`${method} ${address} answered ${answer.statusCode}: ${result() ?? ''}`))
      })
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
