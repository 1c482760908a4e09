import { request } from 'node:http'
import { performance } from 'node:perf_hooks'

const PIECE = Buffer.alloc(256 * 1024, 7)
const BOUNDARY = 'a-boundary-of-the-benchmarks'
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`,
)
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

/**
 * Sends a form with one file of the given size, generated while sending.
 * @returns seconds until the response
 * @throws for any status but 200
 */
export async function sendFile(address: string, bytes: number): Promise<number> {
  const began = performance.now()
  const status = await new Promise<number>((resolve, reject) => {
    const outgoing = request(
      address,
      {
        method: 'POST',
        agent: false,
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': HEAD.length + bytes + TAIL.length,
        },
      },
      (answer) => answer.resume().once('end', () => resolve(answer.statusCode!)),
    )
    outgoing.once('error', reject)
    outgoing.write(HEAD)
    let left = bytes
    const go = () => {
      while (left > 0) {
        const piece = PIECE.subarray(0, Math.min(left, PIECE.length))
        left -= piece.length
        if (!outgoing.write(piece)) return void outgoing.once('drain', go)
      }
      outgoing.end(TAIL)
    }
    go()
  })
  if (status !== 200) throw new Error(`${address} answered ${status}`)
  return (performance.now() - began) / 1000
}
